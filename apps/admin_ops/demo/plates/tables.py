"""What a dish stands on and in: tables, cloths, plates, bowls, boards and cutlery."""

import math

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from apps.admin_ops.demo.plates.brush import (
    CENTRE,
    SIZE,
    Canvas,
    Colour,
    Paint,
    Point,
    arc,
    clouds,
    mixed,
    mottle,
    oval,
    polygon,
    rgb,
    tapered,
    turned,
)

PORCELAIN = rgb("f6f0e6")


def _toned(noise: Image.Image, dark: Colour, light: Colour) -> Image.Image:
    """Noise as a surface between two colours."""
    channels = [
        noise.point(lambda v, a=a, b=b: int(a + (b - a) * v / 255))
        for a, b in zip(dark, light, strict=True)
    ]
    return Image.merge("RGB", channels)


def wood(canvas: Canvas, dark: Colour, light: Colour, planks: int = 4) -> None:
    """Boards from left to right, each with a grain of its own."""
    rng, height = canvas.rng, SIZE[1] / planks
    for plank in range(planks):
        top, bottom = round(plank * height), round((plank + 1) * height)
        seed = rng.randint(0, 10**6)
        size = (SIZE[0], bottom - top)
        grain = clouds(SIZE[0], 400, 6, seed).resize((SIZE[0] * 9, 400)).crop((0, 0, *size))
        grain = Image.blend(grain, clouds(*size, 60, seed + 1), 0.55)
        fine = clouds(60, size[1], 2, seed + 2).resize(size)
        board = _toned(Image.blend(grain, fine, 0.3), dark, light)
        tone = mixed(dark, light, rng.uniform(0.2, 0.8))
        canvas.image.paste(Image.blend(board, Image.new("RGB", size, tone), 0.25), (0, top))
        draw = ImageDraw.Draw(canvas.image)
        draw.line((0, top, SIZE[0], top), fill=mixed(dark, (0, 0, 0), 0.6), width=3)
        draw.line((0, top + 3, SIZE[0], top + 3), fill=mixed(light, (255, 255, 255), 0.12), width=1)


def linen(canvas: Canvas, colour: Colour, stripe: Colour | None = None, gap: int = 86) -> None:
    """Woven cloth with soft folds; with a stripe colour, a checked one."""
    across = clouds(SIZE[0], 8, 2, 3).resize(SIZE)
    along = clouds(8, SIZE[1], 2, 4).resize(SIZE)
    weave = Image.blend(across, along, 0.5)
    cloth = _toned(weave, mixed(colour, (90, 70, 50), 0.22), mixed(colour, (255, 255, 255), 0.25))
    if stripe:
        band = Image.new("L", SIZE)
        draw = ImageDraw.Draw(band)
        for x in range(-gap // 2, SIZE[0], gap * 2):
            draw.rectangle((x, 0, x + gap, SIZE[1]), fill=120)
        rows = Image.new("L", SIZE)
        draw = ImageDraw.Draw(rows)
        for y in range(-gap // 3, SIZE[1], gap * 2):
            draw.rectangle((0, y, SIZE[0], y + gap), fill=120)
        check = ImageChops.add(band, rows)
        dyed = _toned(weave, mixed(stripe, (40, 10, 0), 0.25), mixed(stripe, (255, 255, 255), 0.2))
        cloth = Image.composite(dyed, cloth, check)
    folds = clouds(*SIZE, 330, 11).point(lambda v: max(0, min(90, int((v - 128) * 0.9))))
    cloth.paste(mixed(colour, (60, 40, 25), 0.7), mask=folds)
    canvas.image.paste(cloth)


def stone(canvas: Canvas, dark: Colour, light: Colour) -> None:
    """Slate, plaster or clay: mottled, without a direction."""
    surface = Image.blend(mottle(), clouds(*SIZE, 4, 21), 0.25)
    canvas.image.paste(_toned(surface, dark, light))
    rough = Image.blend(mottle(), clouds(*SIZE, 14, 22), 0.6).filter(ImageFilter.GaussianBlur(1.4))
    slope = ImageChops.subtract(rough, ImageChops.offset(rough, 3, 3))
    canvas.image.paste(mixed(light, (255, 255, 255), 0.25), mask=slope.point(lambda v: v * 2))


def tiles(canvas: Canvas, colours: list[Colour], grout: Colour, size: int = 210) -> None:
    """Hand-made square tiles, set slightly askew."""
    canvas.image.paste(grout, (0, 0, *SIZE))
    rng = canvas.rng
    for x in range(-20, SIZE[0], size):
        for y in range(-60, SIZE[1], size):
            paint = Paint(rng.choice(colours), depth=5, shine=0.25, shade=0.3, gloss=0.06)
            half = size / 2 - 5
            corners = [(-half, -half), (half, -half), (half, half), (-half, half)]
            shape = turned(corners, rng.uniform(-0.8, 0.8))
            canvas.put(shape, (x + size / 2, y + size / 2), paint, lift=0)


def plate(
    canvas: Canvas,
    radius: float = 372,
    colour: Colour = PORCELAIN,
    *,
    at: Point = CENTRE,
    rim: Colour | None = None,
    well: float = 0.7,
    speckles: Colour | None = None,
) -> None:
    """A round plate: a broad rim that rises, and a well that lies a little lower."""
    edge = Paint(colour, mixed(colour, (150, 130, 100), 0.1), depth=9, shine=0.7, shade=0.34)
    canvas.shadow(polygon(oval(radius)), at, 34, 0.55)
    canvas.put(oval(radius), at, edge, lift=12)
    if rim:
        band = polygon(oval(radius - 7))
        inner = polygon(oval(radius - 17))
        hole = Image.new("L", band.size)
        hole.paste(inner, ((band.width - inner.width) // 2, (band.height - inner.height) // 2))
        ring = ImageChops.subtract(band, hole)
        corner = (round(at[0] - band.width / 2), round(at[1] - band.height / 2))
        canvas.image.paste(rim, corner, ring.point(lambda v: int(v * 0.85)))
    _hollow(canvas, radius * well, at, colour, 16, 0.5)
    if speckles:
        _speckle(canvas, radius, at, speckles)


def bowl(
    canvas: Canvas,
    radius: float = 360,
    colour: Colour = PORCELAIN,
    *,
    at: Point = CENTRE,
    wall: float = 0.09,
    inside: Colour | None = None,
    speckles: Colour | None = None,
) -> float:
    """A deep bowl from above; answers the radius of the opening."""
    edge = Paint(colour, mixed(colour, (120, 90, 60), 0.18), depth=10, shine=0.75, shade=0.5)
    canvas.shadow(polygon(oval(radius)), at, 46, 0.6)
    canvas.put(oval(radius), at, edge, lift=16)
    if speckles:
        _speckle(canvas, radius, at, speckles)
    opening = radius * (1 - wall)
    canvas.put(oval(opening), at, Paint(inside or mixed(colour, (60, 35, 20), 0.25)), lift=0)
    _hollow(canvas, opening, at, inside or mixed(colour, (60, 35, 20), 0.2), 34, 0.9)
    return opening


def _hollow(
    canvas: Canvas, radius: float, at: Point, colour: Colour, soft: float, depth: float
) -> None:
    """A round surface that lies lower: dark under its upper left edge, light opposite."""
    mask = polygon(oval(radius), pad=8)
    corner = (round(at[0] - mask.width / 2), round(at[1] - mask.height / 2))
    canvas.image.paste(mixed(colour, (255, 255, 255), 0.1), corner, mask.point(lambda v: v // 2))
    away = mask.filter(ImageFilter.GaussianBlur(soft))
    shift = round(soft * 0.7)
    dark = ImageChops.subtract(mask, ImageChops.offset(away, shift, shift))
    light = ImageChops.subtract(mask, ImageChops.offset(away, -shift, -shift))
    canvas.image.paste(
        mixed(colour, (40, 20, 10), 0.75), corner, dark.point(lambda v: int(v * depth * 0.7))
    )
    canvas.image.paste((255, 252, 244), corner, light.point(lambda v: int(v * depth * 0.45)))


def _speckle(canvas: Canvas, radius: float, at: Point, colour: Colour) -> None:
    draw = ImageDraw.Draw(canvas.image)
    for _ in range(int(radius * 0.7)):
        distance = radius * math.sqrt(canvas.rng.random()) * 0.985
        angle = canvas.rng.uniform(0, math.tau)
        x, y = at[0] + distance * math.cos(angle), at[1] + distance * math.sin(angle)
        size = canvas.rng.choice((0.6, 0.8, 1.3))
        draw.ellipse((x - size, y - size, x + size, y + size), fill=colour)


def liquid(
    canvas: Canvas, radius: float, colour: Colour, second: Colour, at: Point = CENTRE
) -> None:
    """Broth or sauce filling a bowl up to `radius`, with the shadow of the wall on it."""
    canvas.put(oval(radius), at, Paint(colour, second, depth=14, shine=0.05, shade=0.2), lift=0)
    _hollow(canvas, radius, at, colour, 26, 0.55)


def board(canvas: Canvas, width: float, height: float, dark: Colour, light: Colour) -> None:
    """A wooden board with rounded corners."""
    corner = min(width, height) * 0.12
    shape: list[Point] = []
    for sx, sy, start in ((1, 1, 0), (-1, 1, 90), (-1, -1, 180), (1, -1, 270)):
        middle = (sx * (width / 2 - corner), sy * (height / 2 - corner))
        shape += [(middle[0] + x, middle[1] + y) for x, y in arc(corner, start, start + 90)]
    mask = polygon(shape)
    canvas.shadow(mask, CENTRE, 26, 0.6)
    grained = Canvas(f"board {width}")
    wood(grained, dark, light, planks=1)
    canvas.put(shape, CENTRE, Paint(dark, light, depth=7, shine=0.5, shade=0.5), lift=10)
    left, top = round(CENTRE[0] - mask.width / 2), round(CENTRE[1] - mask.height / 2)
    grain = grained.image.crop((left, top, left + mask.width, top + mask.height))
    canvas.image.paste(grain, (left, top), mask.point(lambda v: int(v * 0.66)))


def fork(canvas: Canvas, at: Point, angle: float, metal: Colour = (196, 190, 180)) -> None:
    """A fork, tines up before it is turned."""
    paint = Paint(metal, mixed(metal, (80, 70, 60), 0.35), depth=3.2, shine=0.95, shade=0.75)
    path = [(0.0, y) for y in range(-60, 300, 12)]
    widths = [16 - 7 * math.sin(min(1, (y + 60) / 220) * math.pi / 2) + max(0, (y - 150) / 17)
              for _, y in path]  # fmt: skip
    canvas.put(turned(tapered(path, widths), angle), at, paint, lift=6)
    head = [
        (-27.0, -140.0),
        (-25.0, -95.0),
        (-9.0, -58.0),
        (9.0, -58.0),
        (25.0, -95.0),
        (27.0, -140.0),
    ]
    canvas.put(turned(head, angle), at, paint, lift=5)
    for tine in (-23, -8, 8, 23):
        prong = tapered([(tine, -136.0), (tine, -190.0), (tine, -236.0)], [9, 7.5, 4])
        canvas.put(turned(prong, angle), at, paint, lift=5)


def spoon(canvas: Canvas, at: Point, angle: float, colour: Colour = (196, 190, 180)) -> None:
    """A spoon, its bowl up before it is turned."""
    paint = Paint(colour, mixed(colour, (80, 60, 50), 0.35), depth=3.4, shine=0.9, shade=0.7)
    path = [(0.0, float(y)) for y in range(-110, 300, 12)]
    widths = [11 + max(0, (y - 140) / 15) for _, y in path]
    canvas.put(turned(tapered(path, widths), angle), at, paint, lift=6)
    egg = [(x * (1 - y / 420), y - 165) for x, y in oval(40, 66)]
    canvas.put(turned(egg, angle), at, paint.but(depth=8), lift=7)
    dip = [(x * (1 - y / 420), y - 165) for x, y in oval(31, 55)]
    inside = paint.but(colour=mixed(colour, (50, 40, 35), 0.3), depth=14, shine=0.3)
    canvas.put(turned(dip, angle), at, inside, lift=0)


def chopsticks(canvas: Canvas, at: Point, angle: float, colour: Colour = (92, 30, 20)) -> None:
    """A pair on the table, thin ends up before they are turned."""
    paint = Paint(colour, mixed(colour, (20, 8, 4), 0.4), depth=2.6, shine=0.9, shade=0.7)
    for offset, lean in ((-13, -1.2), (13, 1.4)):
        path = [(offset + lean * y / 90, float(y)) for y in range(-420, 421, 20)]
        widths = [8 + (y + 420) / 840 * 9 for _, y in path]
        canvas.put(turned(tapered(path, widths), angle), at, paint, lift=7)
        band = tapered([(offset + lean * 3.4, 300.0), (offset + lean * 3.7, 330.0)], [17, 17])
        canvas.put(turned(band, angle), at, paint.but(colour=rgb("c9a45a")), lift=0)


def napkin(
    canvas: Canvas, at: Point, width: float, height: float, angle: float, colour: Colour
) -> None:
    """A folded cloth, its hem stitched."""
    corners = [
        (-width / 2, -height / 2),
        (width / 2, -height / 2 + 6),
        (width / 2 - 8, height / 2),
        (-width / 2 + 4, height / 2 - 5),
    ]
    paint = Paint(colour, mixed(colour, (120, 90, 60), 0.16), depth=5, shine=0.5, shade=0.35)
    canvas.put(turned(corners, angle), at, paint, lift=14)
    fold = [
        (-width / 2 + 12, -height / 2 + 10),
        (width * 0.1, -height / 2 + 14),
        (width * 0.08, height / 2 - 8),
        (-width / 2 + 14, height / 2 - 12),
    ]
    canvas.put(
        turned(fold, angle), at, paint.but(colour=mixed(colour, (255, 255, 255), 0.25)), lift=9
    )


def glass(canvas: Canvas, at: Point, radius: float, drink: Colour) -> None:
    """A filled glass from above."""
    clear = Paint(rgb("d9d4c8"), depth=5, shine=1, shade=0.5)
    canvas.shadow(polygon(oval(radius)), at, 30, 0.4)
    canvas.put(oval(radius), at, clear, lift=8)
    canvas.put(oval(radius * 0.88), at, Paint(mixed(drink, (20, 5, 5), 0.45), depth=6), lift=0)
    canvas.put(oval(radius * 0.8), at, Paint(drink, depth=16, shine=0.3, shade=0.6), lift=0)
    bow = tapered(
        arc(radius * 0.66, 190, 265), [3 + 9 * math.sin(math.pi * i / 24) for i in range(25)]
    )
    canvas.glaze(bow, at, (255, 255, 255), alpha=0.65, soft=1.5)


def dish_of(
    canvas: Canvas, at: Point, radius: float, glaze: Colour, filling: Colour, *, gloss: float = 0.3
) -> None:
    """A small bowl of sauce or spice at the side."""
    opening = bowl(canvas, radius, glaze, at=at, wall=0.16)
    paint = Paint(filling, mixed(filling, (30, 10, 5), 0.3), depth=10, shine=0.3, gloss=gloss)
    canvas.put(oval(opening * 0.9), at, paint, lift=0)


def crumbs(
    canvas: Canvas, at: Point, spread: float, colours: list[Colour], count: int, size: float = 4
) -> None:
    """Salt, seeds or crumbs fallen beside the dish."""
    rng = canvas.rng
    pieces = []
    for _ in range(min(count, 18)):
        s = rng.uniform(0.4, 1) * size
        grain = [(-s, -s * 0.6), (s * 0.8, -s * 0.7), (s, s * 0.6), (-s * 0.7, s * 0.8)]
        paint = Paint(rng.choice(colours), depth=1.5)
        pieces.append(canvas.piece(grain, paint, lift=2, angle=rng.uniform(0, 180)))
    canvas.sprinkle(
        pieces, [(rng.gauss(at[0], spread), rng.gauss(at[1], spread * 0.7)) for _ in range(count)]
    )

"""What lies on more than one dish: leaves, slices, seeds, strands, sauces."""

import math
from collections.abc import Callable, Sequence

from apps.admin_ops.demo.plates.brush import (
    CENTRE,
    Canvas,
    Colour,
    Paint,
    Point,
    arc,
    around,
    blob,
    inside_disc,
    mixed,
    oval,
    rgb,
    tapered,
    turned,
    varied,
    wedge,
)

KINDS = 24  # so many different grains of one kind are enough for the eye
BASIL = rgb("3f7d2c")
PARSLEY = rgb("4d8f35")
LIME = rgb("8fb43a")
TOMATO = rgb("c62f1d")
PARMESAN = Paint(rgb("f2e0ae"), rgb("fff6d8"), depth=3, shine=0.6, shade=0.4)
CRUMBLED = Paint(rgb("f8f2e4"), rgb("e2d6be"), depth=4, shine=0.7, shade=0.4)


# --- leaves ---------------------------------------------------------------------------------------
def leaf(
    canvas: Canvas,
    at: Point,
    length: float,
    angle: float,
    colour: Colour = BASIL,
    broad: float = 0.52,
) -> None:
    """One leaf with a vein, a little cupped: light on one half, dark on the other."""
    steps = 20
    path = [
        ((step / steps - 0.5) * length, math.sin(step / steps * math.pi) * length * 0.05)
        for step in range(steps + 1)
    ]
    widths = [
        length * broad * math.sin(math.pi * (step / steps) ** 0.8) ** 0.85 + 1
        for step in range(steps + 1)
    ]
    green = varied(colour, canvas.rng, 0.14)
    paint = Paint(
        green,
        mixed(green, rgb("a8c95a"), 0.35),
        depth=length * 0.05 + 1,
        shine=0.5,
        shade=0.6,
        gloss=0.16,
    )
    canvas.put(turned(tapered(path, widths), angle), at, paint, lift=5)
    half = [(x, y - w * 0.22) for (x, y), w in zip(path, widths, strict=True)]
    canvas.glaze(
        turned(tapered(half, [w * 0.36 for w in widths]), angle),
        at,
        mixed(green, rgb("d9ec9a"), 0.6),
        alpha=0.4,
        soft=length * 0.02,
    )
    vein = tapered(path[1:-1], [2.4 - 1.6 * step / steps for step in range(steps - 1)])
    canvas.glaze(turned(vein, angle), at, mixed(green, rgb("e4f2b4"), 0.6), alpha=0.8)


def basil(canvas: Canvas, at: Point, size: float = 78, angle: float | None = None) -> None:
    """A sprig: two leaves and a small one between them."""
    turn = canvas.rng.uniform(0, 360) if angle is None else angle
    for spread, part in ((-52, 0.86), (58, 1.0), (4, 0.68)):
        where = around(size * 0.42 * part, turn + spread, at)
        leaf(canvas, where, size * part, turn + spread, broad=0.58)


def herb(canvas: Canvas, at: Point, size: float = 30, colour: Colour = PARSLEY) -> None:
    """Parsley or coriander: a few small lobed leaves on a thin stem."""
    turn = canvas.rng.uniform(0, 360)
    stem = [around(size * step / 3, turn + 180 + step * 6, at) for step in range(5)]
    canvas.strokes([stem], width=3, paint=Paint(mixed(colour, rgb("c6d68a"), 0.4)), lift=2)
    for spread in (-70, 0, 70):
        middle = around(size * 0.62, turn + spread, at)
        for lobe in (-48, 0, 48):
            leaf(
                canvas,
                around(size * 0.22, turn + spread + lobe, middle),
                size * 0.62,
                turn + spread + lobe,
                colour,
                broad=0.62,
            )


def chopped(
    canvas: Canvas,
    count: int,
    radius: float,
    *,
    colour: Colour = PARSLEY,
    at: Point = CENTRE,
    size: float = 6,
) -> None:
    """Herbs cut fine and strewn."""
    pieces = []
    for _ in range(min(count, KINDS)):
        shape = blob(
            canvas.rng,
            size * canvas.rng.uniform(0.4, 1.1),
            size * canvas.rng.uniform(0.3, 0.7),
            wobble=0.35,
        )
        green = Paint(varied(colour, canvas.rng, 0.2), depth=1.5, shine=0.4)
        pieces.append(canvas.piece(shape, green, lift=2, angle=canvas.rng.uniform(0, 180)))
    canvas.sprinkle(pieces, [inside_disc(canvas.rng, radius, at) for _ in range(count)])


# --- slices ---------------------------------------------------------------------------------------
def citrus(
    canvas: Canvas, at: Point, radius: float, colour: Colour = LIME, rind: Colour | None = None
) -> None:
    """A round slice of lime, lemon or orange."""
    rind = rind or mixed(colour, rgb("2f5a14"), 0.4)
    canvas.put(oval(radius), at, Paint(rind, depth=4, shine=0.5), lift=6)
    canvas.put(oval(radius * 0.92), at, Paint(mixed(colour, (255, 255, 240), 0.8), depth=3), lift=0)
    flesh = Paint(
        colour, mixed(colour, (255, 255, 220), 0.5), depth=4, shine=0.6, shade=0.35, gloss=0.5
    )
    start = canvas.rng.uniform(0, 45)
    for segment in range(8):
        angle = start + segment * 45
        piece = wedge(radius * 0.74, -18.5, 18.5)
        shifted = [(x - radius * 0.42, y) for x, y in piece]
        canvas.put(turned(shifted, angle), around(radius * 0.50, angle, at), flesh, lift=0)


def wedge_of_citrus(
    canvas: Canvas, at: Point, size: float, angle: float, colour: Colour = LIME
) -> None:
    """A wedge lying on its rind."""
    rind = mixed(colour, rgb("2f5a14"), 0.4)
    crescent = tapered(
        arc(size, 20, 160), [2 + size * 0.75 * math.sin(math.pi * i / 24) for i in range(25)]
    )
    moved = [(x, y - size * 0.75) for x, y in crescent]
    canvas.put(turned(moved, angle), at, Paint(rind, depth=6, shine=0.7, gloss=0.2), lift=9)
    inner = [(x * 0.9, y * 0.72 - size * 0.07) for x, y in moved]
    canvas.put(
        turned(inner, angle),
        at,
        Paint(
            mixed(colour, (255, 255, 210), 0.35),
            mixed(colour, (255, 255, 230), 0.7),
            depth=4,
            gloss=0.4,
        ),
        lift=0,
    )


def ring(
    canvas: Canvas,
    at: Point,
    radius: float,
    colour: Colour,
    *,
    thick: float = 0.4,
    inner: Colour | None = None,
) -> None:
    """A cut ring: spring onion, chilli, onion."""
    canvas.put(
        blob(canvas.rng, radius, radius * canvas.rng.uniform(0.8, 1), wobble=0.04),
        at,
        Paint(colour, depth=2, shine=0.6, shade=0.5),
        lift=3,
    )
    hole = mixed(colour, (20, 30, 5), 0.5) if inner is None else inner
    canvas.put(
        oval(radius * (1 - thick), radius * (1 - thick) * 0.9), at, Paint(hole, depth=2), lift=0
    )


def spring_onions(
    canvas: Canvas, count: int, radius: float, at: Point = CENTRE, size: float = 9
) -> None:
    for _ in range(count):
        green = mixed(rgb("4f9a35"), rgb("d9ebb4"), canvas.rng.random() ** 2)
        ring(
            canvas,
            inside_disc(canvas.rng, radius, at),
            size * canvas.rng.uniform(0.6, 1.1),
            green,
            thick=0.42,
        )


def radish(canvas: Canvas, at: Point, radius: float) -> None:
    """A thin white slice with a pink edge."""
    shape = blob(canvas.rng, radius, wobble=0.05)
    canvas.put(shape, at, Paint(rgb("c2264c"), depth=2, shine=0.5), lift=4)
    inside = [(x * 0.88, y * 0.88) for x, y in shape]
    canvas.put(
        inside, at, Paint(rgb("fbf3ee"), rgb("f1dcdc"), depth=3, shine=0.5, gloss=0.35), lift=0
    )


def tomato_slice(canvas: Canvas, at: Point, radius: float, colour: Colour = TOMATO) -> None:
    canvas.put(
        blob(canvas.rng, radius, wobble=0.05),
        at,
        Paint(colour, depth=5, shine=0.5, shade=0.55),
        lift=8,
    )
    canvas.put(
        blob(canvas.rng, radius * 0.9, wobble=0.05),
        at,
        Paint(mixed(colour, rgb("f08a60"), 0.45), depth=3, gloss=0.3),
        lift=0,
    )
    start = canvas.rng.uniform(0, 60)
    for part in range(5):
        angle = start + part * 72
        where = around(radius * 0.5, angle, at)
        canvas.put(
            blob(canvas.rng, radius * 0.27, radius * 0.2, wobble=0.2),
            where,
            Paint(mixed(colour, rgb("e8a04a"), 0.3), depth=4, shine=0.4, gloss=0.6),
            lift=0,
            angle=angle + 90,
        )
        for _ in range(4):
            seed = inside_disc(canvas.rng, radius * 0.17, where)
            canvas.put(oval(4.4, 2.6), seed, Paint(rgb("f3d99a"), depth=1.5), lift=0, angle=angle)


def half_egg(canvas: Canvas, at: Point, size: float, angle: float) -> None:
    """A soft-boiled, soy-marinated egg: its yolk still runs."""
    shape = [(x * (1 + y / (size * 5)), y) for x, y in oval(size * 0.74, size)]
    canvas.put(turned(shape, angle), at, Paint(rgb("b98350"), depth=5), lift=11)
    white = [(x * 0.93, y * 0.93) for x, y in shape]
    canvas.put(
        turned(white, angle),
        at,
        Paint(rgb("f7efe0"), rgb("ead9bd"), depth=9, shine=0.7, shade=0.4),
        lift=0,
    )
    middle = around(size * 0.1, angle + 90, at)
    canvas.put(
        oval(size * 0.47),
        middle,
        Paint(rgb("e58a12"), rgb("f4b02e"), depth=9, shine=0.6, shade=0.5),
        lift=0,
    )
    canvas.put(
        oval(size * 0.38),
        middle,
        Paint(rgb("d96f0a"), rgb("f09a1e"), depth=7, shine=0.35, gloss=0.35),
        lift=0,
    )
    canvas.glaze(
        oval(size * 0.1, size * 0.06),
        (middle[0] - size * 0.15, middle[1] - size * 0.17),
        (255, 250, 230),
        alpha=0.85,
        soft=1.5,
    )


# --- strewn and poured ----------------------------------------------------------------------------
def shavings(
    canvas: Canvas, count: int, radius: float, *, at: Point = CENTRE, size: float = 46
) -> None:
    """Parmesan off the plane, curled."""
    for _ in range(count):
        bow = arc(size * canvas.rng.uniform(0.5, 1), 0, canvas.rng.uniform(60, 120))
        middle_x, middle_y = sum(x for x, _ in bow) / len(bow), sum(y for _, y in bow) / len(bow)
        path = [(x - middle_x, y - middle_y) for x, y in bow]
        widths = [
            4 + size * 0.34 * math.sin(math.pi * i / (len(path) - 1)) for i in range(len(path))
        ]
        canvas.put(
            turned(tapered(path, widths), canvas.rng.uniform(0, 360)),
            inside_disc(canvas.rng, radius, at),
            PARMESAN,
            lift=5,
        )


def strewn(
    canvas: Canvas,
    count: int,
    radius: float,
    paint: Paint,
    *,
    size: float,
    at: Point = CENTRE,
    long: float = 1.0,
    wobble: float = 0.14,
) -> None:
    """Pieces of one kind anywhere in a disc: `long` is how much longer than wide they are."""
    pieces = []
    for _ in range(min(count, KINDS)):
        part = size * canvas.rng.uniform(0.7, 1.15)
        shape = blob(canvas.rng, part * long**0.5, part / long**0.5, wobble=wobble)
        kind = paint.but(colour=varied(paint.colour, canvas.rng, 0.08))
        pieces.append(canvas.piece(shape, kind, lift=size * 0.35, angle=canvas.rng.uniform(0, 180)))
    canvas.sprinkle(pieces, [inside_disc(canvas.rng, radius, at) for _ in range(count)])


def rice(
    canvas: Canvas,
    radius: float,
    paint: Paint,
    *,
    at: Point = CENTRE,
    count: int = 900,
    size: float = 8,
) -> None:
    """Grains heaped: the same few grains, turned and laid a great many times."""
    canvas.put(
        blob(canvas.rng, radius, wobble=0.03),
        at,
        paint.but(depth=22, colour=mixed(paint.colour, (90, 50, 20), 0.25)),
        lift=12,
    )
    strewn(
        canvas, count, radius * 0.97, paint.but(depth=2.4), size=size, at=at, long=2.1, wobble=0.08
    )


def drizzle(canvas: Canvas, path: Sequence[Point], width: float, paint: Paint) -> None:
    """A thread of sauce, thicker where the spoon slowed down."""
    widths = [width * canvas.rng.uniform(0.6, 1.2) for _ in path]
    smooth = [
        sum(widths[max(0, i - 2) : i + 3]) / len(widths[max(0, i - 2) : i + 3])
        for i in range(len(path))
    ]
    middle = (sum(x for x, _ in path) / len(path), sum(y for _, y in path) / len(path))
    moved = [(x - middle[0], y - middle[1]) for x, y in path]
    canvas.put(tapered(moved, smooth), middle, paint, lift=2)


def zigzag(
    canvas: Canvas,
    radius: float,
    rows: int,
    width: float,
    paint: Paint,
    *,
    at: Point = CENTRE,
    angle: float = 0,
) -> None:
    """Sauce squeezed to and fro across a disc."""
    points: list[Point] = []
    for row in range(rows + 1):
        y = (row / rows * 2 - 1) * radius * 0.92
        reach = math.sqrt(max(0, radius**2 - y**2)) * 0.96
        side = 1 if row % 2 else -1
        points.append((side * reach, y))
    dense: list[Point] = []
    for (x0, y0), (x1, y1) in zip(points, points[1:], strict=False):
        dense += [
            (
                x0 + (x1 - x0) * t / 14,
                y0 + (y1 - y0) * (t / 14) ** 1.6 + math.sin(t / 14 * math.pi) * 4,
            )
            for t in range(14)
        ]
    moved = [(x + at[0], y + at[1]) for x, y in turned(dense, angle)]
    canvas.strokes([moved], width=width, paint=paint, lift=3)


def pools(
    canvas: Canvas, count: int, radius: float, paint: Paint, *, size: float = 16, at: Point = CENTRE
) -> None:
    """Round eyes of fat or drops of oil on a surface."""
    for _ in range(count):
        part = size * canvas.rng.uniform(0.25, 1)
        where = inside_disc(canvas.rng, radius, at)
        canvas.glaze(oval(part), where, paint.colour, alpha=0.35)
        canvas.glaze(
            oval(part * 0.82), where, mixed(paint.colour, (255, 240, 190), 0.35), alpha=0.35
        )
        canvas.glaze(
            oval(part * 0.2, part * 0.12),
            (where[0] - part * 0.4, where[1] - part * 0.42),
            (255, 252, 240),
            alpha=0.8,
        )


def swirl(
    canvas: Canvas, radius: float, strands: int, *, at: Point = CENTRE, turns: float = 0.55
) -> list[list[Point]]:
    """Paths of noodles wound with a fork: bows of many sizes, the outer ones first."""
    paths = []
    for index in range(strands):
        part = 1 - index / strands
        size = radius * (0.18 + 0.8 * part) * canvas.rng.uniform(0.9, 1.04)
        size = min(size, radius * 0.97)
        start = canvas.rng.uniform(0, 360)
        sweep = 360 * turns * canvas.rng.uniform(0.7, 1.3)
        shift = (
            at[0] + canvas.rng.gauss(0, radius * 0.035),
            at[1] + canvas.rng.gauss(0, radius * 0.035),
        )
        drift = canvas.rng.uniform(-0.22, 0.1)
        waves = canvas.rng.uniform(0, math.tau)
        path = []
        for step in range(40):
            t = step / 39
            reach = size * (1 + drift * t) * (1 + 0.02 * math.sin(t * 9 + waves))
            path.append(around(reach, start + sweep * t, shift))
        paths.append(path)
    return paths


def waves(
    canvas: Canvas, radius: float, strands: int, *, at: Point = CENTRE, angle: float = 0
) -> list[list[Point]]:
    """Paths of noodles folded side by side, as ramen lie in the broth."""
    paths = []
    for _ in range(strands):
        y = canvas.rng.uniform(-radius * 0.8, radius * 0.8)
        reach = math.sqrt(max(1.0, radius**2 - y**2)) * canvas.rng.uniform(0.7, 0.98)
        height, phase = canvas.rng.uniform(4, 16), canvas.rng.uniform(0, math.tau)
        path = [
            (
                reach * (2 * t / 44 - 1),
                y + height * math.sin(t / 44 * 7 + phase) + 14 * math.sin(t / 44 * math.pi),
            )
            for t in range(45)
        ]
        paths.append([(px + at[0], py + at[1]) for px, py in turned(path, angle)])
    return paths


def around_the_rim(
    count: int,
    radius: float,
    lay: Callable[[Point, float], None],
    *,
    start: float = 0,
    at: Point = CENTRE,
) -> None:
    """Something laid evenly in a circle; `lay` gets each place and its direction."""
    for index in range(count):
        angle = start + 360 * index / count
        lay(around(radius, angle, at), angle)

"""Sakura: dark slate and charred wood, deep glazed bowls, steam-warm colours."""

import math

from apps.admin_ops.demo.plates import garnish as g
from apps.admin_ops.demo.plates import strewn as s
from apps.admin_ops.demo.plates import tables as t
from apps.admin_ops.demo.plates.brush import (
    CENTRE,
    Canvas,
    Paint,
    Point,
    arc,
    around,
    blob,
    inside_disc,
    mixed,
    oval,
    rgb,
    ring_mask,
    tapered,
    turned,
    varied,
)

SLATE = (rgb("23252a"), rgb("50545a"))
CHAR = (rgb("1f1713"), rgb("4a372b"))
NOODLE = Paint(rgb("ecca7c"), rgb("f7e2a8"), shine=0.55, shade=0.5)
NORI = Paint(rgb("16241c"), rgb("2c4030"), depth=2.5, shine=0.4, shade=0.5)
SESAME = Paint(rgb("f2e2ba"), rgb("d9b878"), depth=1.6, shine=0.6)


def _noodles(canvas: Canvas, radius: float, at: Point, angle: float) -> None:
    within = ring_mask(radius)
    canvas.strokes(
        s.waves(canvas, radius * 0.86, 46, at=at, angle=angle),
        width=13,
        paint=NOODLE,
        within=within,
        lift=5,
    )


def _pork(canvas: Canvas, at: Point, size: float, angle: float) -> None:
    """A slice of rolled pork belly: a spiral of meat and fat, torched at the edge."""
    canvas.put(
        blob(canvas.rng, size, size * 0.92, wobble=0.04),
        at,
        Paint(rgb("7d4526"), rgb("57290f"), depth=6, shine=0.4),
        lift=11,
    )
    meat = Paint(rgb("c98a63"), rgb("dba986"), depth=6, shine=0.4, shade=0.4, gloss=0.35)
    canvas.put(blob(canvas.rng, size * 0.92, size * 0.84, wobble=0.05), at, meat, lift=0)
    for start, end, part in ((0, 250, 0.66), (40, 330, 0.4), (190, 360, 0.82)):
        path = [
            around(size * (part - 0.16 * i / 30), angle + start + (end - start) * i / 30, at, 0.92)
            for i in range(31)
        ]
        canvas.strokes(
            [path],
            width=size * 0.13,
            paint=Paint(rgb("f3dcc0"), rgb("fbeedd"), shine=0.5, shade=0.05),
            lift=0,
        )
    for _ in range(9):
        canvas.glaze(
            blob(canvas.rng, 12, 6, wobble=0.2),
            around(size * canvas.rng.uniform(0.6, 0.95), canvas.rng.uniform(0, 360), at),
            rgb("3a1808"),
            alpha=0.5,
            soft=3,
        )


def _nori(canvas: Canvas, at: Point, angle: float) -> None:
    sheet = [(-92.0, -62.0), (90.0, -64.0), (92.0, 60.0), (-90.0, 64.0)]
    canvas.put(turned(sheet, angle), at, NORI, lift=12)
    for row in range(7):
        y = -50 + row * 17
        line = tapered([(-86.0, y), (86.0, y + 2)], [2.0, 2.0])
        middle = turned([(0.0, y)], angle)[0]
        flat = [(x, v - y) for x, v in line]
        canvas.glaze(
            turned(flat, angle), (at[0] + middle[0], at[1] + middle[1]), rgb("4c6650"), alpha=0.28
        )


def _narutomaki(canvas: Canvas, at: Point, size: float) -> None:
    edge = [
        (
            math.cos(a / 60 * math.tau) * size * (1 + 0.05 * math.cos(a / 60 * math.tau * 12)),
            math.sin(a / 60 * math.tau) * size * (1 + 0.05 * math.cos(a / 60 * math.tau * 12)),
        )
        for a in range(60)
    ]
    canvas.put(edge, at, Paint(rgb("fbf5ec"), rgb("eee0d4"), depth=6, shine=0.6), lift=8)
    path = [around(size * (0.12 + 0.55 * i / 40), 30 + 520 * i / 40, at) for i in range(41)]
    canvas.strokes(
        [path], width=size * 0.17, paint=Paint(rgb("e07a9c"), shine=0.2, shade=0.05), lift=0
    )


def tonkotsu(canvas: Canvas) -> None:
    """Tonkotsu ramen: pork, egg, nori, spring onions."""
    t.wood(canvas, *CHAR)
    t.chopsticks(canvas, (1072, 470), 11)
    t.dish_of(canvas, (120, 150), 96, rgb("e9dfca"), rgb("b8331a"))
    opening = t.bowl(canvas, 382, rgb("26303f"), inside=rgb("efe3c8"), speckles=rgb("c9b58a"))
    _nori(canvas, (806, 236), 34)
    _nori(canvas, (756, 196), 20)
    radius = opening * 0.93
    t.liquid(canvas, radius, rgb("e6c58e"), rgb("d4a868"))
    s.pools(canvas, 70, radius * 0.92, Paint(rgb("d99a45")), size=15)
    _noodles(canvas, radius * 0.86, (600, 466), -18)
    s.pools(canvas, 16, radius * 0.6, Paint(rgb("dca050")), size=15)
    _pork(canvas, (436, 350), 102, 20)
    _pork(canvas, (420, 510), 98, 150)
    g.half_egg(canvas, (596, 292), 84, -12)
    g.half_egg(canvas, (724, 358), 84, 40)
    s.strewn(
        canvas,
        40,
        74,
        Paint(rgb("4a3424"), rgb("2a1c12"), depth=3, gloss=0.4),
        size=13,
        at=(736, 534),
        long=3.6,
    )
    _narutomaki(canvas, (566, 630), 54)
    g.spring_onions(canvas, 74, 88, (606, 470), 13)
    s.strewn(canvas, 70, 250, SESAME, size=5, long=1.6)
    chilli = [around(40, a, (640, 470), 0.5) for a in range(0, 200, 8)]
    canvas.strokes(
        [
            [
                (x + canvas.rng.gauss(0, 14), y + canvas.rng.gauss(0, 12))
                for x, y in chilli[i : i + 9]
            ]
            for i in range(0, 16, 3)
        ],
        width=2.4,
        paint=Paint(rgb("b3201a")),
        lift=2,
    )


def miso(canvas: Canvas) -> None:
    """Spicy miso ramen with sweetcorn, minced pork and chilli oil."""
    t.stone(canvas, *SLATE)
    t.chopsticks(canvas, (136, 480), -9, rgb("2a211c"))
    t.spoon(canvas, (1090, 500), 8, rgb("3a2a24"))
    opening = t.bowl(canvas, 384, rgb("8a2a1a"), inside=rgb("2c1712"))
    radius = opening * 0.94
    t.liquid(canvas, radius, rgb("c8642a"), rgb("a8431a"))
    s.pools(canvas, 120, radius * 0.93, Paint(rgb("d8401a")), size=18)
    _noodles(canvas, radius * 0.84, (590, 470), 24)
    s.pools(canvas, 30, radius * 0.66, Paint(rgb("d8401a")), size=16)
    mince = Paint(rgb("7a4326"), rgb("a5673c"), depth=4, shine=0.4, shade=0.6, gloss=0.5)
    s.strewn(canvas, 150, 104, mince, size=17, at=(600, 436))
    corn = Paint(rgb("f4bf2c"), rgb("ffdf6a"), depth=5, shine=0.7, shade=0.5, gloss=0.3)
    s.strewn(canvas, 62, 84, corn, size=15, at=(420, 560), long=1.3)
    sprouts = []
    for _ in range(34):
        x, y = inside_disc(canvas.rng, 86, (780, 392))
        turn, size = canvas.rng.uniform(0, 360), canvas.rng.uniform(40, 70)
        sprouts.append([(x + px, y + py) for px, py in turned(arc(size, 0, 70), turn)])
    canvas.strokes(
        sprouts,
        width=8,
        paint=Paint(rgb("f4ecd8"), rgb("dfd2b0"), shine=0.6),
        lift=4,
        within=ring_mask(radius * 0.9),
    )
    g.half_egg(canvas, (742, 590), 88, 62)
    for turn in (196, 212, 228, 244, 260):
        spinach = rgb("3f7a30") if turn % 3 else rgb("4f8f3c")
        g.leaf(canvas, around(172, turn), 128, turn + canvas.rng.uniform(50, 120), spinach, 0.5)
    g.spring_onions(canvas, 66, 76, (606, 432), 12)
    for _ in range(16):
        g.ring(
            canvas, inside_disc(canvas.rng, 210), 11, rgb("c41e16"), thick=0.35, inner=rgb("f0b89a")
        )
    s.strewn(canvas, 60, 230, SESAME, size=5, long=1.6)


def chirashi(canvas: Canvas) -> None:
    """Chirashi: salmon, tuna, omelette and cucumber on seasoned rice."""
    t.linen(canvas, rgb("3a4450"))
    t.chopsticks(canvas, (1080, 460), 9)
    t.dish_of(canvas, (128, 740), 92, rgb("f0ebe0"), rgb("2a140c"))
    opening = t.bowl(canvas, 374, rgb("1d1a1a"), inside=rgb("7d1a16"), wall=0.08)
    s.rice(
        canvas,
        opening * 0.9,
        Paint(rgb("faf6ec"), rgb("efe6d4"), shine=0.5, shade=0.16),
        count=1700,
        size=8,
    )

    def fish(
        at: Point, angle: float, colour: tuple[int, int, int], line: tuple[int, int, int]
    ) -> None:
        shape = [
            (x, y * (1 - 0.12 * math.sin(x / 90)))
            for x, y in blob(canvas.rng, 122, 60, wobble=0.04)
        ]
        canvas.put(
            turned(shape, angle),
            at,
            Paint(colour, mixed(colour, (255, 230, 210), 0.25), depth=8, shine=0.6, gloss=0.35),
            lift=10,
        )
        for stripe in range(-3, 4):
            bow = arc(84, 232, 308)
            path = [(x * 0.55 + stripe * 32, y + 70) for x, y in bow]
            inside = [(x, y) for x, y in path if (x / 114) ** 2 + (y / 50) ** 2 < 1]
            if len(inside) > 3:
                placed = [(x + at[0], y + at[1]) for x, y in turned(inside, angle)]
                canvas.strokes([placed], width=4.4, paint=Paint(line, shine=0.3, shade=0), lift=0)

    for index in range(4):
        fish((416 + index * 16, 286 + index * 66), -24, rgb("f08a5a"), rgb("fbd3b6"))
    for index in range(3):
        fish((636 + index * 46, 572 + index * 26), 34, rgb("b02434"), rgb("d05a5a"))
    omelette = Paint(rgb("f6cf4e"), rgb("fbe28a"), depth=7, shine=0.6)
    for index in range(4):
        brick = [(-58.0, -32.0), (58.0, -32.0), (58.0, 32.0), (-58.0, 32.0)]
        at = (652.0 + index * 46, 262.0 + index * 46)
        canvas.put(turned(brick, 50), at, omelette, lift=10)
        canvas.glaze(
            turned(tapered([(-54.0, 3.0), (54.0, 1.0)], [3, 3]), 50),
            at,
            rgb("b5761e"),
            alpha=0.5,
            soft=1,
        )
    for index in range(9):
        at = around(204, 96 + index * 9, (600, 450))
        canvas.put(oval(42), at, Paint(rgb("3d7a32"), depth=3), lift=5)
        canvas.put(
            oval(37), at, Paint(rgb("d6ebb4"), rgb("b8d890"), depth=4, shine=0.5, gloss=0.3), lift=0
        )
    canvas.put(
        blob(canvas.rng, 70, wobble=0.06), (600, 440), Paint(rgb("b83a10"), depth=16), lift=6
    )
    roe = Paint(rgb("e8511a"), rgb("ff8a3a"), depth=3.4, shine=0.9, shade=0.6)
    for _ in range(120):
        canvas.put(
            oval(canvas.rng.uniform(8, 11)), inside_disc(canvas.rng, 74, (600, 440)), roe, lift=3
        )
    wasabi = Paint(rgb("a9c46a"), rgb("8aab4a"), depth=9, shine=0.5)
    canvas.put(blob(canvas.rng, 34, wobble=0.14), (820, 500), wasabi, lift=9)
    for angle in (250, 274):
        g.leaf(canvas, around(226, angle), 124, angle - 30, rgb("4f8f3c"), 0.7)
    s.strewn(canvas, 60, 280, Paint(rgb("1d1714"), depth=1.4), size=4.4, long=1.6)


def gyoza(canvas: Canvas) -> None:
    """Pan-fried gyoza with their crisp side up."""
    t.stone(canvas, *SLATE)
    t.chopsticks(canvas, (1086, 470), 7, rgb("7a2418"))
    t.plate(canvas, 380, rgb("d9d4c6"), well=0.78, speckles=rgb("6a5f50"))
    dough = Paint(rgb("f1dfb8"), rgb("e2c48a"), depth=11, shine=0.6, shade=0.45)
    crisp = Paint(rgb("b8702a"), rgb("8a4614"), depth=7, shine=0.4, shade=0.5, gloss=0.4)
    t.dish_of(canvas, (600, 450), 92, rgb("2d3a48"), rgb("3a1a0e"))
    canvas.strokes(
        [[around(40 + i, a, (600, 450)) for i in range(4)] for a in range(0, 360, 40)],
        width=2.6,
        paint=Paint(rgb("c2321a")),
        lift=0,
    )

    def dumpling(at: Point, angle: float) -> None:
        body = [
            (x, y * (0.78 if y < 0 else 0.52)) for x, y in blob(canvas.rng, 100, 84, wobble=0.03)
        ]
        canvas.put(turned(body, angle + 90), at, dough, lift=15)
        for pleat in range(-3, 4):
            rib = tapered([(pleat * 22.0, -52 + abs(pleat) * 7.0), (pleat * 18.0, -22.0)], [13, 4])
            middle = (pleat * 20.0, -37 + abs(pleat) * 3.0)
            flat = [(x - middle[0], y - middle[1]) for x, y in rib]
            offset = turned([middle], angle + 90)[0]
            canvas.put(
                turned(flat, angle + 90),
                (at[0] + offset[0], at[1] + offset[1]),
                dough.but(depth=4),
                lift=3,
            )
        seared = [(x * 0.8, y * 0.62 + 12) for x, y in body]
        canvas.put(turned(seared, angle + 90), at, crisp, lift=0)

    s.around_the_rim(8, 205, dumpling, start=10)
    g.spring_onions(canvas, 60, 250, size=9)
    s.strewn(canvas, 90, 260, SESAME, size=5, long=1.6)
    s.strewn(canvas, 40, 260, Paint(rgb("1d1714"), depth=1.4), size=4.6, long=1.6)
    for index in range(5):
        g.radish(canvas, (150 + index * 26, 150 - index * 14), 40)


def yakitori(canvas: Canvas) -> None:
    """Chicken and leek skewers, glazed over charcoal."""
    t.wood(canvas, *CHAR)
    t.board(canvas, 860, 640, rgb("5a3a26"), rgb("8f6542"))
    chicken = Paint(rgb("a9581f"), rgb("d08a3e"), depth=10, shine=0.55, shade=0.6, gloss=0.55)
    leek = Paint(rgb("d9e0a4"), rgb("f0eed0"), depth=7, shine=0.6, shade=0.5, gloss=0.3)
    for row in range(4):
        y = 226 + row * 146
        lean = canvas.rng.uniform(-3, 3)
        stick = [(-420.0, 0.0), (400.0, 0.0)]
        canvas.strokes(
            [[(px + 590, py + y) for px, py in turned(stick, lean)]],
            width=9,
            paint=Paint(rgb("d9b777"), shine=0.6),
            lift=8,
        )
        x = -258
        for piece in range(7):
            at_x, at_y = turned([(x + 42.0, 0.0)], lean)[0]
            at = (600.0 + at_x, y + at_y)
            if piece % 2:
                barrel = [
                    (-28.0, -44.0),
                    (28.0, -44.0),
                    (30.0, 0.0),
                    (28.0, 44.0),
                    (-28.0, 44.0),
                    (-30.0, 0.0),
                ]
                canvas.put(turned(barrel, lean), at, leek, lift=10)
                canvas.put(
                    oval(14, 40),
                    (at[0] - 8, at[1]),
                    leek.but(colour=rgb("9fb85a"), depth=3),
                    lift=0,
                )
                x += 66
            else:
                cut = blob(canvas.rng, 54, 50, wobble=0.12)
                canvas.put(
                    cut, at, chicken.but(colour=varied(chicken.colour, canvas.rng, 0.12)), lift=13
                )
                x += 92
            for _ in range(2):
                canvas.glaze(
                    blob(canvas.rng, 20, 7, wobble=0.2),
                    (at[0] + canvas.rng.gauss(0, 14), at[1] + canvas.rng.gauss(0, 18)),
                    rgb("2a0f04"),
                    alpha=0.6,
                    soft=4,
                )
    g.spring_onions(canvas, 60, 260, size=9)
    s.strewn(canvas, 110, 290, SESAME, size=5.4, long=1.6)
    g.wedge_of_citrus(canvas, (920, 690), 62, 30, rgb("f0d040"))
    t.dish_of(canvas, (1030, 130), 92, rgb("e9dfca"), rgb("c23a1c"))


def okonomiyaki(canvas: Canvas) -> None:
    """Okonomiyaki with dancing bonito flakes."""
    t.linen(canvas, rgb("d8cdb8"), rgb("8a2a1a"), gap=60)
    t.plate(canvas, 384, rgb("2b2b2e"), well=0.82)
    cake = Paint(rgb("c98a3a"), rgb("8f5518"), depth=20, shine=0.45, shade=0.6)
    canvas.put(blob(canvas.rng, 282, wobble=0.03), CENTRE, cake, lift=20)
    sauce = Paint(rgb("4a1d0c"), rgb("6e3216"), depth=9, shine=0.35, shade=0.4, gloss=0.6)
    canvas.put(blob(canvas.rng, 252, wobble=0.05), CENTRE, sauce, lift=2)
    mayo = Paint(rgb("fbf0cc"), rgb("f2e0ac"), shine=0.7, shade=0.1)
    s.zigzag(canvas, 236, 13, 11, mayo, angle=24)
    s.zigzag(canvas, 236, 13, 11, mayo, angle=-66)
    s.chopped(canvas, 260, 214, colour=rgb("3f7a2e"), size=7)
    flake = Paint(rgb("d9a684"), rgb("f2d3ba"), depth=3, shine=0.7, shade=0.45)
    s.strewn(canvas, 74, 150, flake, size=26, long=2.0, wobble=0.34)
    ginger = [
        [(x + px, y + py) for px, py in turned(arc(26, 0, 90), turn)]
        for x, y, turn in [
            (*inside_disc(canvas.rng, 46, (600, 446)), canvas.rng.uniform(0, 360))
            for _ in range(40)
        ]
    ]
    canvas.strokes(ginger, width=7, paint=Paint(rgb("d8344a"), rgb("ee7a82"), shine=0.5), lift=4)
    g.spring_onions(canvas, 40, 220, size=11)
    t.chopsticks(canvas, (1096, 470), 6, rgb("2a211c"))

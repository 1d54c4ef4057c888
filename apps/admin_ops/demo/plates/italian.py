"""Luigi's Trattoria: warm wood, checked cloth, white plates with a green line."""

import math

from apps.admin_ops.demo.plates import garnish as g
from apps.admin_ops.demo.plates import strewn as s
from apps.admin_ops.demo.plates import tables as t
from apps.admin_ops.demo.plates.brush import (
    CENTRE,
    Canvas,
    Paint,
    around,
    blob,
    inside_disc,
    mixed,
    oval,
    rgb,
    varied,
)

GREEN, TERRACOTTA, CREAM = rgb("2c6a3b"), rgb("b4380a"), rgb("f3eadb")
OAK = (rgb("4f331f"), rgb("9a6c40"))
RAGU = Paint(rgb("8a2f14"), rgb("b5542a"), depth=4, shine=0.4, shade=0.6, gloss=0.5)
TOMATO = Paint(rgb("b93418"), rgb("d65a2a"), depth=6, shine=0.3, shade=0.4, gloss=0.35)


def tagliatelle(canvas: Canvas) -> None:
    """Tagliatelle al ragù."""
    t.wood(canvas, *OAK)
    t.napkin(canvas, (120, 720), 420, 520, -16, rgb("c9543a"))
    t.plate(canvas, rim=GREEN)
    t.fork(canvas, (128, 520), -6)
    t.glass(canvas, (1105, 120), 118, rgb("6d0f1e"))
    pasta = Paint(rgb("e3b65a"), rgb("f2d68c"), shine=0.5, shade=0.5)
    canvas.put(
        blob(canvas.rng, 250, wobble=0.05),
        CENTRE,
        pasta.but(depth=40, colour=rgb("b98a3c")),
        lift=22,
    )
    for angle in (200, 320, 80, 140, 20, 260):
        nest = around(118, angle)
        canvas.strokes(s.swirl(canvas, 160, 44, at=nest, turns=0.5), width=15, paint=pasta, lift=9)
    canvas.strokes(s.swirl(canvas, 185, 46, turns=0.4), width=15, paint=pasta, lift=10)
    canvas.put(blob(canvas.rng, 118, wobble=0.12), CENTRE, RAGU.but(depth=18, gloss=0.2), lift=6)
    s.strewn(canvas, 120, 150, RAGU, size=19)
    canvas.strokes(s.swirl(canvas, 160, 9, turns=0.22), width=14, paint=pasta, lift=6)
    s.strewn(canvas, 50, 105, RAGU, size=17)
    s.strewn(canvas, 10, 90, Paint(rgb("c9622a"), rgb("e08a45"), depth=4, gloss=0.3), size=11)
    s.shavings(canvas, 12, 140)
    g.basil(canvas, (606, 436), 88, -60)
    t.crumbs(canvas, (1010, 760), 60, [rgb("2a2018"), rgb("4a3a2a")], 26)


def osso_buco(canvas: Canvas) -> None:
    """Osso buco on saffron risotto with gremolata."""
    t.linen(canvas, CREAM, TERRACOTTA)
    t.plate(canvas, rim=GREEN, radius=384)
    t.fork(canvas, (112, 470), -3)
    grain = Paint(rgb("e8b53a"), rgb("f6d573"), depth=2.4, shine=0.5, shade=0.5, gloss=0.2)
    s.rice(canvas, 262, grain, count=1100, size=9)
    sauce = Paint(rgb("7a3517"), rgb("a5562a"), depth=9, shine=0.3, shade=0.5, gloss=0.5)
    canvas.put(blob(canvas.rng, 200, 172, wobble=0.05), (608, 458), sauce, lift=6)
    meat = Paint(rgb("7b3d20"), rgb("4c2010"), depth=13, shine=0.4, shade=0.7, gloss=0.35)
    canvas.put(blob(canvas.rng, 162, 138, wobble=0.06), (600, 440), meat, lift=20)
    for angle in range(0, 360, 36):
        turn = angle + canvas.rng.uniform(-10, 10)
        part = blob(canvas.rng, 50, 36, wobble=0.14)
        brown = varied(rgb("8a4826"), canvas.rng, 0.16)
        canvas.put(
            part,
            around(86, turn, (600, 438), 0.82),
            meat.but(colour=brown, depth=8),
            lift=7,
            angle=turn + 90,
        )
    canvas.put(
        blob(canvas.rng, 60, 52, wobble=0.07),
        (596, 432),
        Paint(rgb("f1e4c8"), rgb("d9bf94"), depth=7, shine=0.7),
        lift=9,
    )
    canvas.put(
        blob(canvas.rng, 36, 31, wobble=0.1),
        (597, 433),
        Paint(rgb("8c4a22"), rgb("d08a4a"), depth=9, shine=0.2, shade=0.7, gloss=0.7),
        lift=0,
    )
    s.strewn(
        canvas,
        16,
        150,
        Paint(rgb("d2691e"), rgb("e88a3a"), depth=5, gloss=0.3),
        size=12,
        at=(606, 452),
    )
    s.chopped(canvas, 120, 150, at=(604, 446), size=7)
    s.chopped(canvas, 46, 140, colour=rgb("f0cc3c"), at=(604, 446), size=6)
    g.herb(canvas, (688, 356), 38)
    g.citrus(canvas, (1096, 770), 82, rgb("f2cf3e"), rgb("d9a81e"))
    g.citrus(canvas, (1010, 846), 74, rgb("f2cf3e"), rgb("d9a81e"))


def margherita(canvas: Canvas) -> None:
    """A pizza margherita from the wood oven."""
    t.linen(canvas, CREAM, GREEN)
    t.board(canvas, 880, 830, rgb("7d5230"), rgb("bb8850"))
    crust = Paint(rgb("d79a4a"), rgb("b06a26"), depth=15, shine=0.5, shade=0.55)
    canvas.put(blob(canvas.rng, 366, wobble=0.022), CENTRE, crust, lift=18)
    for _ in range(46):
        char = blob(canvas.rng, canvas.rng.uniform(6, 26), canvas.rng.uniform(5, 14), wobble=0.25)
        angle = canvas.rng.uniform(0, 360)
        shape = [(x, y) for x, y in char]
        canvas.glaze(
            shape, around(canvas.rng.uniform(334, 360), angle), rgb("3a1d0c"), alpha=0.62, soft=4
        )
    canvas.put(blob(canvas.rng, 318, wobble=0.03), CENTRE, TOMATO.but(depth=12), lift=0)
    s.strewn(canvas, 90, 300, TOMATO.but(colour=rgb("a82a12")), size=22)
    cheese = Paint(rgb("fbf1d8"), rgb("f0d9a0"), depth=9, shine=0.55, shade=0.35, gloss=0.4)
    for radius, count in ((232, 9), (112, 5), (0, 1)):

        def melt(at: tuple[float, float], angle: float) -> None:
            size = canvas.rng.uniform(40, 62)
            canvas.put(
                blob(canvas.rng, size * 1.2, size, wobble=0.2), at, cheese, lift=4, angle=angle
            )
            for _ in range(3):
                canvas.glaze(
                    blob(canvas.rng, 13, 8, wobble=0.2),
                    inside_disc(canvas.rng, size * 0.7, at),
                    rgb("b5661e"),
                    alpha=0.6,
                    soft=3,
                )

        s.around_the_rim(count, radius, melt, start=canvas.rng.uniform(0, 60))
    s.pools(canvas, 40, 290, Paint(rgb("e0a02a")), size=12)
    for angle in (20, 95, 150, 215, 285, 330):
        g.basil(canvas, around(canvas.rng.uniform(130, 205), angle), 66)
    g.basil(canvas, (590, 440), 74)


def caprese(canvas: Canvas) -> None:
    """Tomato, mozzarella, basil, oil."""
    t.wood(canvas, rgb("6a4a30"), rgb("b98e62"))
    t.napkin(canvas, (1090, 220), 420, 500, 15, rgb("e9dcc4"))
    t.plate(canvas, rim=GREEN, well=0.76)
    t.fork(canvas, (1092, 500), 8)
    canvas.glaze(blob(canvas.rng, 262, wobble=0.06), CENTRE, rgb("c9b23a"), alpha=0.28, soft=6)
    reds = [rgb("c22a1c"), rgb("d2451f"), rgb("b8241f")]

    def pair(at: tuple[float, float], angle: float) -> None:
        g.tomato_slice(canvas, at, 88, canvas.rng.choice(reds))
        beside = around(30, angle + 100, at)
        white = Paint(rgb("fdf8ec"), rgb("efe4cd"), depth=11, shine=0.75, shade=0.4, gloss=0.3)
        canvas.put(blob(canvas.rng, 76, 70, wobble=0.05), beside, white, lift=9)
        g.leaf(canvas, around(24, angle + 130, beside), 74, angle + 60, broad=0.6)

    s.around_the_rim(8, 186, pair, start=12)
    s.around_the_rim(3, 58, pair, start=50)
    g.basil(canvas, (600, 448), 92, -90)
    s.pools(canvas, 60, 270, Paint(rgb("b3952a")), size=13)
    t.crumbs(canvas, CENTRE, 120, [rgb("2a221c"), rgb("fbf7f0")], 90, 3)
    for x, y, size in ((140, 720, 92), (60, 600, 70), (236, 826, 76)):
        red = Paint(rgb("c62a18"), rgb("e0632a"), depth=22, shine=0.6, shade=0.6, gloss=0.12)
        canvas.put(blob(canvas.rng, size, wobble=0.03), (x, y), red, lift=18)
        canvas.glaze(
            oval(size * 0.16, size * 0.1),
            (x - size * 0.42, y - size * 0.48),
            (255, 250, 240),
            alpha=0.9,
            soft=3,
        )
        for point in range(5):
            g.leaf(
                canvas,
                around(size * 0.2, point * 72 + 10, (x, y)),
                size * 0.46,
                point * 72 + 10,
                rgb("4b7a2c"),
                0.3,
            )


def tiramisu(canvas: Canvas) -> None:
    """Tiramisù, cut square, cocoa over everything."""
    t.linen(canvas, rgb("efe4d2"))
    t.napkin(canvas, (130, 700), 460, 540, -12, rgb("3d6a48"))
    t.plate(canvas, 366, rim=TERRACOTTA, well=0.74)
    t.spoon(canvas, (1080, 520), 10)
    side = 176
    square = [(-side, -side), (side, -side), (side, side), (-side, side)]
    rounded = [(x * (1 - 0.03 * abs(y) / side), y * (1 - 0.03 * abs(x) / side)) for x, y in square]
    turned_by = 14
    layers = ((26, rgb("f4e6c8")), (18, rgb("8a5a34")), (10, rgb("f7ebd0")), (0, rgb("f9efd8")))
    for drop, colour in layers:
        canvas.put(
            rounded,
            (600 + drop * 0.7, 448 + drop),
            Paint(colour, mixed(colour, rgb("a87a4a"), 0.25), depth=7),
            lift=14 if drop == 26 else 3,
            angle=turned_by,
        )
    cocoa = Paint(rgb("4a2814"), rgb("6a3e22"), depth=5, shine=0.25, shade=0.4)
    canvas.put(
        [(x * 0.985, y * 0.985) for x, y in rounded], (600, 448), cocoa, lift=0, angle=turned_by
    )
    for row in range(4):
        for column in range(4):
            x, y = (column - 1.5) * 84, (row - 1.5) * 84
            cos, sin = math.cos(math.radians(turned_by)), math.sin(math.radians(turned_by))
            dusted = Paint(rgb("55301a"), rgb("7a4c2c"), depth=12, shine=0.35, shade=0.5)
            canvas.put(
                blob(canvas.rng, 37, wobble=0.05),
                (600 + x * cos - y * sin, 448 + x * sin + y * cos),
                dusted,
                lift=5,
            )
    t.crumbs(canvas, (600, 470), 130, [rgb("4a2814"), rgb("6a3e22")], 420, 2.6)
    for at in ((800, 640), (846, 600), (760, 672)):
        bean = Paint(rgb("3a1e10"), rgb("5a3220"), depth=5, shine=0.7, gloss=0.3)
        turn = canvas.rng.uniform(0, 180)
        canvas.put(oval(24, 17), at, bean, lift=6, angle=turn)
        canvas.strokes(
            [[around(20, turn, at), around(20, turn + 180, at)]],
            width=3.4,
            paint=Paint(rgb("1c0d06")),
            lift=0,
        )
    g.leaf(canvas, (676, 352), 74, -20, rgb("5c9a4a"), 0.5)
    g.leaf(canvas, (640, 334), 60, 200, rgb("5c9a4a"), 0.5)

"""Casa Verde: clay tiles, painted plaster, green and white glaze, limes everywhere."""

import math

from apps.admin_ops.demo.plates import garnish as g
from apps.admin_ops.demo.plates import strewn as s
from apps.admin_ops.demo.plates import tables as t
from apps.admin_ops.demo.plates.brush import (
    CENTRE,
    Canvas,
    Paint,
    Point,
    around,
    blob,
    inside_disc,
    oval,
    rgb,
    turned,
    varied,
)

CLAY = [rgb("b8623a"), rgb("c4713f"), rgb("a9552f")]
TALAVERA = [rgb("e9e2d0"), rgb("dfe6dc"), rgb("e4d8c2")]
GLAZE = rgb("e9efe6")
CILANTRO = rgb("4f9a3a")
POMEGRANATE = Paint(rgb("b01330"), rgb("e0405a"), depth=4, shine=0.9, shade=0.6, gloss=0.4)
CREMA = Paint(rgb("fbf6ea"), rgb("ece2cc"), depth=7, shine=0.6, shade=0.35, gloss=0.3)
MASA = Paint(rgb("e6c37c"), rgb("c8964a"), depth=9, shine=0.45, shade=0.5)


def _tortilla(canvas: Canvas, at: Point, radius: float) -> None:
    canvas.put(blob(canvas.rng, radius, wobble=0.02), at, MASA, lift=10)
    for _ in range(16):
        spot = blob(canvas.rng, canvas.rng.uniform(5, 16), canvas.rng.uniform(4, 9), wobble=0.25)
        canvas.glaze(
            spot, inside_disc(canvas.rng, radius * 0.92, at), rgb("6a3a12"), alpha=0.42, soft=3
        )


def _pickled_onions(canvas: Canvas, at: Point, spread: float, count: int) -> None:
    pink = Paint(rgb("d23a78"), rgb("f08ab0"), shine=0.6, shade=0.3)
    paths = []
    for _ in range(count):
        x, y = inside_disc(canvas.rng, spread, at)
        turn, size = canvas.rng.uniform(0, 360), canvas.rng.uniform(18, 34)
        paths.append([around(size, turn + step * 11, (x, y)) for step in range(13)])
    canvas.strokes(paths, width=7, paint=pink, lift=4)


def tacos(canvas: Canvas) -> None:
    """Charred cauliflower tacos with salsa macha."""
    t.tiles(canvas, CLAY, rgb("8d7a68"))
    t.plate(canvas, 392, GLAZE, well=0.84, speckles=rgb("7a8a70"))
    char = Paint(rgb("e0c58a"), rgb("a8702a"), depth=7, shine=0.5, shade=0.65)
    for at in ((470, 350), (730, 352), (600, 582)):
        _tortilla(canvas, at, 158)
        cabbage = Paint(rgb("8a3a78"), rgb("b873a8"), shine=0.6, shade=0.3)
        threads = []
        for _ in range(48):
            x, y = inside_disc(canvas.rng, 112, at)
            turn = canvas.rng.uniform(0, 180)
            threads.append(
                [
                    (x + px, y + py)
                    for px, py in turned([(-26.0, 4.0), (0.0, -5.0), (26.0, 3.0)], turn)
                ]
            )
        canvas.strokes(threads, width=7, paint=cabbage, lift=4)
        for _ in range(13):
            x, y = inside_disc(canvas.rng, 88, at)
            for _ in range(5):
                bud = blob(canvas.rng, 19, wobble=0.16)
                canvas.put(
                    bud,
                    inside_disc(canvas.rng, 22, (x, y)),
                    char.but(colour=varied(char.colour, canvas.rng, 0.16)),
                    lift=6,
                )
            canvas.glaze(
                blob(canvas.rng, 14, 8, wobble=0.3), (x, y), rgb("2c1406"), alpha=0.6, soft=4
            )
        salsa = Paint(rgb("8c1c0c"), rgb("c2401c"), depth=5, shine=0.5, gloss=0.7)
        for _ in range(4):
            canvas.put(
                blob(canvas.rng, 18, 13, wobble=0.25),
                inside_disc(canvas.rng, 70, at),
                salsa,
                lift=2,
            )
        s.strewn(canvas, 18, 96, s.CRUMBLED, size=9, at=at, wobble=0.25)
        _pickled_onions(canvas, at, 56, 7)
        for _ in range(3):
            g.herb(canvas, inside_disc(canvas.rng, 74, at), 26, CILANTRO)
        s.strewn(canvas, 14, 90, Paint(rgb("f2e2ba"), depth=1.6), size=5, at=at, long=1.6)
    for angle, at in ((20, (600, 396)), (150, (800, 560)), (260, (398, 560))):
        g.wedge_of_citrus(canvas, at, 56, angle)
    t.dish_of(canvas, (128, 760), 100, rgb("2f6a48"), rgb("9c2412"), gloss=0.6)


def chiles_en_nogada(canvas: Canvas) -> None:
    """Stuffed poblano under walnut sauce, pomegranate and parsley."""
    t.tiles(canvas, TALAVERA, rgb("b8a88c"), size=240)
    t.napkin(canvas, (116, 240), 440, 520, -13, rgb("2c6a3b"))
    t.plate(canvas, 392, rgb("f8f3e8"), rim=rgb("2a5a8a"), well=0.82)
    t.fork(canvas, (112, 560), -5)
    for lean, at in ((-14, (560, 380)), (-6, (640, 552))):
        pepper = [
            (x, y * (0.72 + 0.34 * math.exp(-(((x - 40) / 130) ** 2)) - 0.18 * (x < -120)))
            for x, y in blob(canvas.rng, 236, 92, wobble=0.03)
        ]
        skin = Paint(rgb("2f5a24"), rgb("1c3a14"), depth=16, shine=0.6, shade=0.7, gloss=0.25)
        canvas.put(pepper, at, skin, lift=20, angle=lean)
        stem = [
            (at[0] + px, at[1] + py)
            for px, py in turned([(206.0, -4.0), (250.0, -10.0), (284.0, -26.0)], lean)
        ]
        canvas.strokes([stem], width=17, paint=Paint(rgb("6a8a3a"), shine=0.5), lift=6)
        sauce = [(x * 0.92 - 26, y) for x, y in blob(canvas.rng, 176, 104, wobble=0.1)]
        canvas.put(sauce, at, CREMA.but(depth=12), lift=5, angle=lean)
        ridge = [(x * 0.8 - 20, y * 0.6 - 6) for x, y in blob(canvas.rng, 170, 74, wobble=0.08)]
        canvas.put(ridge, at, CREMA.but(depth=18, shade=0.2), lift=0, angle=lean)
    seeds = [
        canvas.piece(blob(canvas.rng, 13, 10, wobble=0.12), POMEGRANATE, lift=5, angle=turn)
        for turn in range(0, 180, 15)
    ]
    for at in ((536, 384), (614, 556)):
        canvas.sprinkle(
            seeds, [(canvas.rng.gauss(at[0], 76), canvas.rng.gauss(at[1], 32)) for _ in range(44)]
        )
        s.strewn(
            canvas,
            12,
            110,
            Paint(rgb("b07a44"), rgb("d9ab74"), depth=4),
            size=13,
            at=at,
            wobble=0.3,
        )
        for _ in range(6):
            g.herb(canvas, (canvas.rng.gauss(at[0], 70), canvas.rng.gauss(at[1], 26)), 28)
    canvas.sprinkle(seeds, [inside_disc(canvas.rng, 290) for _ in range(26)])


def pozole(canvas: Canvas) -> None:
    """Green pozole with hominy, radish and avocado."""
    t.stone(canvas, rgb("8a4a2a"), rgb("c98a5a"))
    t.napkin(canvas, (1090, 720), 440, 480, 14, rgb("e9dcc4"))
    t.spoon(canvas, (1086, 470), 6)
    opening = t.bowl(canvas, 384, rgb("7a3a20"), inside=rgb("a85a34"))
    radius = opening * 0.94
    t.liquid(canvas, radius, rgb("8aa63f"), rgb("6a8a2c"))
    s.pools(canvas, 90, radius * 0.92, Paint(rgb("c2cf5a")), size=14)
    hominy = Paint(rgb("f6ecd2"), rgb("dcc998"), depth=8, shine=0.7, shade=0.5)
    s.strewn(canvas, 120, 262, hominy, size=22, wobble=0.2)
    s.strewn(
        canvas, 40, 250, Paint(rgb("5f7f35"), rgb("8aa64f"), depth=7, gloss=0.3), size=24, long=1.6
    )
    for index in range(7):
        slice_of = [(x, y) for x, y in blob(canvas.rng, 26, 74, wobble=0.04)]
        at = (452 + index * 26, 366 - index * 17 + abs(index - 3) * 4)
        canvas.put(slice_of, at, Paint(rgb("3f6a24"), depth=3), lift=7, angle=58 + index * 3)
        inner = [(x * 0.8, y * 0.9) for x, y in slice_of]
        canvas.put(
            inner,
            at,
            Paint(rgb("d9e08a"), rgb("b8cf6a"), depth=6, shine=0.6),
            lift=0,
            angle=58 + index * 3,
        )
    for index in range(8):
        g.radish(canvas, around(150, 10 + index * 15, (610, 470)), 44)
    lettuce = []
    for _ in range(44):
        x, y = inside_disc(canvas.rng, 78, (470, 560))
        turn = canvas.rng.uniform(0, 180)
        lettuce.append(
            [
                (x + px, y + py)
                for px, py in turned([(-40.0, 5.0), (-10.0, -7.0), (14.0, 6.0), (42.0, -4.0)], turn)
            ]
        )
    canvas.strokes(lettuce, width=8, paint=Paint(rgb("b9d67a"), rgb("e4f0bc"), shine=0.6), lift=4)
    s.strewn(
        canvas,
        36,
        120,
        Paint(rgb("f8f0ea"), rgb("d9b8cf"), depth=3),
        size=9,
        at=(620, 450),
        wobble=0.3,
    )
    for at in ((600, 440), (650, 470), (566, 486)):
        g.herb(canvas, at, 38, CILANTRO)
    s.chopped(canvas, 80, 200, colour=rgb("7a3a1a"), size=4)
    g.citrus(canvas, (150, 160), 76)
    g.wedge_of_citrus(canvas, (146, 300), 66, 30)
    g.radish(canvas, (232, 96), 40)


def esquites(canvas: Canvas) -> None:
    """Street corn off the cob: crema, cotija, chilli, lime."""
    t.tiles(canvas, CLAY, rgb("8d7a68"))
    t.napkin(canvas, (1100, 190), 460, 460, 18, rgb("e6b32e"))
    t.spoon(canvas, (108, 480), -7)
    opening = t.bowl(canvas, 366, rgb("2f6a48"), inside=rgb("e9e2d0"))
    corn = Paint(rgb("f2b82a"), rgb("ffdc62"), depth=6, shine=0.75, shade=0.55, gloss=0.25)
    canvas.put(oval(opening * 0.9), CENTRE, corn.but(colour=rgb("b9801a"), depth=30), lift=0)
    s.strewn(canvas, 620, opening * 0.87, corn, size=18, long=1.25)
    charred = Paint(rgb("8a4a12"), rgb("e0a02a"), depth=5, shine=0.5, shade=0.6)
    s.strewn(canvas, 90, opening * 0.86, charred, size=16, long=1.2)
    s.zigzag(canvas, 226, 9, 15, CREMA.but(shade=0.08), angle=28)
    s.strewn(canvas, 190, 190, s.CRUMBLED, size=10, wobble=0.3)
    chilli = Paint(rgb("a81e10"), rgb("d8461e"), depth=1.6)
    s.strewn(canvas, 320, 215, chilli, size=3.4, wobble=0.3)
    for _ in range(9):
        g.herb(canvas, inside_disc(canvas.rng, 160), 28, CILANTRO)
    g.wedge_of_citrus(canvas, (760, 330), 72, -30)
    g.wedge_of_citrus(canvas, (806, 420), 72, 20)
    g.citrus(canvas, (1048, 770), 80)
    g.citrus(canvas, (1124, 690), 70)


def enmoladas(canvas: Canvas) -> None:
    """Enmoladas: tortillas folded in black mole, sesame and crema."""
    t.tiles(canvas, TALAVERA, rgb("b8a88c"), size=240)
    t.napkin(canvas, (1086, 700), 440, 500, 12, rgb("a9352a"))
    t.plate(canvas, 392, rgb("c9683a"), rim=rgb("f0dcb8"), well=0.84)
    t.fork(canvas, (1098, 470), 6)
    mole = Paint(rgb("3c170c"), rgb("6a3018"), depth=10, shine=0.4, shade=0.5, gloss=0.45)
    canvas.put(blob(canvas.rng, 286, 264, wobble=0.06), CENTRE, mole.but(depth=7), lift=2)
    for index, at in enumerate(((470, 340), (620, 400), (520, 520), (690, 570))):
        fold = [
            (math.cos(a / 40 * math.pi) * 166, -math.sin(a / 40 * math.pi) * 128) for a in range(41)
        ]
        shifted = [(x, y + 54) for x, y in fold]
        canvas.put(shifted, at, MASA.but(depth=8), lift=15, angle=-26 + index * 5)
        coat = [(x * 0.97, y * 0.94) for x, y in shifted]
        canvas.put(coat, at, mole.but(depth=14), lift=0, angle=-26 + index * 5)
    s.zigzag(canvas, 190, 7, 12, CREMA.but(shade=0.08), angle=-34, at=(590, 462))
    s.strewn(
        canvas,
        220,
        226,
        Paint(rgb("f2e2ba"), rgb("d9b878"), depth=1.6, shine=0.6),
        size=5.4,
        long=1.6,
    )
    s.strewn(canvas, 40, 170, s.CRUMBLED, size=10, wobble=0.3)
    for at, size in (((560, 420), 66), ((640, 470), 58), ((520, 500), 50)):
        g.ring(canvas, at, size, rgb("f1dce6"), thick=0.16, inner=rgb("4a2012"))
        g.ring(canvas, at, size * 0.68, rgb("f6e8ee"), thick=0.2, inner=rgb("4a2012"))
    for at in ((610, 430), (560, 470), (650, 520), (500, 430)):
        g.herb(canvas, at, 34, CILANTRO)
    t.dish_of(canvas, (128, 150), 92, rgb("2f6a48"), rgb("f6efe0"))


def ensalada(canvas: Canvas) -> None:
    """Jícama, orange and cucumber with chilli and lime."""
    t.stone(canvas, rgb("4a6a54"), rgb("86a488"))
    t.plate(canvas, 388, rgb("f6f0e4"), rim=rgb("e0952a"), well=0.84)
    t.fork(canvas, (112, 480), -4)
    s.strewn(
        canvas,
        26,
        250,
        Paint(rgb("b9d67a"), rgb("6fa045"), depth=8, shine=0.5),
        size=52,
        wobble=0.28,
    )

    def slice_at(at: Point, angle: float) -> None:
        if round(angle) % 2:
            g.citrus(canvas, at, 78, rgb("f08a1e"), rgb("d96a10"))
        else:
            canvas.put(oval(66), at, Paint(rgb("2f6a2c"), depth=3), lift=6)
            canvas.put(
                oval(60),
                at,
                Paint(rgb("dcefc0"), rgb("b4d890"), depth=5, shine=0.5, gloss=0.35),
                lift=0,
            )
            canvas.glaze(oval(26), at, rgb("a4cc7a"), alpha=0.5, soft=6)

    s.around_the_rim(10, 206, slice_at, start=9)
    s.around_the_rim(5, 102, slice_at, start=31)
    jicama = Paint(rgb("fbf7ec"), rgb("e6dcc4"), depth=5, shine=0.75, shade=0.4)
    for _ in range(34):
        stick = [(-46.0, -9.0), (46.0, -9.0), (46.0, 9.0), (-46.0, 9.0)]
        canvas.put(
            stick, inside_disc(canvas.rng, 170), jicama, lift=7, angle=canvas.rng.uniform(0, 180)
        )
    for _ in range(10):
        g.radish(canvas, inside_disc(canvas.rng, 190), 34)
    _pickled_onions(canvas, (600, 440), 120, 18)
    s.strewn(canvas, 260, 240, Paint(rgb("b3240f"), rgb("d8501e"), depth=1.6), size=3.6, wobble=0.3)
    for _ in range(9):
        g.herb(canvas, inside_disc(canvas.rng, 170), 32, CILANTRO)
    g.citrus(canvas, (1070, 150), 84)
    g.wedge_of_citrus(canvas, (1120, 280), 66, -40)

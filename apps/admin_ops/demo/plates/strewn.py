"""What is strewn, poured and wound: grains, sauces, noodles, and things laid in a circle."""

import math
from collections.abc import Callable

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
)
from apps.admin_ops.demo.plates.garnish import KINDS, PARSLEY

PARMESAN = Paint(rgb("f2e0ae"), rgb("fff6d8"), depth=3, shine=0.6, shade=0.4)
CRUMBLED = Paint(rgb("f8f2e4"), rgb("e2d6be"), depth=4, shine=0.7, shade=0.4)


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

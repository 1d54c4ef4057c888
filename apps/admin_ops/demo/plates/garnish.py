"""What lies on more than one dish: leaves, slices, seeds, strands, sauces."""

import math

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

"""The painter's tools: shapes as masks, one way of lighting them, and the canvas they are laid on.

Light comes from the upper left. A shape is a mask drawn three times as large and scaled down; its
relief is read off the blurred mask, so a basil leaf and a pizza crust are lit by the same rule.
Everything random comes from a seeded generator: the same dish is the same picture everywhere.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from random import Random

from PIL import Image, ImageChops, ImageDraw, ImageEnhance, ImageFilter

SIZE = (1200, 900)
CENTRE = (600.0, 450.0)
FRAME = (60, 45, 1140, 855)  # what is kept of it: 4:3, close to the dish
FINISHED = (960, 720)
SHADE = (30, 14, 8)
FINE = 3  # masks are drawn this many times too large

Colour = tuple[int, int, int]
Point = tuple[float, float]


def rgb(text: str) -> Colour:
    """`rgb("b4380a")`"""
    return int(text[:2], 16), int(text[2:4], 16), int(text[4:], 16)


def mixed(one: Colour, other: Colour, share: float) -> Colour:
    """`share` of `other` in `one`."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return red, green, blue


def varied(colour: Colour, rng: Random, by: float = 0.1) -> Colour:
    """The colour a little lighter or darker, as no two leaves are the same."""
    shift = rng.uniform(-by, by)
    return mixed(colour, (255, 255, 255) if shift > 0 else (0, 0, 0), abs(shift))


# --- noise ----------------------------------------------------------------------------------------
@cache
def clouds(width: int, height: int, cell: int, seed: int) -> Image.Image:
    """Soft grey patches about `cell` pixels wide."""
    rng = Random(seed)
    columns, rows = max(2, width // cell + 2), max(2, height // cell + 2)
    small = Image.frombytes("L", (columns, rows), rng.randbytes(columns * rows))
    return small.resize((width, height), Image.Resampling.BICUBIC)


@cache
def mottle() -> Image.Image:
    """Clouds of several sizes at once: what no painted surface is without."""
    parts = [clouds(*SIZE, cell, cell) for cell in (90, 28, 9, 3)]
    result = parts[0]
    for part in parts[1:]:
        result = Image.blend(result, part, 0.38)
    return result.point(lambda v: max(0, min(255, int((v - 128) * 1.7 + 128))))


def patch_of(noise: Image.Image, size: tuple[int, int], rng: Random) -> Image.Image:
    """A piece of the noise from anywhere, repeated when it is not large enough."""
    width, height = size
    if width > noise.width or height > noise.height:
        noise = noise.resize((max(width, noise.width), max(height, noise.height)))
    left = rng.randint(0, noise.width - width)
    top = rng.randint(0, noise.height - height)
    return noise.crop((left, top, left + width, top + height))


# --- shapes ---------------------------------------------------------------------------------------
def polygon(points: Sequence[Point], pad: int = 4) -> Image.Image:
    """The mask of a closed outline around its own middle (0, 0)."""
    reach_x = max(abs(x) for x, _ in points) + pad
    reach_y = max(abs(y) for _, y in points) + pad
    width, height = math.ceil(reach_x) * 2, math.ceil(reach_y) * 2
    large = Image.new("L", (width * FINE, height * FINE))
    moved = [((x + width / 2) * FINE, (y + height / 2) * FINE) for x, y in points]
    ImageDraw.Draw(large).polygon(moved, fill=255)
    return large.reduce(FINE)


def turned(points: Sequence[Point], angle: float) -> list[Point]:
    """The outline turned by `angle` degrees."""
    cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    return [(x * cos - y * sin, x * sin + y * cos) for x, y in points]


def oval(rx: float, ry: float | None = None, *, steps: int = 96) -> list[Point]:
    """The outline of an ellipse with these radii."""
    ry = rx if ry is None else ry
    angles = [math.tau * step / steps for step in range(steps)]
    return [(rx * math.cos(a), ry * math.sin(a)) for a in angles]


def blob(rng: Random, rx: float, ry: float | None = None, *, wobble: float = 0.1) -> list[Point]:
    """An ellipse drawn by hand: `wobble` is how far its radius strays, as a part of it."""
    ry = rx if ry is None else ry
    waves = [
        (k, rng.uniform(0.3, 1) * wobble / k**0.7, rng.uniform(0, math.tau)) for k in range(2, 7)
    ]
    points = []
    for step in range(90):
        angle = math.tau * step / 90
        radius = 1 + sum(size * math.cos(k * angle + phase) for k, size, phase in waves)
        points.append((rx * radius * math.cos(angle), ry * radius * math.sin(angle)))
    return points


def wedge(radius: float, start: float, end: float, inner: float = 0) -> list[Point]:
    """A slice of a disc (or of a ring) between two angles in degrees."""
    angles = [math.radians(start + (end - start) * step / 40) for step in range(41)]
    outside = [(radius * math.cos(a), radius * math.sin(a)) for a in angles]
    inside = [(inner * math.cos(a), inner * math.sin(a)) for a in reversed(angles)]
    return outside + (inside if inner else [(0.0, 0.0)])


def tapered(path: Sequence[Point], widths: Sequence[float]) -> list[Point]:
    """The outline of a brush stroke along a path, with its width at each point."""
    left, right = [], []
    for index, (x, y) in enumerate(path):
        ahead = path[min(index + 1, len(path) - 1)]
        behind = path[max(index - 1, 0)]
        dx, dy = ahead[0] - behind[0], ahead[1] - behind[1]
        length = math.hypot(dx, dy) or 1
        half = widths[index] / 2
        left.append((x - dy / length * half, y + dx / length * half))
        right.append((x + dy / length * half, y - dx / length * half))
    return left + right[::-1]


def arc(
    radius: float, start: float, end: float, *, steps: int = 24, flat: float = 1
) -> list[Point]:
    """Points of a bow between two angles in degrees; `flat` squeezes it upright."""
    angles = [math.radians(start + (end - start) * step / steps) for step in range(steps + 1)]
    return [(radius * math.cos(a), radius * flat * math.sin(a)) for a in angles]


# --- paint ----------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Paint:
    """How a surface takes light.

    `depth` is how round it is, in pixels of the edge that turns away; `shine` and `shade` say how
    strongly light and dark show, 0 to 1; `second` is mixed in in patches; `gloss` adds wet spots.
    """

    colour: Colour
    second: Colour | None = None
    depth: float = 6
    shine: float = 0.35
    shade: float = 0.45
    gloss: float = 0

    def but(self, **changes: object) -> "Paint":
        return replace(self, **changes)  # type: ignore[arg-type]


def _slope(height: Image.Image, step: int) -> tuple[Image.Image, Image.Image]:
    """Where the surface looks to the light, and where away from it."""
    nearer = ImageChops.offset(height, step, step)
    further = ImageChops.offset(height, -step, -step)
    return ImageChops.subtract(further, nearer), ImageChops.subtract(nearer, further)


@cache
def _ramp(factor: float, start: int = 0) -> list[int]:
    """For each grey, how strong it counts: nothing up to `start`, then `factor` for each step."""
    return [max(0, min(255, int((v - start) * factor))) for v in range(256)]


def _scaled(layer: Image.Image, factor: float) -> Image.Image:
    return layer.point(_ramp(round(factor, 3)))


def painted(mask: Image.Image, paint: Paint, rng: Random) -> Image.Image:
    """The mask as a lit, coloured surface, transparent outside."""
    margin = math.ceil(paint.depth) + 2
    wide = Image.new("L", (mask.width + margin * 2, mask.height + margin * 2))
    wide.paste(mask, (margin, margin))
    body = Image.new("RGB", wide.size, paint.colour)
    second = paint.second or mixed(paint.colour, (40, 20, 10), 0.18)
    body = Image.composite(
        Image.new("RGB", wide.size, second), body, patch_of(mottle(), wide.size, rng)
    )
    height = wide.filter(ImageFilter.GaussianBlur(paint.depth))
    lit, dark = _slope(height, max(1, round(paint.depth * 0.5)))
    body.paste(mixed(paint.colour, (38, 16, 8), 0.82), mask=_scaled(dark, paint.shade * 1.7))
    body.paste(mixed(paint.colour, (255, 246, 224), 0.75), mask=_scaled(lit, paint.shine * 1.7))
    if paint.gloss:
        spots = patch_of(mottle(), wide.size, rng).point(_ramp(7, 158))
        inside = height.point(_ramp(3, 120))
        wet = ImageChops.multiply(spots, inside).filter(ImageFilter.GaussianBlur(0.8))
        body.paste((255, 250, 238), mask=_scaled(wet, paint.gloss))
    body.putalpha(wide)
    return body


@dataclass(frozen=True)
class Piece:
    """A painted outline with its shadow."""

    sprite: Image.Image
    shade: Image.Image | None
    lift: float


def _shadow_of(mask: Image.Image, lift: float, strength: float) -> Image.Image:
    margin = math.ceil(lift * 2) + 2
    wide = Image.new("L", (mask.width + margin * 2, mask.height + margin * 2))
    wide.paste(mask, (margin, margin))
    return _scaled(wide.filter(ImageFilter.GaussianBlur(lift * 0.7)), strength)


class Canvas:
    """The picture while it is painted. Places are pixels of the finished picture."""

    def __init__(self, name: str) -> None:
        self.rng = Random(name)
        self.image = Image.new("RGB", SIZE, (200, 190, 175))

    def lay(self, sprite: Image.Image, at: Point) -> None:
        """Put a painted piece with its middle at a place."""
        corner = (round(at[0] - sprite.width / 2), round(at[1] - sprite.height / 2))
        self.image.paste(sprite, corner, sprite)

    def shadow(self, mask: Image.Image, at: Point, lift: float, strength: float = 0.5) -> None:
        """What a piece that stands `lift` pixels high keeps from the light."""
        self._darken(_shadow_of(mask, lift, strength), at, lift)

    def _darken(self, shade: Image.Image, at: Point, lift: float) -> None:
        corner = (
            round(at[0] - shade.width / 2 + lift * 0.6),
            round(at[1] - shade.height / 2 + lift * 0.75),
        )
        self.image.paste(SHADE, corner, shade)

    def piece(
        self, points: Sequence[Point], paint: Paint, *, lift: float = 5, angle: float = 0
    ) -> Piece:
        """An outline painted once, to be laid as often as wanted."""
        mask = polygon(turned(points, angle) if angle else points)
        shade = _shadow_of(mask, lift, 0.5) if lift else None
        return Piece(painted(mask, paint, self.rng), shade, lift)

    def lay_piece(self, piece: Piece, at: Point) -> None:
        if piece.shade is not None:
            self._darken(piece.shade, at, piece.lift)
        self.lay(piece.sprite, at)

    def put(
        self, points: Sequence[Point], at: Point, paint: Paint, *, lift: float = 5, angle: float = 0
    ) -> None:
        """Paint an outline at a place, with its shadow."""
        self.lay_piece(self.piece(points, paint, lift=lift, angle=angle), at)

    def sprinkle(self, pieces: Sequence[Piece], places: Iterable[Point]) -> None:
        """Any of the pieces at each of the places: a few painted grains make a bowl of rice."""
        for at in places:
            self.lay_piece(self.rng.choice(pieces), at)

    def glaze(
        self, points: Sequence[Point], at: Point, colour: Colour, *, alpha: float, soft: float = 0
    ) -> None:
        """A flat, see-through layer of colour; `soft` blurs its edge by so many pixels."""
        mask = polygon(points, pad=4 + math.ceil(soft * 2.5))
        if soft:
            mask = mask.filter(ImageFilter.GaussianBlur(soft))
        corner = (round(at[0] - mask.width / 2), round(at[1] - mask.height / 2))
        self.image.paste(colour, corner, _scaled(mask, alpha))

    def strokes(
        self,
        paths: Sequence[Sequence[Point]],
        *,
        width: float,
        paint: Paint,
        within: Image.Image | None = None,
        lift: float = 4,
    ) -> None:
        """Strands laid over each other in order: each with its own dark side and light edge.

        Paths are in picture pixels. `within` is a mask of the whole picture they may not leave.
        """
        xs = [x for path in paths for x, _ in path]
        ys = [y for path in paths for _, y in path]
        left, top = int(min(xs) - width * 2), int(min(ys) - width * 2)
        right, bottom = int(max(xs) + width * 2), int(max(ys) + width * 2)
        scale = 2
        layer = Image.new("RGBA", ((right - left) * scale, (bottom - top) * scale))
        draw = ImageDraw.Draw(layer)
        dark = mixed(paint.colour, (50, 22, 8), 0.42 + paint.shade * 0.3)
        light = mixed(paint.colour, (255, 248, 228), 0.35 + paint.shine * 0.5)
        for path in paths:
            body = varied(paint.colour, self.rng, 0.08)
            if paint.second and self.rng.random() < 0.45:
                body = mixed(body, paint.second, self.rng.uniform(0.2, 0.8))
            moved = [((x - left) * scale, (y - top) * scale) for x, y in path]
            _strand(draw, moved, dark, width * scale * 1.16, 0.0)
            _strand(draw, moved, body, width * scale * 0.92, 0.0)
            _strand(draw, moved, light, width * scale * 0.24, -width * scale * 0.17)
        sprite = layer.reduce(scale)
        if within is not None:
            sprite.putalpha(
                ImageChops.multiply(sprite.getchannel("A"), within.crop((left, top, right, bottom)))
            )
        middle = ((left + right) / 2, (top + bottom) / 2)
        if lift:
            self.shadow(sprite.getchannel("A"), middle, lift)
        self.lay(sprite, middle)

    def finish(self) -> Image.Image:
        """Warm light from the upper left, a little darkness at the corners, a little tooth."""
        light = Image.radial_gradient("L").resize((SIZE[0] * 2, SIZE[1] * 2))
        light = light.crop(
            (SIZE[0] // 2 + 120, SIZE[1] // 2 + 90, SIZE[0] * 3 // 2 + 120, SIZE[1] * 3 // 2 + 90)
        )
        self.image.paste(
            (24, 10, 4), mask=light.point(lambda v: max(0, min(150, int((v - 66) * 0.85))))
        )
        warm = ImageChops.soft_light(self.image, Image.new("RGB", SIZE, (142, 130, 116)))
        self.image = Image.blend(self.image, warm, 0.7)
        bright = ImageEnhance.Color(ImageEnhance.Brightness(self.image).enhance(1.08))
        self.image = bright.enhance(1.14)
        tooth = patch_of(clouds(*SIZE, 2, 7), SIZE, self.rng).point(lambda v: 118 + v * 20 // 255)
        return (
            ImageChops.overlay(self.image, Image.merge("RGB", [tooth] * 3))
            .crop(FRAME)
            .resize(FINISHED, Image.Resampling.LANCZOS)
        )


def _strand(
    draw: ImageDraw.ImageDraw, path: Sequence[Point], colour: Colour, width: float, shift: float
) -> None:
    thick = max(1, round(width))
    moved = [(x + shift, y + shift) for x, y in path]
    draw.line(moved, fill=colour, width=thick, joint="curve")
    for x, y in (moved[0], moved[-1]):
        draw.ellipse((x - thick / 2, y - thick / 2, x + thick / 2, y + thick / 2), fill=colour)


def ring_mask(radius: float, at: Point = CENTRE, ry: float | None = None) -> Image.Image:
    """A disc on a mask of the whole picture, for what has to stay inside a bowl."""
    mask = Image.new("L", SIZE)
    shape = polygon(oval(radius, ry))
    mask.paste(shape, (round(at[0] - shape.width / 2), round(at[1] - shape.height / 2)))
    return mask


def inside_disc(rng: Random, radius: float, at: Point = CENTRE) -> Point:
    """A place anywhere in a disc, evenly spread."""
    distance, angle = radius * math.sqrt(rng.random()), rng.uniform(0, math.tau)
    return at[0] + distance * math.cos(angle), at[1] + distance * math.sin(angle)


def around(radius: float, angle: float, at: Point = CENTRE, flat: float = 1) -> Point:
    """The place `radius` from the middle in a direction (degrees, clockwise from the right)."""
    turn = math.radians(angle)
    return at[0] + radius * math.cos(turn), at[1] + radius * flat * math.sin(turn)

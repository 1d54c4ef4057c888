"""Colors of brands: reading one, its contrast, and the nearest one that can be read (WCAG 2.2).

Contrast and relative luminance are defined at https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio.
"""

import colorsys
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

READABLE = 4.5  # the ratio for text (success criterion 1.4.3)
_HEX = re.compile(r"#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})")
_STEPS = 256


@dataclass(frozen=True, slots=True)
class Color:
    """A color in sRGB. Its text is always `#rrggbb`, so it is safe in a style sheet."""

    red: int
    green: int
    blue: int

    @classmethod
    def parse(cls, text: str) -> Self | None:
        """The color that `#rrggbb` names, None for anything else."""
        match = _HEX.fullmatch(text.strip().lower())
        return cls(*(int(part, 16) for part in match.groups())) if match else None

    def __str__(self) -> str:
        return f"#{self.red:02x}{self.green:02x}{self.blue:02x}"

    @property
    def luminance(self) -> float:
        red, green, blue = (_linear(part / 255) for part in (self.red, self.green, self.blue))
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    def at_lightness(self, lightness: float) -> Self:
        """The color of the same hue and saturation with this lightness, from 0 to 1."""
        hue, _, saturation = colorsys.rgb_to_hls(*(p / 255 for p in self._parts))
        parts = colorsys.hls_to_rgb(hue, lightness, saturation)
        return type(self)(*(round(part * 255) for part in parts))

    @property
    def lightness(self) -> float:
        return colorsys.rgb_to_hls(*(part / 255 for part in self._parts))[1]

    @property
    def _parts(self) -> tuple[int, int, int]:
        return self.red, self.green, self.blue


# The backgrounds of frontend/src/styles/tokens.css: paper, surface, sunken.
LIGHT = (Color(0xFB, 0xF8, 0xF3), Color(0xFF, 0xFF, 0xFF), Color(0xF4, 0xEF, 0xE7))
DARK = (Color(0x17, 0x14, 0x12), Color(0x22, 0x1E, 0x1A), Color(0x1C, 0x18, 0x15))


def contrast(one: Color, other: Color) -> float:
    """The contrast ratio, from 1 to 21."""
    darker, lighter = sorted((one.luminance, other.luminance))
    return (lighter + 0.05) / (darker + 0.05)


def is_readable(color: Color, on: Sequence[Color]) -> bool:
    return all(contrast(color, background) >= READABLE for background in on)


def nearest_readable(color: Color, on: Sequence[Color]) -> Color:
    """The color itself if it can be read on these backgrounds, else the same hue made darker or
    lighter by as little as makes it so."""
    if is_readable(color, on):
        return color
    steps = [step / _STEPS for step in range(_STEPS + 1)]
    by_distance = sorted(steps, key=lambda lightness: abs(lightness - color.lightness))
    return next(found for found in map(color.at_lightness, by_distance) if is_readable(found, on))


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4

"""The PDF page that documents are written on: US paper, its fonts, lines, and pairs.

The PDF's built-in font covers western Europe and needs no embedding. Text in other scripts is set
in Noto, with only the characters used embedded; it is loaded only then, since that takes half a
second.
"""

import unicodedata
from collections.abc import Callable
from datetime import datetime
from typing import cast

from fpdf import FPDF
from fpdf.enums import XPos, YPos
from fpdf.fonts import TTFFont
from noto_cjk_sans_jp_regular import FONT_PATH

FACE = "helvetica"
WIDE_FACE = "noto"  # Greek, Cyrillic, Chinese, Japanese, and Korean; one weight
INK, MUTED, LINE, ACCENT = (31, 26, 23), (101, 92, 84), (230, 222, 210), (180, 56, 10)
WIDTH = 170  # of the text, in millimeters
PAIR_INDENT = 38  # of a value beside its label


class Document(FPDF):
    """An empty first page, and methods that write on it from top to bottom."""

    def __init__(self, *, title: str, author: str, created_at: datetime) -> None:
        super().__init__(format="letter")
        self.core_fonts_encoding = ENCODING
        self.set_title(title)
        self.set_author(author)
        self.set_creation_date(created_at)
        self.set_margins(23, 22)
        self.c_margin = 0  # text begins and ends where rules do
        self.set_auto_page_break(auto=True, margin=20)
        self.add_page()

    def pen(
        self,
        text: str,
        *,
        size: int = 10,
        bold: bool = False,
        color: tuple[int, int, int] = INK,
    ) -> str:
        """Select a font that can draw the text, and return the text as that font can draw it."""
        self.set_text_color(*color)
        western = in_western_glyphs(text, is_western)
        if SUBSTITUTES not in western:
            self.set_font(FACE, "B" if bold else "", size)
            return western
        if WIDE_FACE not in self.fonts:
            self.add_font(WIDE_FACE, fname=str(FONT_PATH))
        self.set_font(WIDE_FACE, size=size)
        characters = cast(TTFFont, self.fonts[WIDE_FACE]).cmap
        return in_western_glyphs(text, lambda character: ord(character) in characters).replace(
            SUBSTITUTES, "?"
        )

    def line_of_text(
        self,
        text: str,
        *,
        size: int = 10,
        bold: bool = False,
        color: tuple[int, int, int] = INK,
        height: float = 5.5,
    ) -> None:
        drawn = self.pen(text, size=size, bold=bold, color=color)
        self.multi_cell(WIDTH, height, drawn, new_x=XPos.LMARGIN, new_y=YPos.NEXT, align="L")

    def link_line(self, text: str, address: str) -> None:
        """A line that opens the address."""
        drawn = self.pen(text, color=ACCENT)
        self.set_draw_color(*ACCENT)
        width, top = self.get_string_width(drawn), self.get_y() + 5
        self.cell(width, 5.5, drawn, new_x=XPos.LMARGIN, new_y=YPos.NEXT, link=address)
        self.line(self.l_margin, top, self.l_margin + width, top)

    def pair(self, label: str, value: str, *, size: int = 10) -> None:
        """A label, and its value beside it; a long label is above it."""
        drawn = self.pen(label, size=size, color=MUTED)
        above = self.get_string_width(drawn) > PAIR_INDENT - 3
        if above:
            self.cell(WIDTH, 6, drawn, new_x=XPos.LMARGIN, new_y=YPos.NEXT)
        else:
            self.cell(PAIR_INDENT, 6, drawn)
        drawn = self.pen(value, size=size)
        self.set_x(self.l_margin + PAIR_INDENT)
        self.multi_cell(
            WIDTH - PAIR_INDENT, 6, drawn, new_x=XPos.LMARGIN, new_y=YPos.NEXT, align="L"
        )

    def rule(self) -> None:
        self.set_draw_color(*LINE)
        self.line(self.l_margin, self.get_y() + 1, self.l_margin + WIDTH, self.get_y() + 1)
        self.ln(2.5)


# Replacements for characters that a PDF font does not have.


ENCODING = "windows-1252"  # what the PDF's built-in fonts can draw

SUBSTITUTES = "\N{REPLACEMENT CHARACTER}"

# Latin letters that Unicode does not decompose into a base letter and a mark.
_LATIN = {"ł": "l", "đ": "d", "ı": "i", "ħ": "h", "ŋ": "ng", "ẞ": "SS"}


def is_western(character: str) -> bool:
    """Whether the PDF's built-in fonts have this character."""
    try:
        character.encode(ENCODING)
    except UnicodeEncodeError:
        return False
    return character.isprintable() or character == "\n"


def in_western_glyphs(text: str, has: Callable[[str], bool]) -> str:
    """The text in characters for which `has` is true. Others lose their accents; `SUBSTITUTES`
    replaces those without a plain form, and symbols such as emoji are left out."""
    composed = unicodedata.normalize("NFC", text)
    return "".join(
        character if has(character) else _likeness(character, has) for character in composed
    )


def _likeness(character: str, has: Callable[[str], bool]) -> str:
    if plain := _LATIN.get(character.lower()):
        return plain if character.islower() else plain.capitalize()
    parts = unicodedata.normalize("NFKD", character)
    bare = "".join(part for part in parts if not unicodedata.combining(part))
    if bare and all(has(part) for part in bare):
        return bare
    return SUBSTITUTES if unicodedata.category(character)[0] in "LN" else ""

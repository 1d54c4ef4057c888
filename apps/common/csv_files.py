"""CSV files, streamed in chunks and written so that spreadsheets read every cell as text."""

import csv
import re
from collections.abc import Iterable, Iterator

# Characters that start a formula (https://owasp.org/www-community/attacks/CSV_Injection).
_FORMULA = re.compile(r"[=+\-@\t\r\n]")
# Text that a spreadsheet reads as a number, such as `0171 23`, `12E45678`, or very long numbers.
_NUMBER = re.compile(r"\d[\d.,\s]*(E[\d\s]+)?", re.IGNORECASE)
# Control characters; XLSX cells can't hold them, so both formats drop them.
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")
_BYTE_ORDER_MARK = "\ufeff"  # without it, spreadsheets don't recognize UTF-8
_ROWS_PER_CHUNK = 200


def without_control_characters(text: str) -> str:
    return _CONTROL.sub("", text)


def starts_a_formula(text: str) -> bool:
    return _FORMULA.match(text) is not None


def harmless(text: str) -> str:
    """The text, marked so that no spreadsheet reads it as a formula or a number.

    CSV has no types, so an apostrophe marks text, including `+1 212 555 0199` and `2125550199`.
    """
    clean = without_control_characters(text)
    is_text = not (starts_a_formula(clean) or _NUMBER.fullmatch(clean))
    return clean if is_text else f"'{clean}"


def csv_chunks(rows: Iterable[Iterable[str]], *, mark: bool = True) -> Iterator[bytes]:
    """The file in chunks: UTF-8, line endings as in RFC 4180. `mark` begins it with a byte order
    mark, for spreadsheets."""
    writer = csv.writer(_Echo())
    pieces = [_BYTE_ORDER_MARK] if mark else []
    for row in rows:
        pieces.append(writer.writerow(row))
        if len(pieces) >= _ROWS_PER_CHUNK:
            yield "".join(pieces).encode()
            pieces.clear()
    yield "".join(pieces).encode()


class _Echo:
    """A file object whose `write` returns the line, so that csv.writer can be streamed."""

    def write(self, line: str) -> str:
        return line

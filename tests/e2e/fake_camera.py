"""What a browser's camera sees in a test: a QR code, as a film of a few frames."""

from pathlib import Path

import segno

WIDTH, HEIGHT = 640, 480
FRAMES = 4
WHITE, GRAY = 235, 128


def film_of_code(text: str, path: Path) -> Path:
    """A YUV4MPEG film at `path` that shows the QR code of `text`, black on white."""
    modules = [list(line) for line in segno.make(text, error="m").matrix_iter(border=4)]
    size = min(WIDTH, HEIGHT) * 7 // 10 // len(modules)
    side = size * len(modules)
    left, top = (WIDTH - side) // 2, (HEIGHT - side) // 2
    light = bytearray([WHITE]) * (WIDTH * HEIGHT)
    for row, line in enumerate(modules):
        for column, dark in enumerate(line):
            if not dark:
                continue
            for y in range(top + row * size, top + (row + 1) * size):
                begin = y * WIDTH + left + column * size
                light[begin : begin + size] = bytes(size)
    color = bytes([GRAY]) * (WIDTH * HEIGHT // 2)
    frame = b"FRAME\n" + bytes(light) + color
    header = f"YUV4MPEG2 W{WIDTH} H{HEIGHT} F10:1 Ip A1:1 C420mpeg2\n".encode()
    path.write_bytes(header + frame * FRAMES)
    return path

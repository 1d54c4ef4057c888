"""A photo to upload."""

from io import BytesIO

from PIL import Image, ImageDraw


def photo_of_a_dish() -> bytes:
    picture = Image.new("RGB", (1200, 900), "#e6ded2")
    draw = ImageDraw.Draw(picture)
    draw.ellipse((250, 100, 950, 800), fill="#ffffff")
    draw.ellipse((350, 200, 850, 700), fill="#e9b949")
    out = BytesIO()
    picture.save(out, "PNG")
    return out.getvalue()

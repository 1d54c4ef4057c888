"""A photo to upload: small, because every width of it is drawn and compressed."""

from io import BytesIO

from PIL import Image, ImageDraw


def photo_of_a_dish() -> bytes:
    picture = Image.new("RGB", (400, 300), "#e6ded2")
    draw = ImageDraw.Draw(picture)
    draw.ellipse((83, 33, 317, 267), fill="#ffffff")
    draw.ellipse((117, 67, 283, 233), fill="#e9b949")
    out = BytesIO()
    picture.save(out, "PNG")
    return out.getvalue()

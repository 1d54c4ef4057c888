"""Photos to upload: a small one, because every width of it is drawn and compressed, and one like
those that phones take."""

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


def photo_of_a_phone() -> bytes:
    """A JPEG of 12 megapixels and more than 5 MB. It was taken upright: stored on its side, with an
    orientation that says so. Upright, it is red above and blue below."""
    noise = Image.effect_noise((4032, 3024), 90)
    picture = Image.merge("RGB", (noise, noise, noise))
    # Turned by 90 degrees clockwise (6), the left edge becomes the upper one.
    picture.paste("#c02020", (0, 0, 1000, 3024))
    picture.paste("#2020c0", (3032, 0, 4032, 3024))
    orientation = Image.Exif()
    orientation[0x0112] = 6
    out = BytesIO()
    picture.save(out, "JPEG", quality=92, exif=orientation)
    return out.getvalue()

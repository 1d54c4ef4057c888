"""Pictures of the demo's dishes, painted by code: plates seen from above, the same every time."""

import io
from collections.abc import Callable

from apps.admin_ops.demo.plates import italian, japanese, mexican
from apps.admin_ops.demo.plates.brush import Canvas

PLATES: dict[str, Callable[[Canvas], None]] = {
    plate.__name__: plate
    for plate in (
        italian.caprese,
        italian.margherita,
        italian.osso_buco,
        italian.tagliatelle,
        italian.tiramisu,
        japanese.chirashi,
        japanese.gyoza,
        japanese.miso,
        japanese.okonomiyaki,
        japanese.tonkotsu,
        japanese.yakitori,
        mexican.chiles_en_nogada,
        mexican.enmoladas,
        mexican.ensalada,
        mexican.esquites,
        mexican.pozole,
        mexican.tacos,
    )
}


def paint(name: str) -> bytes:
    """The picture of a plate as a JPEG file, ready to be uploaded."""
    canvas = Canvas(name)
    PLATES[name](canvas)
    file = io.BytesIO()
    canvas.finish().save(file, "JPEG", quality=94)
    return file.getvalue()

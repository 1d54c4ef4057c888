"""Files uploaded as evidence: https://docs.stripe.com/file-upload"""

from ..errors import invalid_request
from ..routing import endpoint
from ..server import Call
from ..store import Json
from .listing import listing, retrieval

# Of dispute evidence: https://docs.stripe.com/file-upload#uploading-a-file
_BEGINNINGS = {"pdf": b"%PDF-", "png": b"\x89PNG\r\n", "jpg": b"\xff\xd8\xff"}
_LARGEST = 5 * 1024 * 1024  # bytes


@endpoint("POST", "/v1/files", "FileCreateParams")
def create(call: Call, params: Json) -> Json:
    upload = params["file"]
    if not isinstance(upload, dict):
        raise invalid_request("Send the file as multipart/form-data.", param="file")
    content: bytes = upload["content"]
    kind = next((name for name, start in _BEGINNINGS.items() if content.startswith(start)), None)
    if params["purpose"] != "dispute_evidence":
        raise invalid_request("This local server stores only dispute evidence.", param="purpose")
    if kind is None:
        raise invalid_request("Dispute evidence must be a PDF, JPEG or PNG file.", param="file")
    if len(content) > _LARGEST:
        raise invalid_request("Dispute evidence can have at most 5 MB.", param="file")
    file = call.new(
        "file",
        filename=upload["filename"],
        purpose=params["purpose"],
        size=len(content),
        type=kind,
    )
    call.update(file, url=f"{call.base_url}/v1/files/{file['id']}/contents")
    call.emit("file.created", file)
    return file


endpoint("GET", "/v1/files", "FileListParams")(listing("file", "/v1/files", fields=("purpose",)))
endpoint("GET", "/v1/files/{id}", "FileRetrieveParams")(retrieval("file"))

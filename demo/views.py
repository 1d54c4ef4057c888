"""The demo's mailbox at `/_demo/mail`: the emails that would have been sent, in the browser."""

from base64 import b64encode
from dataclasses import dataclass
from datetime import UTC, datetime
from email import policy
from email.message import EmailMessage
from email.parser import BytesParser
from pathlib import Path

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

MOST_LISTED = 200


@dataclass(frozen=True, slots=True)
class DemoEmail:
    """One saved message; `name` is its file name without the extension."""

    name: str
    stored_at: datetime
    message: EmailMessage

    @property
    def subject(self) -> str:
        return str(self.message["Subject"]).strip()  # a long one is folded right after its name

    @property
    def sender(self) -> str:
        return str(self.message["From"])

    @property
    def recipient(self) -> str:
        return str(self.message["To"])

    def part(self, kind: str) -> str:
        """The text of the `plain` or `html` part; empty if there is none."""
        body = self.message.get_body(preferencelist=(kind,))
        return body.get_content() if body else ""

    @property
    def plain(self) -> str:
        return self.part("plain")

    @property
    def html(self) -> str:
        """The HTML part for an iframe: links open in a new window, attached images are inlined."""
        page = self.part("html").replace("<head>", '<head><base target="_blank">', 1)
        for part in self.message.iter_attachments():
            name = (part["Content-ID"] or "").strip("<>")
            if name:
                drawn = b64encode(part.get_content()).decode()
                page = page.replace(f"cid:{name}", f"data:{part.get_content_type()};base64,{drawn}")
        return page

    @property
    def attached(self) -> list[str]:
        """The names of the attached files."""
        return [part.get_filename() or "" for part in self.message.iter_attachments()]


@require_safe
@never_cache
def demo_emails(request: HttpRequest) -> HttpResponse:
    """All emails, newest first, next to the one `?email=` names or else the newest."""
    folder = _folder()
    emails = _stored_emails(folder)
    asked = request.GET.get("email")
    chosen = next((one for one in emails if one.name == asked), None) if asked else None
    if asked and chosen is None:
        raise Http404
    page = render(
        request,
        "demo/emails.html",
        {"emails": emails, "email": chosen or (emails[0] if emails else None)},
    )
    # An email's pictures are at its restaurant's address.
    page._csp_update = {"img-src": [f"{request.scheme}://*.{request.get_host()}"]}  # type: ignore[attr-defined]
    return page


def _folder() -> Path:
    """Where the emails are saved. Http404 when email is sent for real instead."""
    folder = getattr(settings, "EMAIL_FOLDER", None)
    if folder is None:
        raise Http404
    return Path(folder)


def _stored_emails(folder: Path) -> list[DemoEmail]:
    if not folder.is_dir():
        return []
    found = [(path.stat().st_mtime, path) for path in folder.glob("*.eml")]
    newest = sorted(found, reverse=True)[:MOST_LISTED]
    return [_read(path, changed) for changed, path in newest]


def _read(path: Path, changed: float) -> DemoEmail:
    message = BytesParser(policy=policy.default).parsebytes(path.read_bytes())
    return DemoEmail(path.stem, datetime.fromtimestamp(changed, UTC), message)

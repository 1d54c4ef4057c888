"""The demo's mail: one file per message in a folder, shown at /_demo/mail.

The file is named by the Message-ID and put in place whole, so sending the same message twice leaves
one file, the way a mail provider with idempotent submission behaves.
"""

import os
import re
from collections.abc import Sequence
from pathlib import Path
from tempfile import NamedTemporaryFile

from django.conf import settings
from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend


class FolderBackend(BaseEmailBackend):
    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        folder = Path(settings.EMAIL_FOLDER)  # type: ignore[misc]  # only where mail is kept
        folder.mkdir(parents=True, exist_ok=True)
        for message in email_messages:
            mime = message.message()
            name = re.sub(r"[^A-Za-z0-9._-]", "-", mime["Message-ID"].strip("<>").split("@")[0])
            with NamedTemporaryFile(dir=folder, suffix=".part", delete=False) as part:
                part.write(mime.as_bytes())
            os.replace(part.name, folder / f"{name}.eml")
        return len(email_messages)

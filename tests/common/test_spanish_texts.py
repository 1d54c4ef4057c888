"""The Spanish texts, as a reader would see them."""

import re
from pathlib import Path

from django.conf import settings

# A time of day in Spanish ends with a period of its own: `6:00 p. m.`
ENDS_IN_A_TIME = re.compile(r"%\((?:time|slot|order)\)s\.")


def test_no_sentence_ends_with_a_period_after_that_of_its_time() -> None:
    [folder] = settings.LOCALE_PATHS
    texts = Path(folder, "es", "LC_MESSAGES", "django.po").read_text().split("\nmsgid ")
    translations = [text.partition("\nmsgstr")[2] for text in texts]
    assert [text for text in translations if ENDS_IN_A_TIME.search(text)] == []

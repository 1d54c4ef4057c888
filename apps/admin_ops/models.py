"""What operators did, if nothing else in the database shows it."""

from django.db import models


class Backup(models.Model):
    """A complete backup by `manage.py backup`. A restored database knows only of those before its
    own."""

    taken_at = models.DateTimeField(db_index=True)  # of the snapshot in it
    finished_at = models.DateTimeField()
    rows_written = models.PositiveBigIntegerField()

    def __str__(self) -> str:
        return f"backup of {self.taken_at:%Y-%m-%d %H:%M}"

"""dj-stripe's migrations as this project runs them: its own, and a squash of them.

The squash stands beside dj-stripe's own files because they are found through this package too. A
database that has their history keeps it, and a later dj-stripe's new migrations run as usual.
"""

from djstripe import migrations as theirs

__path__ = [*__path__, *theirs.__path__]

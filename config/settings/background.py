"""Celery: queues, routes, and limits of background tasks."""

from kombu import Queue

REDIS_TIMEOUTS = {"socket_connect_timeout": 5, "socket_timeout": 5}  # seconds
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
# Hard limits work in worker processes only; in threads, the timeouts of calls take their place
# (docs/operations.md).
CELERY_TASK_TIME_LIMIT = 120
# A worker takes a message only when it can start on it, so that nothing urgent waits in a busy
# worker.
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_DB_REUSE_MAX = 2**62  # `keep_connection` in config/celery.py does it
# Separate queues, so that settlement never waits behind webhooks and emails, and the heartbeat
# waits behind neither.
CELERY_TASK_QUEUES = [
    Queue("settlement"),
    Queue("celery"),
    Queue("heartbeat"),
    Queue("alarms"),  # the heartbeat's worker takes from it too, in a thread of its own
    Queue("webhooks"),  # to restaurants' programs, some of which don't answer
    Queue("maintenance"),  # nightly; the worker of `celery` takes from it too
]
CELERY_TASK_DEFAULT_QUEUE = "celery"
CELERY_TASK_ROUTES = {
    "preorders.close_due_offers": {"queue": "settlement"},
    "preorders.close_offer": {"queue": "settlement"},
    "preorders.process_expirations": {"queue": "settlement"},
    "preorders.run_due_operations": {"queue": "settlement"},
    # In Redis, 0 comes first: the sweeps and closings don't wait behind thousands of operations.
    # https://docs.celeryq.dev/en/stable/userguide/routing.html#redis-message-priorities
    "preorders.run_operations": {"queue": "settlement", "priority": 6},
    # After the emails about orders.
    "marketing.send_invitations": {"queue": "celery", "priority": 9},
    "admin_ops.heartbeat": {"queue": "heartbeat"},
    "monitoring.check_alarms": {"queue": "alarms"},
    "integrations.deliver": {"queue": "webhooks"},
    "billing.close_cycles": {"queue": "maintenance"},
    "billing.verify_ledger": {"queue": "maintenance"},
    "privacy.prune": {"queue": "maintenance"},
}
# A worker waits a second for a message, so these timeouts only end calls to a Redis that is gone.
CELERY_BROKER_TRANSPORT_OPTIONS = {
    **REDIS_TIMEOUTS,
    "socket_keepalive": True,
    "visibility_timeout": 600,
    "queue_order_strategy": "priority",
}
CELERY_TIMEZONE = "UTC"

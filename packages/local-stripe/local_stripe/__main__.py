"""Command line entry point: ``python -m local_stripe --port 8001 --data .data/stripe``."""

import argparse
import logging
import sys
from pathlib import Path

import uvicorn

from .app import build, is_loopback
from .connections import DroppableProtocol
from .limits import DOCUMENTED


def main() -> int:
    parser = argparse.ArgumentParser(prog="local_stripe", description=__doc__)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--data", type=Path, required=True, help="directory for the server's state")
    parser.add_argument("--host", default="127.0.0.1", help="a loopback address")
    parser.add_argument(
        "--limits", default="off", choices=tuple(DOCUMENTED), help="Stripe's documented rate limits"
    )
    parser.add_argument("--latency", type=float, default=0, help="seconds that each request takes")
    chosen = parser.parse_args()
    if not is_loopback(chosen.host):
        print(
            f"{chosen.host} can be reached from other machines, and this server accepts commands "
            "from anyone. Use a loopback address such as 127.0.0.1.",
            file=sys.stderr,
        )
        return 2
    logging.basicConfig(level=logging.WARNING, format="local_stripe: %(message)s")
    config = uvicorn.Config(
        build(
            chosen.data,
            f"http://localhost:{chosen.port}",
            limits=chosen.limits,
            latency=chosen.latency,
        ),
        host=chosen.host,
        port=chosen.port,
        http=DroppableProtocol,
        ws="none",
        log_level="warning",
        access_log=False,
        timeout_graceful_shutdown=1,
        timeout_keep_alive=75,
        server_header=False,
    )
    uvicorn.Server(config).run()
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""PostgreSQL and Valkey together, in one data directory."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from .binaries import find_postgres, find_valkey
from .postgres import Postgres
from .valkey import Valkey


class EmbeddedServices:
    """Both servers below `data`; `throwaway` trades their durability for speed."""

    def __init__(self, environment: Path, data: Path, *, throwaway: bool = False) -> None:
        self.postgres = Postgres(find_postgres(environment), data / "postgres", throwaway=throwaway)
        self.valkey = Valkey(find_valkey(environment), data / "valkey")

    def start(self) -> dict[str, str]:
        """Start both and return the environment variables that lead to them."""
        with ThreadPoolExecutor() as pool:
            for started in [pool.submit(self.postgres.start), pool.submit(self.valkey.start)]:
                started.result()
        return self.addresses()

    def addresses(self) -> dict[str, str]:
        """DATABASE_URL and REDIS_URL of these servers, running or not."""
        return {"DATABASE_URL": self.postgres.url(), "REDIS_URL": self.valkey.url()}

    def stop(self) -> None:
        """Stop both."""
        with ThreadPoolExecutor() as pool:
            for stopped in [pool.submit(self.postgres.stop), pool.submit(self.valkey.stop)]:
                stopped.result()

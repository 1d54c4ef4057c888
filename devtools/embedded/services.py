"""PostgreSQL and Valkey together, in one data directory."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from .binaries import find_postgres, find_valkey
from .postgres import Postgres
from .valkey import Valkey


class EmbeddedServices:
    """The servers with their data below `data`. `throwaway` trades durability for speed."""

    def __init__(
        self,
        environment: Path,
        data: Path,
        *,
        throwaway: bool = False,
        with_postgres: bool = True,
        with_valkey: bool = True,
    ) -> None:
        self.postgres = (
            Postgres(find_postgres(environment), data / "postgres", throwaway=throwaway)
            if with_postgres
            else None
        )
        self.valkey = Valkey(find_valkey(environment), data / "valkey") if with_valkey else None

    @property
    def servers(self) -> list[Postgres | Valkey]:
        return [server for server in (self.postgres, self.valkey) if server is not None]

    def start(self) -> dict[str, str]:
        """Start them and return DATABASE_URL and REDIS_URL."""
        with ThreadPoolExecutor() as pool:
            for started in [pool.submit(server.start) for server in self.servers]:
                started.result()
        return self.addresses()

    def addresses(self) -> dict[str, str]:
        """DATABASE_URL and REDIS_URL, whether or not the servers run."""
        addresses = {}
        if self.postgres is not None:
            addresses["DATABASE_URL"] = self.postgres.url()
        if self.valkey is not None:
            addresses["REDIS_URL"] = self.valkey.url()
        return addresses

    def stop(self) -> None:
        """Stop them, including any left over from an earlier start."""
        with ThreadPoolExecutor() as pool:
            for stopped in [pool.submit(server.stop) for server in self.servers]:
                stopped.result()

    def erase(self) -> None:
        """Stop them and delete their data."""
        self.stop()
        for server in self.servers:
            server.erase()

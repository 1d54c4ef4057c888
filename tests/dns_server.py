"""A name server on loopback, whose records a test writes."""

import socket
from threading import Thread
from typing import Self

import dns.flags
import dns.message
import dns.rcode
import dns.rdatatype
import dns.rrset


class DnsServer:
    """Answers over UDP from `records`: texts by name and type. `is_silent` answers nothing."""

    def __init__(self) -> None:
        self.records: dict[tuple[str, str], list[str]] = {}
        self.is_silent = False
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind(("127.0.0.1", 0))
        self._thread = Thread(target=self._serve, daemon=True)

    @property
    def address(self) -> str:
        """The server's address in the format of the settings."""
        host, port = self._socket.getsockname()
        return f"{host}:{port}"

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        if self._thread.is_alive():
            self._socket.sendto(b"", self._socket.getsockname())
            self._thread.join(5)
        self._socket.close()

    def put(self, name: str, kind: str, *values: str) -> None:
        self.records[name, kind] = list(values)

    def remove(self, name: str, kind: str) -> None:
        self.records.pop((name, kind), None)

    def _serve(self) -> None:
        while True:
            data, client = self._socket.recvfrom(4096)
            if not data:
                return
            if not self.is_silent:
                self._socket.sendto(self._answer(dns.message.from_wire(data)).to_wire(), client)

    def _answer(self, query: dns.message.Message) -> dns.message.Message:
        response = dns.message.make_response(query)
        response.flags |= dns.flags.RA
        question = query.question[0]
        name = question.name.to_text(omit_final_dot=True).lower()
        kind = dns.rdatatype.to_text(question.rdtype)
        values = self.records.get((name, kind), [])
        if values:
            response.answer.append(dns.rrset.from_text(question.name, 60, "IN", kind, *values))
        elif not any(known == name for known, _ in self.records):
            response.set_rcode(dns.rcode.NXDOMAIN)
        return response

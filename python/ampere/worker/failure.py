"""The error that is answered as {"code": ..., "message": ...}."""

from __future__ import annotations


class Failure(Exception):
    """A request, or the start of the worker, that cannot succeed. The text is for people."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message

    def as_json(self) -> dict[str, str]:
        return {"code": self.code, "message": self.message}


def usage(message: str) -> Failure:
    """The request makes no sense or asks for something that was not announced."""
    return Failure("usage", message)


def failed(message: str) -> Failure:
    """This network or script cannot be trained, but others may be."""
    return Failure("failed", message)


def unknown(message: str) -> Failure:
    """The worker cannot train at all: no torch, no such device."""
    return Failure("unknown", message)

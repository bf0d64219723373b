"""Typed access to the keys of a JSON object. A wrong type is a usage error that names the key."""

from __future__ import annotations

from typing import Optional

from .failure import Failure, usage


class Fields:
    """One JSON object. `null` means the same as an absent key."""

    def __init__(self, value: object, what: str) -> None:
        if not isinstance(value, dict):
            raise usage(f"{what}: must be an object, not {kind_of(value)}")
        self.json: dict[str, object] = value
        self.what = what

    def has(self, key: str) -> bool:
        return self.json.get(key) is not None

    def at(self, key: str) -> object:
        if not self.has(key):
            raise usage(f"{self.what}: '{key}' is missing")
        return self.json[key]

    def object_at(self, key: str) -> Fields:
        return Fields(self.at(key), f"{self.what}: {key}")

    def list_at(self, key: str) -> list[object]:
        value = self.at(key)
        if not isinstance(value, list):
            raise self._wrong(key, "a list", value)
        return value

    def text(self, key: str, otherwise: Optional[str] = None) -> str:
        value = self._value(key, otherwise)
        if not isinstance(value, str):
            raise self._wrong(key, "a text", value)
        return value

    def integer(self, key: str, otherwise: Optional[int] = None) -> int:
        value = self._value(key, otherwise)
        if not is_integer(value):
            raise self._wrong(key, "a whole number", value)
        return whole(value)

    def positive(self, key: str, otherwise: Optional[int] = None) -> int:
        value = self.integer(key, otherwise)
        if value < 1:
            raise usage(f"{self.what}: '{key}' must be 1 or more, not {value}")
        return value

    def number(self, key: str, otherwise: Optional[float] = None) -> float:
        value = self._value(key, otherwise)
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise self._wrong(key, "a number", value)
        return float(value)

    def boolean(self, key: str, otherwise: bool) -> bool:
        value = self._value(key, otherwise)
        if not isinstance(value, bool):
            raise self._wrong(key, "true or false", value)
        return value

    def integers(self, key: str) -> list[int]:
        """A list of whole numbers; a single number is a list of one."""
        value = self.at(key)
        if is_integer(value):
            return [whole(value)]
        if not isinstance(value, list) or not all(is_integer(each) for each in value):
            raise self._wrong(key, "a list of whole numbers", value)
        return [int(each) for each in value]

    def sizes(self, key: str, axes: int, otherwise: Optional[int] = None) -> list[int]:
        """One whole number per axis; a single number stands for all axes."""
        if otherwise is not None and not self.has(key):
            return [otherwise] * axes
        numbers = self.integers(key)
        if len(numbers) == 1:
            return numbers * axes
        if len(numbers) != axes:
            raise usage(f"{self.what}: '{key}' has {len(numbers)} numbers for {axes} axes")
        return numbers

    def _value(self, key: str, otherwise: object) -> object:
        if otherwise is not None and not self.has(key):
            return otherwise
        return self.at(key)

    def _wrong(self, key: str, expected: str, value: object) -> Failure:
        return usage(f"{self.what}: '{key}' must be {expected}, not {kind_of(value)}")


def is_integer(value: object) -> bool:
    """Whole numbers may be written as 3 or 3.0; true is no number."""
    if isinstance(value, bool):
        return False
    return isinstance(value, int) or (isinstance(value, float) and value.is_integer())


def kind_of(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return f"the number {value}"
    if isinstance(value, str):
        return f"'{value}'" if len(value) <= 40 else "a long text"
    return "a list" if isinstance(value, list) else "an object"


def whole(value: object) -> int:
    assert isinstance(value, (int, float))
    return int(value)

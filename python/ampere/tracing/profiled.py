"""What a profile of PyTorch says of an iteration: the calls that gave a GPU work, and how long it took.

The profile is a trace as torch.profiler exports it, with the shapes of arguments. Every event of
the device names the call that launched it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Callable, Iterable, Iterator, Optional

from .phases import BACKWARD, FORWARD, UPDATE

MARK = "ampere: one iteration"  # around each iteration of the profile
_CALLS = ("cpu_op", "user_annotation")
_DEVICE = ("kernel", "gpu_memset", "gpu_memcpy")
_MICRO = 1e-6
_ROUNDING_US = 0.01  # a call ends when its parent does

Event = dict[str, Any]


@dataclass
class Call:
    """One call of an operation or of a kernel that a compiler made."""

    name: str  # `aten::mm`, `triton_poi_fused_add_3`
    phase: int
    formats: list[str] = field(default_factory=list)  # of each argument, in the profiler's words
    sizes: list[Any] = field(default_factory=list)
    strides: list[Any] = field(default_factory=list)
    values: list[str] = field(default_factory=list)  # as texts
    device_s: float = 0.0


@dataclass
class _Node:
    event: Event
    parent: Optional["_Node"]

    def line(self) -> Iterator["_Node"]:
        """Itself and all around it, the innermost first."""
        node: Optional[_Node] = self
        while node is not None:
            yield node
            node = node.parent


def calls_of(profile: dict[str, Any], is_operation: Callable[[str, list[str]], bool]) -> list[list[Call]]:
    """For each marked iteration the calls that launched something, in order.

    `is_operation` tells from a name and the formats of arguments whether that is what a program
    calls an operation. The outermost such call counts; what it calls itself is a part of it.
    """
    events = profile.get("traceEvents", [])
    nodes = _nested(each for each in events if each.get("cat") in _CALLS)
    launched: dict[int, tuple[float, Call]] = {}  # by the event of the call: its begin
    for event in events:
        if event.get("cat") not in _DEVICE:
            continue
        node = nodes.get(event.get("args", {}).get("External id"))
        if node is None:
            continue
        # Work that no operation launched is still work of the device.
        of = _outermost(node, is_operation) or node
        begin, call = launched.setdefault(id(of.event), (of.event["ts"], _call(of)))
        call.device_s += float(event["dur"]) * _MICRO
    marks = [each for each in events if each.get("name") == MARK and each.get("cat") == _CALLS[1]]
    in_order = sorted(launched.values(), key=lambda each: each[0])
    return [
        [call for begin, call in in_order if mark["ts"] <= begin <= mark["ts"] + mark["dur"]]
        for mark in sorted(marks, key=lambda each: float(each["ts"]))
    ]


def _nested(events: Iterable[Event]) -> dict[Any, _Node]:
    """By their ids. A call is inside of another one of its thread that begins before and ends after it."""
    nodes: dict[Any, _Node] = {}
    open_calls: dict[Any, list[_Node]] = {}
    for event in sorted(events, key=lambda each: (each["ts"], -each["dur"])):
        stack = open_calls.setdefault(event["tid"], [])
        end = event["ts"] + event["dur"] - _ROUNDING_US
        while stack and stack[-1].event["ts"] + stack[-1].event["dur"] < end:
            stack.pop()
        node = _Node(event, stack[-1] if stack else None)
        stack.append(node)
        nodes[event.get("args", {}).get("External id")] = node
    return nodes


def _outermost(node: _Node, is_operation: Callable[[str, list[str]], bool]) -> Optional[_Node]:
    found = None
    for each in node.line():
        if is_operation(each.event["name"], each.event["args"].get("Input type", [])):
            found = each
    return found


def _call(node: _Node) -> Call:
    given = node.event.get("args", {})
    return Call(
        node.event["name"],
        _phase(node),
        list(given.get("Input type", [])),
        list(given.get("Input Dims", [])),
        list(given.get("Input Strides", [])),
        list(given.get("Concrete Inputs", [])),
    )


def _phase(node: _Node) -> int:
    for each in node.line():
        name = str(each.event["name"])
        if name.startswith("Optimizer."):
            return UPDATE
        if name.startswith("autograd::engine") or name == "CompiledFunctionBackward":
            return BACKWARD
    return FORWARD

"""Preparing one operation of a program, to be called again and again and measured."""

from __future__ import annotations

from typing import Any, Callable

import torch

from .fields import Fields
from .globals import Globals
from .guard import guarded, network_error
from .job_base import PreparedJob, Ready
from .operation_call import Call, make_call
from .operation_timing import check_room, set_tf32
from .operation_values import TensorTypes, normal_numbers, positive_numbers, rounded_numbers
from .place import Place


def prepare_operation(request: Fields, place: Place, defaults: Globals) -> PreparedJob:
    """Makes the tensors and calls the operation once. Raises Failure."""
    operation = request.object_at("operation")
    tensors = request.list_at("tensors") if request.has("tensors") else []
    name = operation.text("name")
    usual = rounded_numbers if request.boolean("rounded", False) else normal_numbers

    explain = network_error(name)

    def called(real_numbers: Callable[[int, Any], Any]) -> tuple[Call, bool]:
        types = TensorTypes(tensors, place.device, real_numbers)
        check_room(operation, types, place)
        call = make_call(operation, types, place.device)
        return call, is_finite(call())

    def prepared() -> Call:
        call, finite = called(usual)
        if not finite:
            del call
            call, _ = called(positive_numbers)
        place.synchronize()
        return call

    defaults.apply()
    set_tf32(place.torch, operation)
    call = guarded(explain, prepared)
    return PreparedJob(Ready(name, None, None), call, place, Globals(place.torch), explain)


def is_finite(result: object) -> bool:
    """Whether no number of the result is infinite or none at all."""
    if isinstance(result, (list, tuple)):
        return all(is_finite(each) for each in result)
    if isinstance(result, torch.Tensor) and (result.is_floating_point() or result.is_complex()):
        return bool(torch.isfinite(result).all())
    return True

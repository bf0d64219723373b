"""Preparing a job that the user's own file builds."""

from __future__ import annotations

import inspect
from typing import Any, Callable, Optional

from ..job import Job
from .compiling import compilations
from .failure import usage
from .fields import Fields
from .globals import Globals
from .guard import guarded
from .job_base import PreparedJob, Ready, first_steps
from .place import Place
from .script_data import step_with_data
from .script_load import Script
from .script_result import job_of


def prepare_script(fields: Fields, place: Place) -> PreparedJob:
    """Executes the file, calls its function and runs one iteration. Raises Failure."""
    script = Script(fields.text("path"))
    try:
        with script.arguments():
            return _prepare(script, fields, place)
    except BaseException:
        script.close()
        raise


def _prepare(script: Script, fields: Fields, place: Place) -> PreparedJob:
    name = fields.text("function", "build")
    arguments = fields.object_at("arguments").json if fields.has("arguments") else {}
    before = compilations()
    script.execute()
    function = script.function(name)
    label = f"{script.label}: {name}()"
    all_arguments = bound_arguments(function, name, arguments, label)
    explain_build = script.explain(f"{name}() failed")

    def build() -> object:
        result: object = function(**arguments)
        return result

    job = job_of(guarded(explain_build, build), label)
    parameters = check_model(job.model, place, label)
    ready = Ready(
        job.name or default_name(script, name),
        job.batch or batch_argument(all_arguments),
        parameters,
        data=job.data is not None,
    )
    step = _make_step(job, script, label, fields.boolean("data", False))
    explain_step = script.explain("step() failed")
    guarded(explain_step, lambda: first_steps(step, place, ready, before))
    ready.notes += _notes(place, job)
    # The settings that the file has made belong to its job.
    return PreparedJob(ready, step, place, Globals(place.torch), explain_step, script.close)


def bound_arguments(
    function: Callable[..., Any], name: str, arguments: dict[str, Any], label: str
) -> dict[str, Any]:
    """All arguments that the function will see. Raises Failure if it does not take them."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return dict(arguments)  # written in C
    try:
        bound = signature.bind(**arguments)
    except TypeError as error:
        raise usage(f"{label}: {error}; it is {name}{signature}") from None
    bound.apply_defaults()
    return dict(bound.arguments)


def _make_step(job: Job, script: Script, label: str, real_data: bool) -> Callable[[], Any]:
    """The step without arguments: one item of the job's data is its argument, if it has any."""
    if job.data is None:
        return job.step
    data = job.data
    explain = script.explain("data failed")
    return guarded(explain, lambda: step_with_data(job.step, data, label, real_data))


def default_name(script: Script, function: str) -> str:
    return script.stem if function == "build" else f"{script.stem}.{function}"


def batch_argument(arguments: dict[str, Any]) -> Optional[int]:
    batch = arguments.get("batch")
    is_number = isinstance(batch, int) and not isinstance(batch, bool) and batch > 0
    return batch if is_number else None


def check_model(model: Any, place: Place, label: str) -> Optional[int]:
    """How many numbers are trained. Energy is measured on one device, so they must be there."""
    if not callable(getattr(model, "parameters", None)):
        return None
    parameters = [each for each in model.parameters() if hasattr(each, "numel")]
    devices = {str(each.device) for each in parameters}
    if devices and place.name not in devices:
        raise usage(
            f"{label}: the model is on {', '.join(sorted(devices))}, but {place.name} is measured: "
            "move the model, or choose the device that it is on"
        )
    return sum(int(each.numel()) for each in parameters if each.requires_grad)


def _notes(place: Place, job: Job) -> list[str]:
    cuda = place.torch.cuda
    if job.model is not None:
        return []
    if place.gpu is None and cuda.is_initialized():
        return ["the script uses a GPU, but the CPU is measured"]
    if place.gpu is not None and cuda.memory_allocated(place.gpu) == 0:
        return [f"the script keeps nothing on {place.name}, which is measured"]
    return []

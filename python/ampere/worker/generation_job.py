"""Preparing one call of a language model that the user's own file makes, to be repeated and measured."""

from __future__ import annotations

from typing import Any, Callable

from ..tracing.generation import Call, asked_call, generation_iteration
from .compiling import compilations
from .failure import usage
from .fields import Fields
from .globals import Globals
from .guard import guarded
from .job_base import PreparedJob, Ready, first_steps
from .place import Place
from .script_job import bound_arguments, check_model, default_name
from .script_load import Script


def prepare_generation(request: Fields, place: Place) -> PreparedJob:
    """Executes the file, makes the model and its cache, and runs the call once. Raises Failure."""
    call = asked_call(request)
    assert call is not None
    fields = request.object_at("script")
    if fields.boolean("data", False):
        raise usage("a call of a language model reads no data of a script: leave 'data' out")
    script = Script(fields.text("path"))
    try:
        with script.arguments():
            return _prepare(script, fields, call, place)
    except BaseException:
        script.close()
        raise


def _prepare(script: Script, fields: Fields, call: Call, place: Place) -> PreparedJob:
    name = fields.text("function", "build")
    arguments = fields.object_at("arguments").json if fields.has("arguments") else {}
    before = compilations()
    script.execute()
    function = script.function(name)
    label = f"{script.label}: {name}()"
    bound_arguments(function, name, arguments, label)
    explain = script.explain(f"{name}() or its {call.stage} failed")

    def build() -> tuple[Ready, Callable[[], Any]]:
        iteration = generation_iteration(
            function(**arguments), call, place, default_name(script, name), label
        )
        parameters = check_model(iteration.network, place, label)
        assert iteration.prepare is not None and iteration.repeat is not None
        iteration.prepare()
        return Ready(iteration.name, call.batch, parameters), iteration.repeat()

    ready, step = guarded(explain, build)
    guarded(explain, lambda: first_steps(step, place, ready, before))
    return PreparedJob(ready, step, place, Globals(place.torch), explain, script.close)

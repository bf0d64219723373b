"""The request `trace`: one iteration of a model or a script, or one call of a language model, as a program."""

from __future__ import annotations

import contextlib
from typing import Any, Iterator, Optional

from ..tracing.compiled import ONLY_REAL, require_gpu
from ..tracing.data import iteration_of
from ..tracing.generation import Call, asked_call, generation_iteration
from ..tracing.subject import Iteration, Subject
from ..tracing.tracer import trace
from .failure import usage
from .fields import Fields
from .globals import Globals
from .guard import network_error
from .model import Model, read_model
from .model_job import SEED, make_step, parts
from .place import Place
from .room import check_room
from .script_job import batch_argument, bound_arguments, check_model, default_name
from .script_load import Script
from .script_result import job_of
from .setups import Announced, Setup, read_setup


def answer_trace(
    request: Fields, place: Place, announced: Announced, defaults: Globals
) -> dict[str, Any]:
    if request.has("script") == request.has("model"):
        raise usage("trace: needs a 'model' or a 'script', and not both")
    way = request.text("way") if request.has("way") else None
    call = asked_call(request)
    defaults.apply()
    try:
        if request.has("script"):
            with script_subject(request.object_at("script"), place, call) as subject:
                program, notes = trace(subject, place, way)
        else:
            setup = read_setup(request.at("setup"), announced)
            subject = model_subject(read_model(request.at("model")), setup, place, defaults)
            given = request.object_at("setup").json
            program, notes = trace(subject, place, way)
            program["setup"] = {key: each for key, each in given.items() if each is not None}
    finally:
        defaults.apply()
    return {"program": program, "notes": notes}


def model_subject(model: Model, setup: Setup, place: Place, defaults: Globals) -> Subject:
    if setup.compile:
        require_gpu(model.name, place)

    def build(fake: Any) -> Iteration:
        if place.gpu is None and fake is None:
            check_room(model, setup)
        (defaults.with_matmul("high") if setup.precision == "tf32" else defaults).apply()
        place.torch.manual_seed(SEED)
        step, network, _ = make_step(model, setup, place)
        return Iteration(step, model.name, network, setup.batch * parts(setup))

    return Subject(
        build, network_error(model.name), only_real=ONLY_REAL if setup.compile else None
    )


@contextlib.contextmanager
def script_subject(fields: Fields, place: Place, call: Optional[Call] = None) -> Iterator[Subject]:
    """Valid inside the block, where the script's folder is importable. `call`: of a language model."""
    script = Script(fields.text("path"))
    try:
        with script.arguments():
            yield _script_subject(script, fields, place, call)
    finally:
        script.close()


def _script_subject(
    script: Script, fields: Fields, place: Place, call: Optional[Call]
) -> Subject:
    name = fields.text("function", "build")
    label = f"{script.label}: {name}()"
    arguments = fields.object_at("arguments").json if fields.has("arguments") else {}
    # The file itself is executed with real tensors: what it imports keeps its tensors for good.
    script.execute()
    bound = bound_arguments(script.function(name), name, arguments, label)
    used = False

    def build(fake: Any) -> Iteration:
        nonlocal used
        if used:
            script.execute()  # without what the first attempt has left in its variables
        used = True
        result = script.function(name)(**arguments)
        if call is not None:
            iteration = generation_iteration(result, call, place, default_name(script, name), label)
        else:
            iteration = iteration_of(job_of(result, label), default_name(script, name), fake)
            iteration.samples = iteration.samples or batch_argument(bound)
        if fake is None:
            check_model(iteration.network, place, label)
        return iteration

    what = "step" if call is None else call.stage
    return Subject(build, script.explain(f"{name}() or its {what} failed"), script.folder)

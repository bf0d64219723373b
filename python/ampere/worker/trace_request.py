"""The request `trace`: one iteration of a model or a script as a program."""

from __future__ import annotations

import contextlib
from typing import Any, Iterator

from ..tracing.data import iteration_of
from ..tracing.subject import Iteration, Subject
from ..tracing.tracer import trace
from .failure import failed, usage
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
    defaults.apply()
    try:
        if request.has("script"):
            with script_subject(request.object_at("script"), place) as subject:
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
        raise failed(
            f"{model.name}: a compiled network cannot be traced: what the device executes is "
            "chosen by the compiler; ask for the setup without 'compile'"
        )

    def build(fake: Any) -> Iteration:
        if place.gpu is None and fake is None:
            check_room(model, setup)
        (defaults.with_matmul("high") if setup.precision == "tf32" else defaults).apply()
        place.torch.manual_seed(SEED)
        step, network, _ = make_step(model, setup, place)
        return Iteration(step, model.name, network, setup.batch * parts(setup))

    return Subject(build, network_error(model.name))


@contextlib.contextmanager
def script_subject(fields: Fields, place: Place) -> Iterator[Subject]:
    """Valid inside the block, where the script's folder is importable."""
    script = Script(fields.text("path"))
    try:
        with script.arguments():
            yield _script_subject(script, fields, place)
    finally:
        script.close()


def _script_subject(script: Script, fields: Fields, place: Place) -> Subject:
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
        function = script.function(name)
        job = job_of(function(**arguments), label)
        if fake is None:
            check_model(job.model, place, label)
        iteration = iteration_of(job, default_name(script, name), fake)
        iteration.samples = iteration.samples or batch_argument(bound)
        return iteration

    return Subject(build, script.explain(f"{name}() or its step failed"), script.folder)

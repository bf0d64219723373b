"""Requests and their answers."""

from __future__ import annotations

import gc
import json
import traceback
from typing import Any, BinaryIO, Callable, Optional

from .compiling import forget_compiled
from .failure import Failure, failed, usage
from .fields import Fields, is_integer
from .globals import Globals
from .guard import short_text
from .job_base import PreparedJob
from .model import read_model
from .model_job import prepare_model
from .operation_child import OperationChild
from .place import Place
from .script_job import prepare_script
from .setups import Announced, read_setup
from .streams import read_line, write_line

Answer = dict[str, Any]


class Server:
    """Jobs by their numbers, and what is done with them."""

    def __init__(self, place: Place, announced: Announced) -> None:
        self._place = place
        self._announced = announced
        self._defaults = Globals(place.torch)
        self._jobs: dict[int, PreparedJob] = {}
        self._active: Optional[PreparedJob] = None
        self._child = OperationChild(place)
        self._actions: dict[str, Callable[[Fields], Answer]] = {
            "prepare": self._prepare,
            "run": self._run,
            "run_ahead": self._run_ahead,
            "time_step": self._time_step,
            "release": self._release,
            "trace": self._trace,
            "time_operations": self._time_operations,
        }

    def serve(self, requests: BinaryIO, answers: BinaryIO) -> None:
        """Until stdin ends or somebody asks to quit."""
        try:
            self._serve(requests, answers)
        finally:
            self._child.close()

    def _serve(self, requests: BinaryIO, answers: BinaryIO) -> None:
        while True:
            answer: Optional[Answer]
            try:
                line = read_line(requests)
                if line is None:
                    return
                answer = self.answer(line)
            except Failure as failure:
                answer = {"id": None, "error": failure.as_json()}
            if answer is None:
                return
            write_line(answers, answer)

    def answer(self, line: bytes) -> Optional[Answer]:
        """The answer to one line; None to quit."""
        number: object = None
        try:
            request = Fields(parse(line), "request")
            number = identity(request)
            action = request.text("do")
            if action == "quit":
                return None
            if action not in self._actions:
                known = ", ".join([*self._actions, "quit"])
                raise usage(f"'{action}' is no request: there are {known}")
            return {"id": number, **self._actions[action](request)}
        except Failure as failure:
            error = failure.as_json()
        except Exception as fault:
            # A fault of the worker itself: it is told in full on stderr, and the worker goes on.
            traceback.print_exc()
            error = failed(f"the worker has a fault: {short_text(fault)}").as_json()
        # Here nothing refers to what the failed request had allocated.
        self._free()
        return {"id": number, "error": error}

    def _prepare(self, request: Fields) -> Answer:
        job = request.integer("job")
        if job in self._jobs:
            raise usage(f"job {job} is there already: release it first")
        self._active = None
        if sum(request.has(each) for each in ("model", "script", "operation")) != 1:
            raise usage("prepare: needs one of 'model', 'script' and 'operation'")
        if request.has("operation"):
            from .operation_job import prepare_operation

            prepared = prepare_operation(request, self._place, self._defaults)
        elif request.has("generation"):
            from .generation_job import prepare_generation

            self._defaults.apply()
            prepared = prepare_generation(request, self._place)
        elif request.has("script"):
            self._defaults.apply()
            prepared = prepare_script(request.object_at("script"), self._place)
        else:
            setup = read_setup(request.at("setup"), self._announced)
            model = read_model(request.at("model"))
            prepared = prepare_model(model, setup, self._place, self._defaults)
        self._jobs[job] = self._active = prepared
        return {"ready": prepared.ready.as_json()}

    def _run(self, request: Fields) -> Answer:
        self._job(request).run(request.positive("iterations"))
        return {"done": {}}

    def _run_ahead(self, request: Fields) -> Answer:
        iterations, at_s = self._job(request).run_ahead(request.positive("iterations"))
        return {"completed": {"iterations": iterations, "at_s": at_s if iterations else None}}

    def _time_step(self, request: Fields) -> Answer:
        times = self._job(request).time_step()
        return {"times": times and {"device_s": times[0], "host_s": times[1]}}

    def _release(self, request: Fields) -> Answer:
        job = self._job(request)
        del self._jobs[request.integer("job")]
        self._active = None
        compiled = job.ready.compiled
        try:
            job.close()
        finally:
            del job
            if compiled and not any(each.ready.compiled for each in self._jobs.values()):
                forget_compiled()
            self._free()
        return {"done": {}}

    def _trace(self, request: Fields) -> Answer:
        from .trace_request import answer_trace

        self._active = None
        try:
            return answer_trace(request, self._place, self._announced, self._defaults)
        finally:
            self._free()

    def _time_operations(self, request: Fields) -> Answer:
        operations = request.list_at("operations")
        tensors = request.list_at("tensors") if request.has("tensors") else []
        return {"times": self._child.time(tensors, operations)}

    def _job(self, request: Fields) -> PreparedJob:
        """The job that is asked for, with its own settings of torch in force."""
        number = request.integer("job")
        if number not in self._jobs:
            raise usage(f"there is no job {number}")
        job = self._jobs[number]
        if job is not self._active:
            job.settings.apply()
            self._active = job
        return job

    def _free(self) -> None:
        gc.collect()
        if not self._jobs:
            # What is left now belongs to libraries. Looking through it again would take a tenth of
            # a second each time, longer than most timings.
            gc.freeze()
        try:
            self._place.free_cache()
        except RuntimeError:
            pass  # a GPU that has failed says so with the next request, which can answer it


def parse(line: bytes) -> object:
    try:
        value: object = json.loads(line.decode("utf-8"))
        return value
    except (ValueError, RecursionError) as error:
        text = line[:60].decode("utf-8", "replace").strip()
        raise usage(f"the request is not JSON ({error}): {text}") from None


def identity(request: Fields) -> object:
    """A whole number or a text; null if it is neither."""
    value = request.json.get("id")
    return value if isinstance(value, str) or is_integer(value) else None

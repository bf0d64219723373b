"""The callbacks, with stand-ins for the libraries: a trainer that calls the hooks as theirs do."""

import importlib
import sys
import types
import warnings

import ampere
import pytest
from ampere import _guard, budget as budget_module
from test_budget import FakeMetering

HOOKS = ["on_train_begin", "on_step_end", "on_train_end"]


class Metering(FakeMetering):
    """Every look at it costs 10 J."""

    def energy_so_far(self):
        self.energy += 10
        return super().energy_so_far()


@pytest.fixture(autouse=True)
def fake_meter(monkeypatch):
    monkeypatch.setattr(budget_module, "Metering", Metering)


@pytest.fixture
def huggingface(monkeypatch):
    class TrainerCallback:
        def on_train_begin(self, args, state, control, **kwargs): ...
        def on_step_end(self, args, state, control, **kwargs): ...
        def on_train_end(self, args, state, control, **kwargs): ...

    library = types.ModuleType("transformers")
    library.TrainerCallback = TrainerCallback
    monkeypatch.setitem(sys.modules, "transformers", library)
    monkeypatch.delitem(sys.modules, "ampere.huggingface", raising=False)
    yield importlib.import_module("ampere.huggingface")
    sys.modules.pop("ampere.huggingface", None)


@pytest.fixture(params=["lightning.pytorch", "pytorch_lightning"])
def lightning(monkeypatch, request):
    class Callback:
        def on_train_start(self, trainer, pl_module): ...

    names = {"lightning.pytorch": ["lightning", "lightning.pytorch", "lightning.pytorch.callbacks"],
             "pytorch_lightning": ["pytorch_lightning", "pytorch_lightning.callbacks"]}
    for name in ("lightning", "lightning.pytorch", "lightning.pytorch.callbacks", "pytorch_lightning",
                 "pytorch_lightning.callbacks"):
        module = None
        if name in names[request.param]:
            module = types.ModuleType(name)
            module.__path__ = []
            module.Callback = Callback
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.delitem(sys.modules, "ampere.lightning", raising=False)
    yield importlib.import_module("ampere.lightning")
    sys.modules.pop("ampere.lightning", None)


def train_huggingface(callback, steps=100):
    control = types.SimpleNamespace(should_training_stop=False, should_save=False)
    callback.on_train_begin(None, None, control, model=None)
    for step in range(1, steps + 1):
        callback.on_step_end(None, None, control, model=None)
        if control.should_training_stop:
            break
    callback.on_train_end(None, None, control)
    return step, control


class Trainer:
    is_global_zero = True

    def __init__(self):
        self.should_stop = False
        self.strategy = types.SimpleNamespace(reduce_boolean_decision=lambda answer, all: answer)

    def fit(self, callback, steps=100):
        callback.on_train_start(self, None)
        for step in range(1, steps + 1):
            callback.on_train_batch_end(self, None, {}, None, step)
            if self.should_stop:
                break
        callback.on_train_end(self, None)
        return step


def test_huggingface_saves_and_stops_before_the_budget_is_exceeded(huggingface):
    callback = huggingface.BudgetCallback("95 J")
    step, control = train_huggingface(callback)
    assert step == 9 and control.should_save and callback.stopped  # 90 J, and the next would need 10
    assert callback.budget.used_j == 90


def test_huggingface_need_not_save_and_need_not_stop(huggingface):
    _, control = train_huggingface(huggingface.BudgetCallback("95 J", save=False))
    assert control.should_training_stop and not control.should_save
    callback = huggingface.BudgetCallback("1 MJ")
    step, control = train_huggingface(callback)
    assert step == 100 and not control.should_training_stop and not callback.stopped


def test_lightning_stops_before_the_budget_is_exceeded(lightning):
    trainer, callback = Trainer(), lightning.BudgetCallback("95 J")
    assert trainer.fit(callback) == 9 and callback.stopped and callback.budget.used_j == 90


def test_own_budget_is_used_and_not_closed(huggingface):
    with ampere.Budget("95 J") as budget:
        train_huggingface(huggingface.BudgetCallback(budget))
        assert budget._metering is not None


def test_wrong_text_is_refused_when_the_callback_is_made(huggingface, lightning):
    for library in (huggingface, lightning):
        with pytest.raises(ampere.UsageError, match="is not an energy"):
            library.BudgetCallback("a lot")


def test_no_fault_of_ours_ends_a_training(huggingface, lightning, monkeypatch):
    def broken(*_, **__):
        raise RuntimeError("no meter at all")

    monkeypatch.setattr(_guard, "Budget", broken)
    monkeypatch.setattr(_guard, "isinstance", lambda *_: False, raising=False)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert train_huggingface(huggingface.BudgetCallback("95 J"))[0] == 100
        assert Trainer().fit(lightning.BudgetCallback("95 J")) == 100
    assert [str(one.message) for one in caught] == ["the budget is not watched: RuntimeError: no meter at all"] * 2
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # not even a warning that became an exception
        assert train_huggingface(huggingface.BudgetCallback("95 J"))[0] == 100


def test_every_hook_survives_nonsense(huggingface, lightning):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        callback = huggingface.BudgetCallback("95 J")
        for hook in HOOKS:
            assert getattr(callback, hook)(None, None, None) is None
        callback = lightning.BudgetCallback("95 J")
        for hook, count in (("on_train_start", 2), ("on_train_batch_end", 5), ("on_train_end", 2), ("on_exception", 3)):
            assert getattr(callback, hook)(*[None] * count) is None


def test_processes_follow_the_first(huggingface, monkeypatch):
    """Rank 1 of 2 counts nothing and stops when rank 0 says so."""
    answers = iter([False, False, True])

    def broadcast(box, src):
        assert src == 0
        box[0] = next(answers)

    distributed = types.SimpleNamespace(get_rank=lambda: 1, get_world_size=lambda: 2, broadcast_object_list=broadcast)
    monkeypatch.setattr(huggingface, "_distributed", lambda: distributed)
    callback = huggingface.BudgetCallback("95 J")
    step, _ = train_huggingface(callback)
    assert step == 3 and callback.budget is None


def test_several_machines_are_pointed_out(huggingface, monkeypatch):
    monkeypatch.setenv("WORLD_SIZE", "16")
    monkeypatch.setenv("LOCAL_WORLD_SIZE", "8")
    with pytest.warns(ampere.AmpereWarning, match="not of all 2"):
        train_huggingface(huggingface.BudgetCallback("95 J"))


@pytest.mark.parametrize("module, library", [("huggingface", "transformers"), ("lightning", "lightning")])
def test_missing_library_is_said(monkeypatch, module, library):
    for name in ("transformers", "lightning", "lightning.pytorch", "lightning.pytorch.callbacks", "pytorch_lightning"):
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.delitem(sys.modules, f"ampere.{module}", raising=False)
    monkeypatch.delattr(ampere, module, raising=False)
    with pytest.raises(ampere.UsageError, match=f"{library} cannot be imported"):
        getattr(ampere, module)


def test_unknown_attribute_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        ampere.nonsense

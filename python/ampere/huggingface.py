"""An energy budget for the Trainer of Hugging Face transformers.

``Trainer(..., callbacks=[ampere.huggingface.BudgetCallback("2 kWh")])`` saves and stops before the next step
would exceed the budget.
"""

from __future__ import annotations

from typing import Any, Optional, Union

from ._guard import Guard, Guarded, harmless
from .budget import Budget
from .errors import UsageError

try:
    from transformers import TrainerCallback
except ImportError as missing:
    raise UsageError(f"transformers cannot be imported: {missing}", "install transformers") from missing


class BudgetCallback(Guarded, TrainerCallback):
    """Asks the budget after every optimizer step. A fault of ours becomes a warning and never ends a training.

    With several processes, rank 0 counts and all of them stop at the same step.
    """

    def __init__(self, limit: Union[str, float, Budget], *, meter: Optional[str] = None, save: bool = True) -> None:
        self.guard = Guard(limit, meter)
        self._save = save

    @harmless
    def on_train_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        if _rank() == 0:
            self.guard.begin()

    @harmless
    def on_step_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        if _decided_by_first(self.guard.would_exceed()):
            self.guard.stopped = True
            control.should_training_stop = True
            if self._save:
                control.should_save = True

    @harmless
    def on_train_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        self.guard.end()


def _distributed() -> Any:
    try:
        import torch.distributed as distributed
    except ImportError:
        return None
    return distributed if distributed.is_available() and distributed.is_initialized() else None


def _rank() -> int:
    distributed = _distributed()
    return 0 if distributed is None else int(distributed.get_rank())


def _decided_by_first(answer: bool) -> bool:
    """The answer of rank 0 in every process: if only some of them stopped, the others would wait forever."""
    distributed = _distributed()
    if distributed is None or distributed.get_world_size() == 1:
        return answer
    box = [answer]
    distributed.broadcast_object_list(box, src=0)
    return bool(box[0])

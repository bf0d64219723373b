"""An energy budget for the Trainer of Lightning.

``Trainer(callbacks=[ampere.lightning.BudgetCallback("2 kWh")])`` stops before the next step would exceed the
budget.
"""

from __future__ import annotations

from typing import Any, Optional, Union

from ._guard import Guard, Guarded, harmless
from .budget import Budget
from .errors import UsageError

try:
    from lightning.pytorch.callbacks import Callback
except ImportError:
    try:
        from pytorch_lightning.callbacks import Callback
    except ImportError as missing:
        raise UsageError(f"lightning cannot be imported: {missing}", "install lightning") from missing


class BudgetCallback(Guarded, Callback):
    """Asks the budget after every batch. A fault of ours becomes a warning and never ends a training.

    With several processes, rank 0 counts and all of them stop at the same batch.
    """

    def __init__(self, limit: Union[str, float, Budget], *, meter: Optional[str] = None) -> None:
        super().__init__()
        self.guard = Guard(limit, meter)

    @harmless
    def on_train_start(self, trainer: Any, pl_module: Any) -> None:
        if trainer.is_global_zero:
            self.guard.begin()

    @harmless
    def on_train_batch_end(self, trainer: Any, pl_module: Any, outputs: Any, batch: Any, batch_idx: int,
                           *more: Any) -> None:
        # If only some processes stopped, the others would wait for them forever.
        if trainer.strategy.reduce_boolean_decision(self.guard.would_exceed(), all=False):
            self.guard.stopped = True
            trainer.should_stop = True

    @harmless
    def on_train_end(self, trainer: Any, pl_module: Any) -> None:
        self.guard.end()

    @harmless
    def on_exception(self, trainer: Any, pl_module: Any, exception: BaseException) -> None:
        self.guard.end()

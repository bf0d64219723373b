#!/usr/bin/env python3
"""Tries the callbacks and the exporters with the real libraries: real_callbacks.py

Trains something tiny with the Trainer of transformers and with that of lightning under a small budget, and
exports a module by both exporters of PyTorch. Prints one line per trial: what happened, or which library is
missing. Exits with 1 if a trial failed. Not run by the tests, because the libraries are large.
"""

import sys
import tempfile
import time
import traceback
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import ampere  # noqa: E402

METER = "modelled:static=20,core=0,cpu=machine"  # 20 W: a budget of 20 J lasts one second
STEPS = 2000  # of about 5 ms: ten seconds without a budget


def trial_huggingface():
    import torch
    import transformers
    from ampere.huggingface import BudgetCallback

    class Net(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.fc = torch.nn.Linear(4, 2)

        def forward(self, x, labels=None):
            time.sleep(0.005)
            y = self.fc(x)
            return {"loss": torch.nn.functional.cross_entropy(y, labels), "logits": y}

    data = [{"x": torch.randn(4), "labels": torch.tensor(i % 2)} for i in range(8)]
    callback = BudgetCallback("20 J", meter=METER)
    with tempfile.TemporaryDirectory() as folder:
        arguments = transformers.TrainingArguments(
            output_dir=folder, max_steps=STEPS, per_device_train_batch_size=8, report_to=[], disable_tqdm=True,
            logging_strategy="no", save_strategy="no", remove_unused_columns=False)
        trainer = transformers.Trainer(model=Net(), args=arguments, train_dataset=data, callbacks=[callback])
        trainer.train()
        saved = [path.name for path in Path(folder).glob("checkpoint-*")]
    assert callback.stopped and 0 < trainer.state.global_step < STEPS, trainer.state.global_step
    assert callback.guard.fault is None and saved, (callback.guard.fault, saved)
    return f"transformers {transformers.__version__}: stopped at step {trainer.state.global_step}, {callback.budget}, {saved}"


def trial_lightning():
    import torch
    try:
        import lightning.pytorch as lightning
    except ImportError:
        import pytorch_lightning as lightning
    from ampere.lightning import BudgetCallback

    class Net(lightning.LightningModule):
        def __init__(self):
            super().__init__()
            self.fc = torch.nn.Linear(4, 2)

        def training_step(self, batch, _):
            time.sleep(0.005)
            return self.fc(batch).square().mean()

        def configure_optimizers(self):
            return torch.optim.SGD(self.parameters(), lr=0.01)

    callback = BudgetCallback("20 J", meter=METER)
    trainer = lightning.Trainer(max_steps=STEPS, callbacks=[callback], logger=False, enable_checkpointing=False,
                                enable_progress_bar=False, enable_model_summary=False, accelerator="auto", devices=1)
    trainer.fit(Net(), torch.utils.data.DataLoader(torch.randn(64, 4), batch_size=8))
    assert callback.stopped and 0 < trainer.global_step < STEPS, trainer.global_step
    assert callback.guard.fault is None, callback.guard.fault
    return f"lightning {lightning.__version__}: stopped at step {trainer.global_step}, {callback.budget}"


def trial_export():
    import json
    import subprocess

    import torch
    from ampere import _onnx_export

    torch_module = _onnx_export._torch()
    nn = torch.nn
    net = nn.Sequential(nn.Conv2d(3, 64, 3), nn.BatchNorm2d(64), nn.ReLU(), nn.Dropout(0.5), nn.Flatten(),
                        nn.Linear(64 * 30 * 30, 100))
    inputs = (torch.randn(4, 3, 32, 32),)
    expected = sum(one.numel() for one in net.parameters())
    results = []
    for exporter in (_onnx_export._export_by_tracing, _onnx_export._export_by_dynamo):
        try:
            with _onnx_export.preserved(net), _onnx_export._quiet():
                structure = exporter(torch_module, net, inputs, {})
        except _onnx_export._NotAvailable:
            results.append(f"{exporter.__name__} is not in this torch")
            continue
        except ImportError as missing:
            results.append(f"{exporter.__name__}: {missing}")
            continue
        assert len(structure) < 100_000, len(structure)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "net.onnx")
            path.write_bytes(structure)
            shown = json.loads(subprocess.check_output([ampere._program.program(), "show", str(path), "--json"]))
        assert shown["parameters"] == expected, (shown["parameters"], expected)
        results.append(f"{exporter.__name__}: {len(structure)} bytes, {expected} parameters")
    return f"torch {torch.__version__}: " + "; ".join(results)


def main():
    failed = False
    for trial in (trial_export, trial_huggingface, trial_lightning):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("default")
                print(f"{trial.__name__}: {trial()}", flush=True)
        except ImportError as missing:
            print(f"{trial.__name__}: skipped: {missing}", flush=True)
        except ampere.UsageError as missing:
            print(f"{trial.__name__}: skipped: {missing}", flush=True)
        except Exception:
            failed = True
            print(f"{trial.__name__}: failed", flush=True)
            traceback.print_exc()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

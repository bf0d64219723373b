"""ampere.trace: modules, functions, scripts and jobs become programs."""

import gzip
import json
import textwrap

import ampere
import pytest

torch = pytest.importorskip("torch", reason="skipped: no torch")
nn = torch.nn


class Tied(nn.Module):
    """Two layers with one weight."""

    def __init__(self):
        super().__init__()
        self.embedding, self.head = nn.Embedding(11, 4), nn.Linear(4, 11, bias=False)
        self.head.weight = self.embedding.weight

    def forward(self, ids):
        return self.head(self.embedding(ids))


def network():
    return nn.Sequential(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.Flatten(), nn.Linear(144, 5))


def images(batch=2):
    return torch.randn(batch, 3, 8, 8)


def kinds(program):
    return {name.partition(".")[0] for name in program.operations}


@pytest.mark.parametrize("way", ["fake", "run", None])
def test_module_stays_as_it_was(way):
    net, target = network(), torch.randint(0, 5, (2,))
    optimizer = torch.optim.AdamW(net.parameters())
    before = {name: value.clone() for name, value in net.state_dict().items()}
    program = ampere.trace(net.eval(), images(), target=target, loss=nn.CrossEntropyLoss(), optimizer=optimizer, way=way)
    assert all(torch.equal(value, before[name]) for name, value in net.state_dict().items())
    assert not net.training and not optimizer.state and net[0].weight.grad is None
    assert {"convolution", "batch_norm", "nll_loss_forward", "batch_norm_backward", "addcdiv_"} <= kinds(program)
    assert (program.samples, program.parameters, program.way, program.device) == (2, 845, way or "fake", "cpu")
    assert program.notes == []


def test_both_ways_agree():
    fake, run = (ampere.trace(network(), images(), way=way) for way in ("fake", "run"))
    assert fake.operations == run.operations
    assert fake.raw["storages"] == run.raw["storages"]


def test_program_is_saved_as_its_format_says(tmp_path):
    program = ampere.trace(network(), images())
    path = tmp_path / "net.program"
    program.save(path)
    assert json.loads(gzip.decompress(path.read_bytes())) == program.to_dict()
    assert [each.name for each in tmp_path.iterdir()] == ["net.program"]
    with pytest.raises(ampere.FailedError, match="nowhere"):
        program.save(tmp_path / "nowhere" / "net.program")


def test_program_is_shown():
    program = ampere.trace(network(), images())
    assert repr(program) == f"<ampere.Program Sequential: {len(program.operations)} operations on cpu, fake>"
    assert "forward 5, loss 2" in str(program) and "845 parameters, 2 samples" in str(program)


@pytest.mark.parametrize("optimizer", ["sgd", "plain-sgd", "adam", "adamw"])
def test_optimizers_by_name(optimizer):
    assert len(ampere.trace(network(), images(), optimizer=optimizer).operations) > 10


def test_inputs_by_name_and_in_order():
    class Two(nn.Module):
        def __init__(self):
            super().__init__()
            self.fc = nn.Linear(4, 4)

        def forward(self, a, b):
            return {"loss": (self.fc(a) * b).sum()}

    pair = torch.randn(2, 4), torch.randn(2, 4)
    first, second = ampere.trace(Two(), pair), ampere.trace(Two(), {"a": pair[0], "b": pair[1]})
    assert first.operations == second.operations and first.samples == second.samples == 2
    assert "mean" not in kinds(first)  # its own loss


def test_shared_weights_are_trained_once():
    program = ampere.trace(Tied(), torch.randint(0, 11, (2, 3)))
    assert program.parameters == 44
    assert [row[0] for row in program.raw["storages"] if row[3] == 0] == [176]


def test_autocast():
    program = ampere.trace(network(), images(), precision="bf16")
    assert "_to_copy" in program.operations
    with pytest.raises(ampere.UsageError, match="there are fp32, tf32, bf16, fp16"):
        ampere.trace(network(), images(), precision="int4")


def build(batch=4, look=False):
    model = nn.Linear(6, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    x = torch.randn(batch, 6)

    def step():
        optimizer.zero_grad()
        loss = model(x).sum()
        loss.backward()
        optimizer.step()
        return loss.item() if look else loss

    return ampere.Job(step, model=model, name="mine")


def test_function_is_called_with_fake_tensors():
    program = ampere.trace(build, args={"batch": 10**10})
    assert (program.name, program.samples, program.way) == ("mine", 10**10, "fake")


def test_function_that_looks_at_numbers_is_run():
    program = ampere.trace(build, args={"look": True}, device="cpu")
    assert program.way == "run" and "test_trace.py, line" in program.notes[0]
    with pytest.raises(ampere.FailedError, match="_local_scalar_dense"):
        ampere.trace(build, args={"look": True}, way="fake")


def test_job_is_run():
    program = ampere.trace(build())
    assert (program.name, program.way) == ("mine", "run")
    with pytest.raises(ampere.FailedError, match="give the function that builds it"):
        ampere.trace(build(), way="fake")


def test_script(tmp_path):
    path = tmp_path / "train.py"
    path.write_text(textwrap.dedent("""
        import torch
        def build(batch=2):
            model = torch.nn.Linear(3, 3)
            return model, torch.randn(batch, 3), lambda y: y.sum(), torch.optim.Adam(model.parameters())
    """))
    program = ampere.trace(f"{path}:build", args={"batch": 7})
    assert (program.name, program.samples, program.way) == ("train", 7, "fake")
    with pytest.raises(ampere.UsageError, match="unexpected keyword argument 'size'"):
        ampere.trace(f"{path}:build", args={"size": 7})


def raising():
    raise KeyError("no such head")


def returning_nothing():
    return None


@pytest.mark.parametrize("call, kind, text", [
    (lambda: ampere.trace(network()), ampere.UsageError, "a module needs inputs"),
    (lambda: ampere.trace(network(), images(), args={"batch": 1}), ampere.UsageError, "a module takes no args"),
    (lambda: ampere.trace(build, optimizer="sgd"), ampere.UsageError, "takes no optimizer"),
    (lambda: ampere.trace(7), ampere.UsageError, "7 cannot be traced"),
    (lambda: ampere.trace("resnet18"), ampere.UsageError, "cannot be traced"),
    (lambda: ampere.trace(network(), images(), optimizer="lion"), ampere.UsageError, "there are sgd"),
    (lambda: ampere.trace(network(), images(), way="slow"), ampere.UsageError, "there are fake, run"),
    (lambda: ampere.trace(network(), torch.randn(2, 4, 8, 8)), ampere.FailedError, "expected input"),
    (lambda: ampere.trace(raising), ampere.FailedError, "KeyError: 'no such head'"),
    (lambda: ampere.trace(returning_nothing), ampere.FailedError, "must return ampere.Job"),
    (lambda: ampere.trace(build, device="cuda:99"), ampere.UnknownError, "cuda:99"),
])
def test_what_cannot_be_traced(call, kind, text):
    with pytest.raises(kind, match=text):
        call()


def test_settings_of_torch_are_put_back():
    net, inputs = network(), images()
    before, numbers = torch.get_float32_matmul_precision(), torch.get_rng_state()
    ampere.trace(net, inputs, precision="tf32", way="run")
    assert torch.get_float32_matmul_precision() == before
    assert torch.equal(torch.get_rng_state(), numbers)
    assert type(torch.ones(1)) is torch.Tensor


def test_module_is_converted_with_fake_tensors_and_keeps_what_it_shares():
    def build():
        model = torch.nn.ModuleDict({"embedding": torch.nn.Embedding(7, 4), "output": torch.nn.Linear(4, 7)})
        model["output"].weight = model["embedding"].weight
        model = model.to(torch.float64)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        tokens = torch.zeros(5, dtype=torch.long)

        def step():
            model["output"](model["embedding"](tokens)).sum().backward()
            optimizer.step()
            optimizer.zero_grad()

        return ampere.Job(step, model=model)

    before = torch.nn.Module._apply
    traced = {way: ampere.trace(build, way=way).to_dict() for way in ("fake", "run")}
    assert torch.nn.Module._apply is before
    assert traced["fake"]["parameters"] == traced["run"]["parameters"] == 7 * 4 + 7
    assert traced["fake"]["operations"] == traced["run"]["operations"]
    product = next(each for each in traced["fake"]["operations"] if each["name"] == "addmm")
    assert all(traced["fake"]["tensors"][each["tensor"]][0] == "fp64" for each in product["arguments"][:3])

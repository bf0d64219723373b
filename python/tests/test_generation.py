"""ampere.estimate_generation: what language models take to generate text."""

import subprocess
import sys
from pathlib import Path

import ampere
import pytest

torch = pytest.importorskip("torch", reason="skipped: no torch")
from language_models import LikeTransformers, Own, WIDTH  # noqa: E402
from pages import code_blocks, run_code  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
H200 = dict(device="h200", store="sqlite:none.db")


def estimate(model, **options):
    wanted = dict(prompt=8, new_tokens=5, batch=2, **H200)
    return ampere.estimate_generation(model, **{**wanted, **options})


def traced(model, stage="decode", batch=2, tokens=1, context=8, precision=None, way=None):
    """One call, as estimate_generation traces it."""
    from ampere._generation import _traced_calls
    call = dict(stage=stage, batch=batch, tokens=tokens, context=context)
    return _traced_calls(model, {}, [call], precision, way)[0]


def test_a_module_with_prefill_and_decode(real_program):
    model = Own()
    g = estimate(model, batch=[1, 4])
    assert (g.model, g.prompt, g.new_tokens, g.number_format) == ("Own", 8, 5, "fp32")
    assert [one.batch for one in g.batches] == [1, 4] and g.device == "NVIDIA H200" and g.source == "measured"
    for one in g.batches:
        assert [each.context for each in one.contexts] == [8, 9, 10, 11]
        token = one.energy_j_per_new_token
        assert 0 < token.low < token.mean < token.high
        assert one.time_to_first_token_s.mean > 0 and one.time_between_tokens_s.mean > 0
        parts = one.energy_j_per_prompt_token.mean * one.batch * 8 + token.mean * one.batch * 4
        assert one.energy_j.mean == pytest.approx(parts)
    assert g.best == g.best_by_means == g.batches[1]  # a batch shares what a step costs
    assert any("rests on training iterations" in text for text in g.warnings)
    assert "batch 4" in str(g) and "(cheapest)" in str(g)


@pytest.mark.parametrize("cache", ["object", "pairs"])
def test_a_module_that_is_called_as_those_of_transformers(cache, real_program):
    g = estimate(LikeTransformers(cache))
    assert g.model == "LikeTransformers" and g.batches[0].energy_j_per_new_token.mean > 0
    # Two layers of keys and values for 12 tokens of 2 sequences.
    assert g.batches[0].cache_bytes == 2 * 2 * 12 * 2 * WIDTH * 4


@pytest.mark.parametrize("cache", ["object", "pairs"])
def test_its_convention_is_kept(cache):
    seen = []

    def build():
        model = LikeTransformers(cache)
        model.seen = seen
        return model

    traced(build, context=8, way="run")
    assert seen == [((2, 7), False, True, 1), ((2, 1), True, True, 1), ((2, 1), True, True, 1)]


def test_all_ways_to_call_a_model_give_the_same_operations():
    own, pairs, objects = (traced(model).operations for model in (Own(), LikeTransformers("pairs"), LikeTransformers()))
    assert pairs == objects
    assert [name for name in own if name != "slice.Tensor"] == [name for name in pairs if name != "slice.Tensor"]


def test_both_ways_of_tracing_agree():
    for stage, tokens, context in (("prefill", 8, 0), ("decode", 1, 8)):
        fake, run = (traced(Own(), stage, 2, tokens, context, way=way) for way in ("fake", "run"))
        assert fake.operations == run.operations and fake.way == "fake" and run.way == "run"
        assert fake.raw["generation"] == run.raw["generation"]
        assert fake.raw["storages"] == run.raw["storages"]


def test_a_decode_reads_one_token_and_the_whole_cache():
    program = traced(Own(), context=20)
    assert program.raw["generation"] == dict(stage="decode", batch=2, tokens=1, context=20,
                                             cache_bytes=2 * 2 * 21 * 2 * WIDTH * 4)
    products = [[program.raw["tensors"][value["tensor"]][1] for value in row["arguments"] if isinstance(value, dict)]
                for row in program.raw["operations"] if row["name"] == "bmm"]
    assert [[8, 1, 8], [8, 8, 21]] in products
    assert not any("backward" in name for name in program.operations)
    before = [row[0] for row in program.raw["storages"] if row[1] == -1 and row[3] == 3]
    assert sum(before) >= 2 * 2 * 20 * 2 * WIDTH * 4  # the cache is memory that is there before


def test_the_model_stays_as_it_was(real_program):
    model = Own().train()
    before = {name: value.clone() for name, value in model.state_dict().items()}
    g = estimate(model, precision="bf16")
    assert g.number_format == "bf16"
    assert model.training and all(one.dtype == torch.float32 for one in model.parameters())
    assert all(torch.equal(value, before[name]) for name, value in model.state_dict().items())
    assert torch.is_grad_enabled()


def test_half_the_bytes_in_bf16(real_program):
    full, half = estimate(Own()).batches[0], estimate(Own(), precision="bf16").batches[0]
    assert half.cache_bytes * 2 == full.cache_bytes


def test_a_function_that_builds_a_generator(real_program):
    def build(layers):
        model = Own(layers)
        return ampere.Generator(lambda tokens: model.run(tokens, None), model.run, model, positions=30, name="mine")

    g = estimate(build, args={"layers": 3})
    assert g.model == "mine" and g.batches[0].cache_bytes == 3 * 2 * 12 * 2 * WIDTH * 4
    with pytest.raises(ampere.Error, match=r"31 tokens is longer than the 30 positions"):
        estimate(build, args={"layers": 1}, prompt=30)


def test_a_list_of_traced_calls(real_program, tmp_path):
    model = Own()
    programs = [traced(model, "prefill", 2, 8, 0), *(traced(model, context=context) for context in (8, 9, 11))]
    programs[0].save(tmp_path / "prefill.program")
    g = estimate([str(tmp_path / "prefill.program"), *programs[1:]])
    assert g.batches[0].energy_j.mean == pytest.approx(estimate(model, contexts=[9]).batches[0].energy_j.mean)
    with pytest.raises(ampere.UsageError, match="need contexts of 8 to 16 tokens"):
        estimate(programs, new_tokens=10)
    with pytest.raises(ampere.UsageError, match="no prefill of a prompt of 9"):
        estimate(programs, prompt=9, new_tokens=2)
    with pytest.raises(ampere.UsageError, match="takes no precision"):
        estimate(programs, precision="bf16")


def test_a_training_iteration_is_no_decode(real_program):
    iteration = ampere.trace(torch.nn.Linear(4, 4), torch.randn(2, 4))
    with pytest.raises(ampere.UsageError, match="neither a prefill nor a decode"):
        estimate([iteration])


def test_a_script(real_program):
    g = ampere.estimate_generation(str(ROOT / "examples/generate/gpt.py") + ":build", prompt=8, new_tokens=3, batch=1,
                                   args=dict(width=32, layers=1, heads=2, vocabulary=50, device="cpu"), **H200)
    assert g.model == "gpt" and [each.context for each in g.batches[0].contexts] == [8, 9]


def test_the_example_of_the_page_runs(real_program, monkeypatch):
    monkeypatch.setenv("AMPERE_STORE", "sqlite:none.db")
    ((_, code),) = code_blocks(ROOT / "docs" / "generation.md", "python")
    assert "Own: prompts of 512 tokens" in run_code(code, "generation.md", {"model": Own(positions=1000)})


def test_limits_are_kept(real_program):
    strict = estimate(Own(), batch=[1, 2], latency_limit="1ms")
    assert strict.best is None and strict.why_no_best
    assert "no batch keeps every limit" in str(strict)
    assert estimate(Own(), batch=[1, 2], latency_limit="10s").best.batch == 2


def test_one_new_token_is_not_decoded(real_program):
    one = estimate(Own(), new_tokens=1).batches[0]
    assert one.energy_j_per_new_token is None and one.time_between_tokens_s is None and one.contexts == []
    assert one.energy_j.mean > 0


def without_cache():
    return LikeTransformers(gives_cache=False)


def test_what_is_wrong_is_said(real_program):
    with pytest.raises(ampere.Error, match="Linear has no cache .* past_key_values"):
        estimate(torch.nn.Linear(4, 4))
    with pytest.raises(ampere.Error, match="returned no cache"):
        estimate(without_cache())
    with pytest.raises(ampere.Error, match=r"a sequence of 49 tokens is longer than the 48 positions"):
        estimate(LikeTransformers(), prompt=45, new_tokens=5)
    with pytest.raises(ampere.UsageError, match="--prompt: 0 is not between 1 and"):
        estimate(Own(), prompt=0)
    with pytest.raises(ampere.UsageError, match="--new-tokens: 0 is not between"):
        estimate(Own(), new_tokens=0)
    with pytest.raises(ampere.UsageError, match="batch: the list is empty"):
        estimate(Own(), batch=[])
    with pytest.raises(ampere.UsageError, match="number_format: 'int4' is not there"):
        estimate(Own(), precision="int4")
    with pytest.raises(ampere.UsageError, match="function that builds it"):
        estimate(ampere.Generator(print, print))
    with pytest.raises(ampere.UsageError, match="is no language model"):
        estimate(7)
    with pytest.raises(ampere.UsageError, match="a module: takes no args"):
        estimate(Own(), args={"a": 1})
    with pytest.raises(ampere.Error, match="must give ampere.Generator"):
        estimate(lambda: 7)
    with pytest.raises(ampere.Error, match="cannot be converted to bf16"):
        estimate(lambda: ampere.Generator(Own().prefill, Own().decode), precision="bf16")
    with pytest.raises(ampere.Error, match="unit that is known"):
        estimate(Own(), latency_limit="30")


def test_a_model_that_fails_says_where(real_program):
    class Broken(Own):
        def decode(self, token, cache):
            raise KeyError("my own mistake")

    with pytest.raises(ampere.Error, match="the decode failed(.|\n)*my own mistake"):
        estimate(Broken())


def test_a_cache_is_found_in_objects():
    from ampere.tracing.cache import cache_bytes

    class Slots:
        __slots__ = ("keys", "again")

    class Layer:
        def __init__(self):
            self.keys = torch.zeros(10)

    inner, outer = Slots(), Layer()
    inner.keys, inner.again = torch.zeros(3), outer
    outer.layers, outer.loop = [inner, {"x": (outer.keys[:5],)}], outer
    assert cache_bytes(outer) == (10 + 3) * 4  # what is shared counts once
    assert cache_bytes([torch.nn.Linear(2, 2)]) == 0  # weights are no cache


@pytest.mark.parametrize("values", [dict(prefill=1), dict(decode=1), dict(positions=True), dict(positions="1"), dict(name=1)])
def test_a_generator_checks_its_values(values):
    with pytest.raises(TypeError):
        ampere.Generator(**{**dict(prefill=print, decode=print), **values})


def test_importing_ampere_does_not_import_torch():
    code = "import ampere, sys; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT / "python").returncode == 0


def test_with_the_device_at_hand(real_program, tmp_path):
    store = f"sqlite:{tmp_path / 'store.db'}"
    ampere.profile(general=True, operations=120, programs=3, rig="sim:server", store=store)
    model = Own()
    programs = [traced(model, "prefill", 2, 8, 0), *(traced(model, context=context) for context in (8, 9, 11))]
    own = dict(device=None, store=store)
    assert estimate(programs, **own).raw["at_hand"] is None
    seen = estimate(programs, refine=True, rig="sim:server", **own)
    assert seen.raw["at_hand"]["timed_operations"] > 5
    assert any("the host was not measured" in text for text in seen.warnings)
    with pytest.raises(ampere.UsageError, match="the rig is simulated"):
        estimate(programs, refine=True, rig="sim:server")

"""cost: the energy as a function of the widths, its gradient, and its errors."""

import math
import time

import ampere
import pytest


@pytest.fixture
def cost(store):
    with ampere.cost("cnn5", store=store) as one:
        yield one


def test_names_the_widths_and_what_answers(cost):
    assert [width.value for width in cost.widths] == cost.original() and len(cost.widths) == 4
    assert cost.source == "simulated" and cost.method == "dual" and "Xavier" in cost.device


def test_whole_widths_cost_what_an_estimate_says(cost, store):
    for widths in ([9, 16, 32, 64], [5, 11, 23, 47]):  # of networks that were never run
        values = cost.evaluate([widths])
        estimate = ampere.estimate("cnn5:" + ",".join(map(str, widths)), store=store)
        assert estimate.earlier_runs == 0
        assert values.energy_j[0] == pytest.approx(estimate.energy_j, rel=1e-6)
        (low, high), = values.interval()
        assert low == pytest.approx(estimate.interval.low, rel=1e-6)
        assert high == pytest.approx(estimate.interval.high, rel=1e-6)
        assert values.interval(0.9) == values.interval() and values.interval(0.5)[0][0] > low


def test_between_whole_widths_the_energy_is_on_the_line(cost):
    a, b, middle = cost.evaluate([[8, 16, 32, 64], [9, 16, 32, 64], [8.25, 16, 32, 64]]).energy_j
    assert middle == pytest.approx(a + 0.25 * (b - a), rel=1e-12)


def test_the_gradient_is_the_slope(cost):
    below, above = cost.evaluate([[8, 16, 32, 63], [8, 16, 32, 65]]).energy_j
    whole = cost.evaluate([[8, 16, 32, 64]], gradient=True).gradient
    assert whole[0][3] == pytest.approx((above - below) / 2, rel=1e-9)
    (left,), (right,) = ([one] for one in cost.evaluate([[8, 16, 32, 64.4], [8, 16, 32, 64.6]]).energy_j)
    between = cost.evaluate([[8, 16, 32, 64.5]], gradient=True).gradient
    assert between[0][3] == pytest.approx((right - left) / 0.2, rel=1e-6)


def test_autograd_flows_through_it(cost):
    torch = pytest.importorskip("torch")
    widths = torch.tensor([[8.0, 16.5, 32.0, 64.0], [5.0, 11.0, 23.25, 47.0]], dtype=torch.float64, requires_grad=True)
    energies = cost(widths)
    assert energies.shape == (2,)
    (3 * energies).sum().backward()
    expected = cost.evaluate(widths.tolist(), gradient=True)
    assert energies.tolist() == pytest.approx(expected.energy_j)
    for got, row in zip(widths.grad.tolist(), expected.gradient):
        assert got == pytest.approx([3 * one for one in row])
    with pytest.raises(ampere.UsageError, match="must have 4 numbers"):
        cost(torch.zeros(3))


def test_wrong_points_are_errors_and_the_next_ones_are_answered(cost):
    with pytest.raises(ampere.UsageError, match="has 3 numbers, and cnn5 has 4 free widths"):
        cost.evaluate([[1, 2, 3]])
    with pytest.raises(ampere.UsageError, match="is no width of"):
        cost.evaluate([[8, 16, 32, 0]])
    with pytest.raises(ampere.UsageError, match="is no width of"):
        cost.evaluate([[8, 16, 32, math.nan]])
    with pytest.raises(ampere.UsageError, match="takes lists"):
        cost([8, 16, 32, 64])
    assert cost.evaluate([]).energy_j == []
    assert cost.evaluate([[8, 16, 32, 64]]).energy_j[0] > 0


def test_a_point_that_is_no_list_of_numbers_is_named(cost):
    with pytest.raises(ampere.UsageError, match=r"point 0 is 8, and a point is a list of 4 numbers.*evaluate\(\[point"):
        cost.evaluate([8, 16, 32, 64])
    with pytest.raises(ampere.UsageError, match="point 1 is 'wide'"):
        cost.evaluate([[8, 16, 32, 64], "wide"])
    with pytest.raises(ampere.UsageError, match="point 0 is .*None"):
        cost.evaluate([[8, 16, 32, None]])
    with pytest.raises(ampere.UsageError, match="8 is not a list of points"):
        cost.evaluate(8)


def test_energies_are_floating_point_whatever_the_widths_are(cost):
    torch = pytest.importorskip("torch")
    expected = cost.evaluate([[8, 16, 32, 64]], gradient=True)
    for dtype in (torch.int64, torch.int32, torch.uint8, torch.float64):
        energies = cost(torch.tensor([[8, 16, 32, 64]], dtype=dtype))
        assert energies.dtype == torch.float64 and energies.tolist() == expected.energy_j, dtype
    for dtype in (torch.float32, torch.float16, torch.bfloat16):
        widths = torch.tensor([[8, 16, 32, 64]], dtype=dtype, requires_grad=True)
        energies = cost(widths)
        assert energies.dtype == torch.float32
        assert energies.tolist() == pytest.approx(expected.energy_j, rel=1e-6), dtype
        energies.sum().backward()
        assert widths.grad.dtype == dtype
        assert widths.grad.tolist()[0] == pytest.approx(expected.gradient[0], rel=1e-2), dtype
    with pytest.raises(ampere.UsageError, match="the tensor is complex"):
        cost(torch.tensor([[8, 16, 32, 64]], dtype=torch.complex64))


def test_a_closed_cost_says_so(cost):
    cost.close()
    with pytest.raises(ampere.UsageError, match="was closed"):
        cost.evaluate([[8, 16, 32, 64]])


def test_without_a_profile_it_says_what_to_do(real_program, tmp_path):
    with pytest.raises(ampere.UnknownError):
        ampere.cost("cnn5", store=f"sqlite:{tmp_path}/none.db")


def test_a_network_without_a_profile_of_its_blocks_is_named(store):
    with pytest.raises(ampere.Error, match="lstm|profile"):
        ampere.cost("lstm", store=store)


def test_many_points_in_one_batch_agree_with_single_ones(cost):
    points = [[1 + i % 16, 1 + i % 32, 1 + i % 64, 1 + i % 128] for i in range(20000)]
    begin = time.monotonic()
    values = cost.evaluate(points)
    print(f"{len(points) / (time.monotonic() - begin):.0f} evaluations per second")  # docs/search.md; not asserted
    assert len(values.energy_j) == len(points)
    for i in (0, 7, 19999):
        assert values.energy_j[i] == pytest.approx(cost.evaluate([points[i]]).energy_j[0], rel=1e-9)


@pytest.fixture
def general_cost(tmp_path):
    """Of a general profile that came with the program."""
    with ampere.cost("cnn5", device="h200", batch=32, store=f"sqlite:{tmp_path}/none.db") as one:
        yield one


def test_a_general_profile_costs_what_its_estimate_says(general_cost, tmp_path):
    assert general_cost.method == "operations" and "H200" in general_cost.device
    for widths in ([8, 16, 32, 64], general_cost.original()):
        for confidence in (0.9, 0.95):
            values = general_cost.evaluate([widths], confidence=confidence)
            estimate = ampere.estimate("cnn5:" + ",".join(map(str, widths)), device="h200", batch=32,
                                       confidence=confidence, store=f"sqlite:{tmp_path}/none.db")
            assert values.energy_j[0] == pytest.approx(estimate.energy_j, rel=1e-9)
            assert values.time_s[0] == pytest.approx(estimate.time_s, rel=1e-9)
            (low, high), = values.interval()
            assert low == pytest.approx(estimate.interval.low, rel=1e-9)
            assert high == pytest.approx(estimate.interval.high, rel=1e-9)
    with pytest.raises(ampere.UsageError, match="are not normal"):
        values.interval(0.5)


def test_the_gradient_of_a_general_profile_is_the_slope(general_cost):
    a, b, middle, below, above = general_cost.evaluate(
        [[8, 16, 32, 64], [9, 16, 32, 64], [8.25, 16, 32, 64], [8, 16, 32, 63], [8, 16, 32, 65]]).energy_j
    assert middle == pytest.approx(a + 0.25 * (b - a), rel=1e-12)
    whole, between = general_cost.evaluate([[8, 16, 32, 64], [8.25, 16, 32, 64]], gradient=True).gradient
    assert whole[3] == pytest.approx((above - below) / 2, rel=1e-9)
    assert between[0] == pytest.approx(b - a, rel=1e-9)


def test_autograd_flows_through_a_general_profile(general_cost):
    torch = pytest.importorskip("torch")
    widths = torch.tensor([[8.0, 16.5, 32.0, 64.0]], dtype=torch.float64, requires_grad=True)
    general_cost(widths).sum().backward()
    assert widths.grad.tolist()[0] == pytest.approx(general_cost.evaluate(widths.tolist(), gradient=True).gradient[0])


def test_a_module_costs_what_its_estimate_says(tmp_path, real_program):
    torch = pytest.importorskip("torch")
    net = torch.nn.Sequential(torch.nn.Conv2d(3, 8, 3), torch.nn.ReLU(), torch.nn.Flatten(),
                              torch.nn.Linear(8 * 30 * 30, 64), torch.nn.ReLU(), torch.nn.Linear(64, 10))
    x, store = torch.randn(16, 3, 32, 32), f"sqlite:{tmp_path}/none.db"
    with ampere.cost(net, inputs=x, device="h200", store=store) as cost:
        assert cost.model == "Sequential" and cost.original() == [8, 64]
        narrower = torch.nn.Sequential(torch.nn.Conv2d(3, 5, 3), torch.nn.ReLU(), torch.nn.Flatten(),
                                       torch.nn.Linear(5 * 30 * 30, 33), torch.nn.ReLU(), torch.nn.Linear(33, 10))
        for widths, module in (([8, 64], net), ([5, 33], narrower)):
            estimate = ampere.estimate(module, x, device="h200", store=store)
            assert cost.evaluate([widths]).energy_j[0] == pytest.approx(estimate.energy_j, rel=1e-9)
        with pytest.raises(ampere.UsageError, match="and Sequential has 2 free widths"):
            cost.evaluate([[1]])


def test_what_has_no_widths_is_refused(real_program):
    torch = pytest.importorskip("torch")
    net = torch.nn.Linear(3, 3)
    with pytest.raises(ampere.UsageError, match="a module needs inputs.*ampere.cost"):
        ampere.cost(net, device="h200")
    with pytest.raises(ampere.UsageError, match=r"type Tensor is not the name of a profile.*inputs=x"):
        ampere.cost(net, torch.randn(2, 3), device="h200")
    with pytest.raises(ampere.UsageError, match="Linear is one traced iteration, whose widths are fixed"):
        ampere.cost(ampere.trace(net, torch.randn(2, 3)), device="h200")
    with pytest.raises(ampere.UsageError, match="type int is not a network"):
        ampere.cost(3, device="h200")


def test_what_a_general_profile_cannot_estimate_says_why(tmp_path, real_program):
    with pytest.raises(ampere.UnknownError, match="a compiled network cannot be lowered"):
        ampere.cost("cnn5", device="h200", compile=True, store=f"sqlite:{tmp_path}/none.db")

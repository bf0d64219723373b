"""Operations that are called by what was meant, so that the device chooses its implementation.

A backward pass that needs what its forward pass left behind gets a forward pass first.
"""

from __future__ import annotations

import math
from typing import Any, Callable, Optional

import torch
from torch.nn import functional as F

from .failure import failed
from .operation_values import TensorTypes, is_tensor

Call = Callable[[], Any]
Recipe = Callable[[list[Any], list[Any], TensorTypes], Call]


def _batch_norm(arguments: list[Any], results: list[Any], types: TensorTypes) -> Call:
    tensors = [_optional(each, types) for each in arguments[:5]]
    return lambda: _normalised(tensors, *arguments[5:8])


def _batch_norm_backward(arguments: list[Any], results: list[Any], types: TensorTypes) -> Call:
    gradient, x, weight = (_optional(each, types) for each in arguments[:3])
    statistics = [_optional(each, types) for each in arguments[3:5]]
    training, epsilon, wanted = arguments[7], arguments[8], arguments[9]
    bias = None if weight is None else torch.zeros_like(weight)
    leaves = [x, weight, bias]
    asked = [each for each, want in zip(leaves, wanted) if want and each is not None]
    output = _with_graph(asked, lambda: _normalised([*leaves, *statistics], training, 0.1, epsilon))
    return _repeated(output, asked, gradient)


def _normalised(tensors: list[Any], training: bool, momentum: float, epsilon: float) -> Any:
    cudnn = torch.backends.cudnn.enabled
    return torch.batch_norm(*tensors, training, momentum, epsilon, cudnn)


def _attention(arguments: list[Any], results: list[Any], types: TensorTypes) -> Call:
    tensors = [types.make(each) for each in arguments[:3]]
    mask = _optional(arguments[3], types)
    # In training, the sums are kept for the backward pass, and another implementation may be used.
    trained = len(results) > 1 and is_tensor(results[1]) and math.prod(types.sizes(results[1])) > 0
    for each in tensors if trained else []:
        each.requires_grad_()
    return lambda: _attended(tensors, mask, *arguments[4:7])


def _attention_backward(arguments: list[Any], results: list[Any], types: TensorTypes) -> Call:
    gradient = types.make(arguments[0])
    tensors = [types.make(each) for each in arguments[1:4]]
    mask = _optional(arguments[4], types)
    output = _with_graph(tensors, lambda: _attended(tensors, mask, *arguments[7:10]))
    return _repeated(output, tensors, gradient)


def _attended(
    tensors: list[Any], mask: Any, dropout: float, causal: bool, scale: Optional[float]
) -> Any:
    if not hasattr(F, "scaled_dot_product_attention"):
        raise failed("attention: this PyTorch has no scaled_dot_product_attention")
    options: dict[str, Any] = {}
    if scale is not None:
        options["scale"] = scale
    if tensors[0].shape[-3] != tensors[1].shape[-3]:
        options["enable_gqa"] = True
    query, key, value = tensors
    return F.scaled_dot_product_attention(query, key, value, mask, dropout, causal, **options)


def _recurrent(arguments: list[Any], results: list[Any], types: TensorTypes) -> Call:
    module, x, state = _recurrent_module(arguments, types)
    return lambda: module(x, state)


def _recurrent_backward(arguments: list[Any], results: list[Any], types: TensorTypes) -> Call:
    module, x, state = _recurrent_module(arguments[1:], types)
    gradient = types.make(arguments[0]) if is_tensor(arguments[0]) else None
    asked = list(module.parameters())
    if results and is_tensor(results[0]) and math.prod(types.sizes(results[0])) > 0:
        asked.append(x)
    output = _with_graph(asked, lambda: module(x, state)[0])
    return _repeated(output, asked, torch.ones_like(output) if gradient is None else gradient)


def _recurrent_module(arguments: list[Any], types: TensorTypes) -> tuple[Any, Any, Any]:
    """A module keeps its weights in one piece of memory, as cuDNN wants them."""
    x, weights, (mode, hidden, layers) = types.make(arguments[0]), arguments[1], arguments[4:7]
    batch_first, dropout, training, two_ways = arguments[7:11]
    if x.dim() != 3:
        raise failed("recurrent: packed sequences of different lengths are not timed alone")
    directions = 2 if two_ways else 1
    options: dict[str, Any] = {"bias": len(weights) == 4 * layers * directions}
    options.update(batch_first=batch_first, dropout=dropout, bidirectional=two_ways)
    options.update(num_layers=layers, device=x.device, dtype=x.dtype)
    kinds = {"lstm": torch.nn.LSTM, "gru": torch.nn.GRU}
    if mode not in kinds:
        options["nonlinearity"] = mode
    module = kinds.get(mode, torch.nn.RNN)(x.shape[-1], hidden, **options)
    module.train(training)
    batch = x.shape[0 if batch_first else 1]
    state = torch.zeros(layers * directions, batch, hidden, device=x.device, dtype=x.dtype)
    return module, x, (state, state.clone()) if mode == "lstm" else state


def _max_pool(axes: int) -> Recipe:
    """The positions of the maxima, which only a forward pass knows."""

    def recipe(arguments: list[Any], results: list[Any], types: TensorTypes) -> Call:
        space = torch.ops.aten
        forward = getattr(space, f"max_pool{axes}d_with_indices").default
        backward = getattr(space, f"max_pool{axes}d_with_indices_backward").default
        gradient, x = types.make(arguments[0]), types.make(arguments[1])
        window = arguments[2:7]
        indices = forward(x, *window)[1]
        return lambda: backward(gradient, x, *window, indices)

    return recipe


def _adaptive_max_pool(axes: int) -> Recipe:
    def recipe(arguments: list[Any], results: list[Any], types: TensorTypes) -> Call:
        space = torch.ops.aten
        gradient, x = types.make(arguments[0]), types.make(arguments[1])
        sizes = list(gradient.shape[-axes:])
        indices = getattr(space, f"adaptive_max_pool{axes}d").default(x, sizes)[1]
        backward = getattr(space, f"adaptive_max_pool{axes}d_backward").default
        return lambda: backward(gradient, x, indices)

    return recipe


def _optional(value: Any, types: TensorTypes) -> Any:
    return types.make(value) if is_tensor(value) else None


def _with_graph(leaves: list[Any], forward: Call) -> Any:
    for each in leaves:
        each.requires_grad_()
    with torch.enable_grad():
        return forward()


def _repeated(output: Any, asked: list[Any], gradient: Any) -> Call:
    if not asked:
        raise failed("no gradient is wanted")
    gradient = gradient.to(output.dtype)
    return lambda: torch.autograd.grad(output, asked, gradient, retain_graph=True)


RECIPES: dict[str, Recipe] = {
    "batch_norm": _batch_norm,
    "batch_norm_backward": _batch_norm_backward,
    "attention": _attention,
    "attention_backward": _attention_backward,
    "recurrent": _recurrent,
    "recurrent_backward": _recurrent_backward,
    "max_pool2d_with_indices_backward": _max_pool(2),
    "max_pool3d_with_indices_backward": _max_pool(3),
    "adaptive_max_pool2d_backward": _adaptive_max_pool(2),
    "adaptive_max_pool3d_backward": _adaptive_max_pool(3),
}

"""Operations whose names show a device's choice, as the call that was meant.

The device chooses again when the call is timed. docs/program-format.md has the order of arguments.
"""

from __future__ import annotations

from typing import Any, Callable, Mapping, Optional, Sequence

from .naming import base_name, by_name, space_of

Values = Mapping[str, Any]
Meant = tuple[str, list[Any], list[Any]]  # name, arguments, results

RNN_MODES = ("relu", "tanh", "lstm", "gru")  # cuDNN's numbers


def meant_by(
    operation: Any, arguments: Sequence[Any], keywords: Values, result: Any
) -> Optional[Meant]:
    """Name, arguments and results of the call that was meant; None if the name stays."""
    rule = _RULES.get(base_name(operation))
    if rule is None or space_of(operation) != "aten":
        return None
    results = list(result) if isinstance(result, (list, tuple)) else [result]
    return rule(by_name(operation, arguments, keywords), results)


def _first(values: Values, *names: str) -> Any:
    """The argument that has one of these names, which differ between variants."""
    return next((values[name] for name in names if name in values), None)


def _batch_norm(training: Optional[bool] = None) -> Callable[[Values, list[Any]], Meant]:
    def rule(values: Values, results: list[Any]) -> Meant:
        arguments = [values.get(each) for each in ("input", "weight", "bias")]
        arguments += [values.get("running_mean"), values.get("running_var")]
        arguments.append(values.get("training") if training is None else training)
        arguments.append(_first(values, "momentum", "exponential_average_factor"))
        arguments.append(_first(values, "eps", "epsilon"))
        return "batch_norm", arguments, results[:3]

    return rule


def _batch_norm_backward(values: Values, results: list[Any]) -> Meant:
    arguments = [_first(values, "grad_out", "grad_output"), values["input"], values.get("weight")]
    arguments += [values.get("running_mean"), values.get("running_var")]
    arguments += [_first(values, "save_mean"), _first(values, "save_invstd", "save_var")]
    training = _first(values, "train", "update", "training")
    arguments.append(True if training is None else training)  # cuDNN's is for training only
    arguments.append(_first(values, "eps", "epsilon"))
    arguments.append(list(values.get("output_mask") or [True, True, True]))
    return "batch_norm_backward", arguments, results[:3]


def _attention(values: Values, results: list[Any]) -> Meant:
    arguments = [values[each] for each in ("query", "key", "value")]
    return "attention", arguments + _attention_options(values), results[:2]


def _attention_backward(values: Values, results: list[Any]) -> Meant:
    arguments = [_first(values, "grad_out", "grad_out_")]
    arguments += [values[each] for each in ("query", "key", "value")]
    mask, *options = _attention_options(values)
    arguments += [mask, values.get("out"), values.get("logsumexp"), *options]
    return "attention_backward", arguments, results[:3]


def _attention_options(values: Values) -> list[Any]:
    mask = _first(values, "attn_bias", "attn_mask")
    dropout = float(values.get("dropout_p") or 0.0)
    return [mask, dropout, bool(values.get("is_causal")), values.get("scale")]


def _recurrent(values: Values, results: list[Any]) -> Meant:
    return "recurrent", _recurrent_arguments(values), _states(results[:3], values)


def _recurrent_backward(values: Values, results: list[Any]) -> Meant:
    arguments = [values.get("grad_output"), *_recurrent_arguments(values)]
    weights = results[3] if len(results) > 3 else []
    return "recurrent_backward", arguments, [results[0], weights]


def _recurrent_arguments(values: Values) -> list[Any]:
    mode = RNN_MODES[int(values["mode"])]
    cell = values.get("cx") if mode == "lstm" else None
    arguments = [values["input"], list(values["weight"]), values.get("hx"), cell, mode]
    arguments += [values["hidden_size"], values["num_layers"], values["batch_first"]]
    return arguments + [values["dropout"], values["train"], values["bidirectional"]]


def _states(results: list[Any], values: Values) -> list[Any]:
    if RNN_MODES[int(values["mode"])] != "lstm":
        return [*results[:2], None]
    return results


def _onednn_layer(values: Values, results: list[Any]) -> Meant:
    """oneDNN is called for one layer and one direction at a time, with the time axis first."""
    return "recurrent", _onednn_arguments(values, first_weight=0), _states(results[:3], values)


def _onednn_layer_backward(values: Values, results: list[Any]) -> Meant:
    arguments = [values.get("grad_output"), *_onednn_arguments(values, first_weight=1)]
    return "recurrent_backward", arguments, [results[0], list(results[1:5])]


def _onednn_arguments(values: Values, first_weight: int) -> list[Any]:
    weights = [values[f"weight{first_weight + index}"] for index in range(4)]
    if not values.get("has_biases", True):
        weights = weights[:2]
    mode = RNN_MODES[int(values["mode"])]
    states = [_first(values, "hx_", "hx"), _first(values, "cx_", "cx_tmp")]
    training = bool(values.get("train"))
    return [
        values["input"], weights, *states, mode, values["hidden_size"], 1, False, 0.0, training, False
    ]


_RULES: dict[str, Callable[[Values, list[Any]], Meant]] = {
    "native_batch_norm": _batch_norm(),
    "cudnn_batch_norm": _batch_norm(),
    "miopen_batch_norm": _batch_norm(),
    "_native_batch_norm_legit": _batch_norm(),
    "_native_batch_norm_legit_no_training": _batch_norm(False),
    "_batch_norm_with_update": _batch_norm(True),
    "_batch_norm_no_update": _batch_norm(False),
    "native_batch_norm_backward": _batch_norm_backward,
    "cudnn_batch_norm_backward": _batch_norm_backward,
    "miopen_batch_norm_backward": _batch_norm_backward,
    "batch_norm_backward": _batch_norm_backward,
    "_scaled_dot_product_flash_attention": _attention,
    "_scaled_dot_product_flash_attention_for_cpu": _attention,
    "_scaled_dot_product_efficient_attention": _attention,
    "_scaled_dot_product_cudnn_attention": _attention,
    "_scaled_dot_product_fused_attention_overrideable": _attention,
    "_scaled_dot_product_flash_attention_backward": _attention_backward,
    "_scaled_dot_product_flash_attention_for_cpu_backward": _attention_backward,
    "_scaled_dot_product_efficient_attention_backward": _attention_backward,
    "_scaled_dot_product_cudnn_attention_backward": _attention_backward,
    "_scaled_dot_product_fused_attention_overrideable_backward": _attention_backward,
    "_cudnn_rnn": _recurrent,
    "miopen_rnn": _recurrent,
    "mkldnn_rnn_layer": _onednn_layer,
    "_cudnn_rnn_backward": _recurrent_backward,
    "miopen_rnn_backward": _recurrent_backward,
    "mkldnn_rnn_layer_backward": _onednn_layer_backward,
}

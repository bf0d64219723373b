#include <algorithm>
#include <array>
#include <unordered_map>

#include "program/operation_view.h"

namespace ampere {
namespace {

using Table = std::unordered_map<std::string_view, OperationGroup>;
using enum OperationGroup;

// Names as docs/program-format.md spells them, without overloads, and without the underscore of
// what is changed in place.
constexpr std::string_view kProducts =
    "mm addmm bmm baddbmm addbmm mv addmv dot vdot linear matmul _int_mm _scaled_mm "
    "_grouped_mm _addmm_activation";
constexpr std::string_view kConvolutions =
    "convolution _convolution convolution_overrideable conv1d conv2d conv3d conv_transpose1d "
    "conv_transpose2d conv_transpose3d";
constexpr std::string_view kAttentions = "attention scaled_dot_product_attention";
constexpr std::string_view kRecurrents = "recurrent lstm gru rnn_tanh rnn_relu";
constexpr std::string_view kNorms =
    "batch_norm layer_norm native_layer_norm group_norm native_group_norm instance_norm "
    "rms_norm _fused_rms_norm native_batch_norm cudnn_batch_norm batch_norm_elemt "
    "batch_norm_stats";
constexpr std::string_view kReductions =
    "sum nansum mean prod amax amin aminmax argmax argmin max min median all any "
    "count_nonzero logsumexp norm linalg_vector_norm var std var_mean std_mean _softmax "
    "softmax _log_softmax log_softmax _safe_softmax _masked_softmax cumsum cumprod "
    "logcumsumexp nll_loss nll_loss2d nll_loss_nd cross_entropy_loss mse_loss l1_loss "
    "smooth_l1_loss huber_loss soft_margin_loss binary_cross_entropy "
    "binary_cross_entropy_with_logits kl_div _is_all_true _is_any_true equal avg_pool1d "
    "avg_pool2d avg_pool3d max_pool2d max_pool3d max_pool2d_with_indices "
    "max_pool3d_with_indices adaptive_avg_pool2d adaptive_avg_pool3d _adaptive_avg_pool2d "
    "_adaptive_avg_pool3d adaptive_max_pool2d adaptive_max_pool3d";
constexpr std::string_view kPointwise =
    // arithmetic
    "add sub rsub mul div true_divide floor_divide remainder fmod neg abs sign sgn pow square "
    "sqrt rsqrt reciprocal exp exp2 expm1 log log2 log10 log1p sin cos tan asin acos atan "
    "atan2 sinh cosh tanh asinh acosh atanh erf erfc erfinv lgamma digamma floor ceil round "
    "trunc frac addcmul addcdiv lerp xlogy logaddexp maximum minimum fmax fmin clamp "
    "clamp_min clamp_max hypot polar complex conj_physical _conj_physical angle nan_to_num "
    "outer ger addr "
    // comparisons and bits
    "eq ne lt le gt ge isnan isinf isfinite logical_and logical_or logical_not logical_xor "
    "bitwise_and bitwise_or bitwise_xor bitwise_not bitwise_left_shift bitwise_right_shift "
    "__and__ __or__ __xor__ where masked_fill heaviside bucketize "
    // activations
    "relu relu6 threshold leaky_relu prelu _prelu_kernel rrelu_with_noise elu celu selu gelu "
    "silu mish sigmoid logit log_sigmoid softplus softshrink hardshrink hardtanh hardsigmoid "
    "hardswish softsign glu log_sigmoid_forward _thnn_fused_lstm_cell _thnn_fused_gru_cell "
    "_thnn_fused_lstm_cell_backward_impl "
    // dropout and random numbers
    "dropout native_dropout _fused_dropout feature_dropout alpha_dropout bernoulli normal "
    "uniform random exponential rand randn randint rand_like randn_like randint_like "
    "normal_functional "
    // copies and constants
    "copy _copy_from _local_scalar_dense clone _to_copy contiguous to fill zero zeros ones full "
    "zeros_like "
    "ones_like full_like new_zeros new_ones new_full arange linspace eye scalar_tensor lift "
    "cat stack hstack vstack repeat repeat_interleave roll flip rot90 tril triu "
    "constant_pad_nd pad reflection_pad1d reflection_pad2d reflection_pad3d replication_pad1d "
    "replication_pad2d replication_pad3d pixel_shuffle pixel_unshuffle channel_shuffle "
    "native_channel_shuffle im2col col2im _pin_memory _unsafe_masked_fill slice_scatter "
    "select_scatter diagonal_scatter as_strided_scatter split_copy view_copy expand_copy "
    "permute_copy meshgrid";
constexpr std::string_view kIndices =
    "embedding embedding_dense embedding_renorm _embedding_bag gather index index_select "
    "index_put _index_put_impl _unsafe_index _unsafe_index_put index_add index_copy "
    "index_fill scatter scatter_add scatter_reduce take put masked_select masked_scatter "
    "nonzero one_hot grid_sampler grid_sampler_2d grid_sampler_3d";
constexpr std::string_view kUpdates = "_amp_update_scale";
// Also what only asks for memory: the device has nothing to do for it.
constexpr std::string_view kViews =
    "view _unsafe_view view_as reshape _reshape_alias reshape_as t transpose swapaxes "
    "swapdims numpy_T mT permute movedim expand expand_as broadcast_to squeeze unsqueeze "
    "slice select narrow split split_with_sizes chunk tensor_split unbind unsafe_split "
    "unsafe_split_with_sizes unsafe_chunk flatten unflatten unfold diagonal detach alias "
    "as_strided view_as_real view_as_complex _conj _neg_view real imag lift_fresh set resize "
    "requires_grad empty empty_like empty_strided empty_permuted new_empty new_empty_strided "
    "sym_size sym_numel sym_stride sym_storage_offset is_same_size record_stream "
    "_record_function_enter _record_function_exit";

void add(Table& table, std::string_view names, OperationGroup group) {
  while (!names.empty()) {
    const std::size_t end = std::min(names.find(' '), names.size());
    table.emplace(names.substr(0, end), group);
    names.remove_prefix(std::min(end + 1, names.size()));
  }
}

const Table& table() {
  static const Table names = [] {
    Table table;
    add(table, kProducts, product);
    add(table, kConvolutions, convolution);
    add(table, kAttentions, attention);
    add(table, kRecurrents, recurrent);
    add(table, kNorms, norm);
    add(table, kReductions, reduction);
    add(table, kPointwise, pointwise);
    add(table, kIndices, index);
    add(table, kUpdates, update);
    add(table, kViews, view);
    return table;
  }();
  return names;
}

struct Prefix {
  std::string_view begins;
  OperationGroup group;
};
// For families of names. The table comes first: "_fused_rms_norm" is a norm.
constexpr std::array<Prefix, 13> kPrefixes{{{"_foreach_", update},
                                            {"_fused_", update},
                                            {"_amp_foreach_", update},
                                            {"_scaled_dot_product_", attention},
                                            {"_flash_attention_", attention},
                                            {"_efficient_attention_", attention},
                                            {"cudnn_convolution", convolution},
                                            {"mkldnn_convolution", convolution},
                                            {"upsample_", pointwise},
                                            // what PyTorch's compiler has made
                                            {"triton_poi_", pointwise},
                                            {"triton_red_", reduction},
                                            {"triton_per_", reduction},
                                            {"triton_for_", update}}};

std::optional<OperationGroup> group_by_table(std::string_view name) {
  const auto found = table().find(name);
  if (found == table().end()) return std::nullopt;
  return found->second;
}

// A backward pass costs like its forward pass. That of a view fills a tensor and copies into it.
std::optional<OperationGroup> group_by_forward(std::string_view name) {
  for (const std::string_view ending : {"_backward", "_backward_data", "_forward"}) {
    if (!name.ends_with(ending)) continue;
    const auto group = group_by_table(name.substr(0, name.size() - ending.size()));
    return group == view ? pointwise : group;
  }
  return std::nullopt;
}

std::optional<OperationGroup> group_by_prefix(std::string_view name) {
  for (const Prefix& prefix : kPrefixes)
    if (name.starts_with(prefix.begins)) return prefix.group;
  return std::nullopt;
}

}  // namespace

OperationGroup group_of(const Operation& operation) {
  // The larger of two tensors, and not the largest element of one.
  if (operation.name == "max.other" || operation.name == "min.other") return pointwise;
  const std::string_view plain = plain_name(operation);
  for (const std::string_view name : {plain, without_underscore(plain)}) {
    if (const auto group = group_by_table(name)) return *group;
    if (const auto group = group_by_forward(name)) return *group;
  }
  return group_by_prefix(plain).value_or(other);
}

}  // namespace ampere

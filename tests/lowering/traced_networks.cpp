#include "lowering/traced_networks.h"

#include <fmt/format.h>

#include "model/every_op.h"

namespace ampere::testing_support {
namespace {

Setup small_setup() {
  Setup setup;
  setup.batch = 2;
  return setup;
}

// Along a line: what 1-D layers call, and channels that are not the last axis.
Model line_layers() {
  ModelBuilder builder("line layers");
  builder.add(Input{line(4, 16)});
  builder.add(conv(8, 3, 1));
  builder.add(BatchNorm{});
  builder.add(GroupNorm{2});
  builder.add(LayerNorm{});
  builder.add(PRelu{});
  builder.add(PRelu{true});
  builder.add(InstanceNorm{});
  builder.add(max_pool(2));
  builder.add(Pool{Pooling::average, {2}, {}, {}});
  builder.add(Upsample{{8}});
  builder.add(Upsample{{12}, Interpolation::linear});
  builder.add(AdaptivePool{{6}});
  builder.add(AdaptivePool{{4}, Pooling::max});
  builder.add(Pad{{1}, {1}});
  builder.add(ConvTranspose{6, {2}, {2}});
  builder.add(Scale{});
  builder.add(AdaptivePool{{1}});
  builder.add(Flatten{});
  builder.add(GroupNorm{2});
  builder.add(PRelu{});
  builder.add(LayerNorm{});
  builder.add(Scale{true});
  builder.add(BatchNorm{});
  return std::move(builder).build();
}

// Images whose channels come to lie last, and a loss that is no cross-entropy.
Model image_layers() {
  ModelBuilder builder("image layers");
  builder.add(Input{image(4, 16, 16)});
  Conv stem = conv(8, 3, 1);
  stem.bias = false;
  builder.add(stem);
  builder.add(LayerNorm{});
  builder.add(PRelu{true});
  builder.add(InstanceNorm{});
  builder.add(Upsample{{8, 8}});
  builder.add(Upsample{{12, 10}, Interpolation::linear});
  builder.add(AdaptivePool{{6, 5}});
  builder.add(Pool{Pooling::max, {3}, {2}, {1}, true});
  builder.add(Pad{{1, 1}, {1, 1}});
  builder.add(Activation{Function::leaky_relu, {0.2}});
  builder.add(Activation{Function::elu, {0.5}});
  builder.add(Activation{Function::affine, {2, 0}});
  builder.add(Activation{Function::power, {0.5}});
  builder.add(Slice{0, 0, 4});
  builder.add(Chunk{2, 0});
  builder.add(Dropout{0.2, true});
  builder.add(ToSequence{});
  builder.add(LayerNorm{});
  builder.add(PRelu{});
  builder.add(Linear{5});
  builder.add(Scale{});
  builder.add(FromSequence{{6, 5}});
  builder.add(conv(3, 1));
  builder.add(Reshape{tensor({3, 30})});
  builder.add(Reduce{Reduction::sum, {1}});
  return std::move(builder).build();
}

std::vector<Traced> other_setups() {
  const Model model = open_model("resnet18:size=32");
  const Model lenet = open_model("lenet5");
  std::vector<Traced> result;
  const auto add = [&](const std::string& what, const Model& network, const Setup& setup) {
    result.push_back({network.name() + ", " + what, network, setup});
  };
  for (const Optimizer optimizer : {Optimizer::plain_sgd, Optimizer::adam, Optimizer::adamw}) {
    Setup setup = small_setup();
    setup.optimizer = optimizer;
    add(to_string(optimizer), lenet, setup);
    setup.options.weight_decay = 0.1;
    add(to_string(optimizer) + std::string(" with weight decay"), lenet, setup);
  }
  for (const Phase phase : {Phase::forward, Phase::backward, Phase::update, Phase::block})
    add(to_string(phase), model, with_phase(small_setup(), phase));
  add("inference", model, inference_setup(2));
  Setup parts = small_setup();
  parts.options.accumulation = 3;
  add("three micro-batches", model, parts);
  Setup turned = small_setup();
  turned.options.channels_last = true;
  add("channels last", model, turned);
  add("channels last", open_model("shufflenet_v2:size=32"), turned);
  return result;
}

}  // namespace

std::vector<Traced> networks_to_trace() {
  std::vector<Traced> result = other_setups();
  const auto add = [&](Model model) {
    result.push_back({model.name(), std::move(model), small_setup()});
  };
  add(line_layers());
  add(image_layers());
  add(every_op());
  add(further_ops());
  add(language_ops());
  add(table_ops());
  for (const char* file : {"swin.dynamo", "swin_v2.legacy"})
    add(open_model(fmt::format(AMPERE_TEST_DATA "/onnx/small/{}.onnx", file)));
  for (const char* spec : {"lenet5",
                           "cnn5",
                           "har",
                           "conv_stack:layers=3,width=8",
                           "lstm:length=5,vocabulary=20",
                           "gru:length=5,vocabulary=20",
                           "transformer:layers=2,d=32,length=8",
                           "vit_tiny:layers=2,d=24,size=32",
                           "resnet18",
                           "resnet34",
                           "resnet50",
                           "resnet101",
                           "vgg11:size=32,classes=10",
                           "vgg16:size=32,classes=10",
                           "alexnet:size=64,classes=10",
                           "mobilenet_v1:size=32",
                           "mobilenet_v2:size=32",
                           "proxylessnas:size=32",
                           "squeezenet:size=64",
                           "shufflenet_v2:size=32",
                           "googlenet:size=32",
                           "densenet121:size=32",
                           "tiny_yolo:size=64",
                           "unet:size=32,width=4",
                           "unet:size=37,width=4",
                           "fsrcnn:size=12",
                           "ds_cnn"})
    add(open_model(spec));
  return result;
}

}  // namespace ampere::testing_support

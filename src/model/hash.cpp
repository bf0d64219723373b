#include "base/hash.h"

#include "ampere/model.h"
#include "base/json.h"
#include "model/op_json.h"

namespace ampere {

std::string model_hash(const Model& model) {
  Json structure = Json::array();
  for (const Layer& layer : model.layers()) {
    Json json;
    write_op(layer.op, json);
    json["inputs"] = layer.inputs;
    if (layer.shares >= 0) json["shares"] = layer.shares;
    structure.push_back(std::move(json));
  }
  return hash_text(structure.dump());
}

}  // namespace ampere

// Runs of networks before they are asked about.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ampere/estimate.h"
#include "ampere/store.h"

namespace ampere {

class EarlierRuns {
 public:
  // What a profile has learnt from, read when it is first needed: of this network alone, where only
  // this one will be asked about.
  EarlierRuns(const Store& store, std::int64_t profile, const Model* network);

  // Makes the estimate of a network lean on the runs of this very network, where its method can
  // tell their chance from the network's own error.
  void lean(const Model& network, const Workload& workload, Estimate& estimate);

 private:
  struct Known {
    Model network;
    std::vector<Measurement> runs;
  };
  void read_one();
  void read_all();
  const std::vector<Measurement>* runs_of(const Model& network);  // null where there is none

  const Store& store_;
  std::int64_t profile_;
  const Model* only_;
  std::optional<std::vector<Measurement>> runs_;       // of the only one
  std::optional<std::map<std::string, Known>> known_;  // by hash
};

}  // namespace ampere

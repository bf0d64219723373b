// A real Slurm cluster of three simulated devices (scripts/test-cluster), and the program as a user
// runs it there.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "../cli/cli.h"
#include "../support/temp_folder.h"

namespace ampere::testing_support {

class Cluster {
 public:
  explicit Cluster(int watts);
  ~Cluster();
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;

  // Why there is none; empty when it runs.
  const std::string& missing() const { return missing_; }

  // A folder with the files of examples/fleet, where ampere and Slurm know the cluster. Threads
  // need one each.
  std::unique_ptr<Cli> new_cli() const;

  void start() const;  // what died
  // Kills with SIGKILL.
  void kill_daemon(const std::string& name) const;  // "slurmctld", "n1"
  void kill_database() const;
  // As a node that loses its power: its daemon and all that it started.
  void kill_node(const std::string& name) const;
  // A random process that executes a job, chosen by `number`; false when there is none.
  bool kill_executor(unsigned number) const;

  std::string folder() const { return folder_.path(); }

 private:
  std::string script(const std::string& verb) const;

  TempFolder folder_;
  int watts_;
  std::string missing_;
  std::string slurm_conf_, store_;
};

}  // namespace ampere::testing_support

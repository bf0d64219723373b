#include "cluster.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "base/text.h"
#include "rig/run_program.h"

namespace ampere::testing_support {
namespace {

namespace fs = std::filesystem;

constexpr int kNotInstalled = 77;
constexpr Seconds kPatience{60};

pid_t pid_in(const std::string& path) {
  std::ifstream file(path);
  pid_t pid = 0;
  return file >> pid ? pid : 0;
}

std::string value_of(const std::string& script, const std::string& name) {
  const std::size_t at = script.find("export " + name + "='");
  if (at == std::string::npos) throw std::runtime_error("no " + name + " in " + script);
  const std::size_t begin = script.find('\'', at) + 1;
  return script.substr(begin, script.find('\'', begin) - begin);
}

constexpr const char kExecute[] = "fleet\0execute";
const std::string kExecutor(kExecute, sizeof(kExecute) - 1);

// Of a process that may end meanwhile; then empty.
std::string read_process(const fs::path& path) try {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
} catch (const std::ios_base::failure&) {
  return "";
}

// Processes that have this among their arguments and all of these in their environment.
std::vector<pid_t> processes(const std::string& arguments,
                             const std::vector<std::string>& variables) {
  std::vector<pid_t> found;
  for (const fs::directory_entry& entry : fs::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    const std::string words = read_process(entry.path() / "cmdline"),
                      environment = read_process(entry.path() / "environ");
    const bool all = std::ranges::all_of(variables, [&](const std::string& variable) {
      return environment.find(variable) != std::string::npos;
    });
    if (all && words.find(arguments) != std::string::npos) found.push_back(std::stoi(name));
  }
  std::ranges::sort(found);
  return found;
}

pid_t parent_of(pid_t pid) {
  std::istringstream status(read_process("/proc/" + std::to_string(pid) + "/status"));
  for (std::string word; status >> word;)
    if (word == "PPid:") {
      pid_t parent = 0;
      status >> parent;
      return parent;
    }
  return 0;
}

}  // namespace

Cluster::Cluster(int watts) : watts_(watts) {
  start();
  if (!missing_.empty()) return;
  const std::string variables = script("env");
  slurm_conf_ = value_of(variables, "SLURM_CONF");
  store_ = value_of(variables, "AMPERE_STORE");
}

Cluster::~Cluster() {
  if (missing_.empty()) script("stop");
}

std::string Cluster::script(const std::string& verb) const {
  std::vector<std::string> argv{AMPERE_SCRIPTS "/test-cluster", folder_.path(), verb};
  if (verb == "start") {
    argv.push_back(std::to_string(watts_));
    argv.push_back(std::to_string(getpid()));
  }
  // A daemon inherits what is open, so its end cannot be waited for through a pipe.
  const std::string out = folder_ / "script.out";
  std::vector<std::string> quiet{"bash", "-c", "\"$0\" \"$@\" >'" + out + "' 2>'" + out + ".err'"};
  quiet.insert(quiet.end(), argv.begin(), argv.end());
  const int status = run_program(quiet, "", kPatience).status;
  const std::string said = read_text_file(out + ".err");
  if (status == kNotInstalled) const_cast<Cluster*>(this)->missing_ = said;
  if (status != 0 && status != kNotInstalled) throw std::runtime_error(verb + ": " + said);
  return read_text_file(out);
}

void Cluster::start() const { script("start"); }

std::unique_ptr<Cli> Cluster::new_cli() const {
  auto cli = std::make_unique<Cli>();
  for (const char* file : {"fleet.toml", "jobs.toml"})
    fs::copy_file(std::string(AMPERE_EXAMPLES "/fleet/") + file, cli->path(file));
  cli->environment = {{"SLURM_CONF", slurm_conf_}, {"AMPERE_STORE", store_}};
  return cli;
}

void Cluster::kill_daemon(const std::string& name) const {
  if (const pid_t pid = pid_in(folder_ / ("run/" + name + ".pid")); pid > 1) ::kill(pid, SIGKILL);
}

void Cluster::kill_database() const {
  const pid_t pid = pid_in(folder_ / "postgres/data/postmaster.pid");
  if (pid > 1) ::kill(pid, SIGKILL);
}

void Cluster::kill_node(const std::string& name) const {
  kill_daemon(name);
  for (const pid_t pid : processes(kExecutor, {slurm_conf_, "SLURMD_NODENAME=" + name})) {
    // Slurm's own process beside the job would report its end.
    if (const pid_t parent = parent_of(pid); parent > 1) ::kill(parent, SIGKILL);
    ::kill(pid, SIGKILL);
  }
}

bool Cluster::kill_executor(unsigned number) const {
  const auto found = processes(kExecutor, {slurm_conf_});
  if (found.empty()) return false;
  ::kill(found[number % found.size()], SIGKILL);
  return true;
}

}  // namespace ampere::testing_support

// The one exception ampere throws. What one plans for (a failed measurement, a missing meter in a
// probe) is a value instead.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace ampere {

enum class ErrorCode {
  failed,       // something broke while running
  usage,        // wrong usage or unreadable input
  unknown,      // nothing known: no profile, no such device, no such model
  permission,   // the system refuses
  no_meter,     // no energy source
  interrupted,  // the user stopped it; everything measured so far is kept
};

// What would help. Messages say it in the library's own terms; a front end adds how its users do
// it: the command line a command or an option, a page a button.
enum class Remedy {
  none,
  // to do
  profile,           // profile the device for the network; by the method `about`, where it is given
  general_profile,   // profile the device once for any network
  survey,            // measure the kernels of inference; on the rig `about`, where it is given
  survey_or_import,  // measure kernels, or import those of others
  survey_or_fit,     // measure kernels, or fit predictors to those that were imported
  fit_kernels,       // fit predictors to kernels; of the kind `about`, where it is given
  run_networks,      // measure whole networks
  evaluate,          // compare methods on unseen networks, which measures what baselines need
  list_profiles,     // look at the profiles that there are
  server_store,      // keep the store in the database of a server
  // to state
  device,        // which device a table is of
  source,        // how the energies of a table were found
  device_name,   // another name for the machine that is scored
  input_shape,   // lengths that an ONNX file leaves open
  model_output,  // which of several outputs of an ONNX file is trained
  iterations,    // of a training
  battery,       // the energy of one charge
  command,       // what is measured
  repeat,        // how often a command is measured
  idle,          // how long the idle power is measured
  interval,      // between the rows of a trace
  python,        // which interpreter trains
};

// "profile", "input_shape", … : the word that travels in JSON.
const char* to_string(Remedy remedy);

class Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& message, Remedy remedy = Remedy::none,
        std::string about = "")
      : std::runtime_error(message), code_(code), remedy_(remedy), about_(std::move(about)) {}
  ErrorCode code() const { return code_; }
  Remedy remedy() const { return remedy_; }
  const std::string& about() const { return about_; }  // what the remedy applies to; may be empty

  // The same error in other words: with the file, the line or the network it is about.
  Error saying(const std::string& message) const { return {code_, message, remedy_, about_}; }

 private:
  ErrorCode code_;
  Remedy remedy_;
  std::string about_;
};

// The one table from codes to exit statuses: 1, 2, 3, 4, 5, 130.
int exit_status(ErrorCode code);

// "failed", "usage", … : the code as it travels in JSON; the inverse throws Error(usage).
const char* to_string(ErrorCode code);
ErrorCode parse_error_code(const std::string& text);

}  // namespace ampere

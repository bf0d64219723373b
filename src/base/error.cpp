#include "ampere/error.h"

#include <array>

namespace ampere {
namespace {

struct Row {
  ErrorCode code;
  const char* name;
  int status;
};
constexpr std::array kTable{
    Row{ErrorCode::failed, "failed", 1},     Row{ErrorCode::usage, "usage", 2},
    Row{ErrorCode::unknown, "unknown", 3},   Row{ErrorCode::permission, "permission", 4},
    Row{ErrorCode::no_meter, "no_meter", 5}, Row{ErrorCode::interrupted, "interrupted", 130},
};

const Row& row(ErrorCode code) { return kTable[static_cast<std::size_t>(code)]; }

}  // namespace

int exit_status(ErrorCode code) { return row(code).status; }

const char* to_string(ErrorCode code) { return row(code).name; }

const char* to_string(Remedy remedy) {
  switch (remedy) {
    case Remedy::none:
      return "none";
    case Remedy::profile:
      return "profile";
    case Remedy::general_profile:
      return "general_profile";
    case Remedy::survey:
      return "survey";
    case Remedy::survey_or_import:
      return "survey_or_import";
    case Remedy::survey_or_fit:
      return "survey_or_fit";
    case Remedy::fit_kernels:
      return "fit_kernels";
    case Remedy::run_networks:
      return "run_networks";
    case Remedy::evaluate:
      return "evaluate";
    case Remedy::list_profiles:
      return "list_profiles";
    case Remedy::server_store:
      return "server_store";
    case Remedy::device:
      return "device";
    case Remedy::source:
      return "source";
    case Remedy::device_name:
      return "device_name";
    case Remedy::input_shape:
      return "input_shape";
    case Remedy::model_output:
      return "model_output";
    case Remedy::iterations:
      return "iterations";
    case Remedy::battery:
      return "battery";
    case Remedy::command:
      return "command";
    case Remedy::repeat:
      return "repeat";
    case Remedy::idle:
      return "idle";
    case Remedy::interval:
      return "interval";
    case Remedy::python:
      return "python";
  }
  return "";
}

ErrorCode parse_error_code(const std::string& text) {
  for (const Row& entry : kTable)
    if (text == entry.name) return entry.code;
  throw Error(ErrorCode::usage, "no error code is called '" + text + "'");
}

}  // namespace ampere

#include "remedies.h"

#include <fmt/format.h>

namespace ampere {
namespace {

std::string command(const char* words, const char* option, const std::string& about) {
  if (about.empty() || option == nullptr) return fmt::format("`ampere {}`", words);
  return fmt::format("`ampere {} {} {}`", words, option, about);
}

// `about` is a family and a recording of its evaluation, or empty.
std::string evaluation(const std::string& about) {
  const std::size_t space = about.find(' ');
  if (space == std::string::npos) return "`ampere evaluate FAMILY`";
  return fmt::format("`ampere evaluate {} --rig {} --resample`", about.substr(0, space),
                     about.substr(space + 1));
}

}  // namespace

// The one table from remedies to commands and options.
std::string remedy_text(Remedy remedy, const std::string& about) {
  switch (remedy) {
    case Remedy::none:
      return "";
    case Remedy::profile:
      return command("profile MODEL", "--method", about);
    case Remedy::general_profile:
      return "`ampere profile --general`";
    case Remedy::survey:
      return command("kernels measure", "--rig", about);
    case Remedy::survey_or_import:
      return "`ampere kernels measure` or `ampere kernels import`";
    case Remedy::survey_or_fit:
      return "`ampere kernels measure` or `ampere kernels fit`";
    case Remedy::fit_kernels:
      return command("kernels fit", "--predictor", about);
    case Remedy::run_networks:
      return "`ampere run MODEL`";
    case Remedy::evaluate:
      return evaluation(about);
    case Remedy::list_profiles:
      return "`ampere profiles`";
    case Remedy::server_store:
      return "--store postgresql://HOST/DATABASE";
    case Remedy::device:
      return "--device";
    case Remedy::source:
      return "--source";
    case Remedy::device_name:
      return "--name";
    case Remedy::input_shape:
      return "--shape";
    case Remedy::model_output:
      return "--onnx-output";
    case Remedy::iterations:
      return "--iterations, or --epochs";
    case Remedy::battery:
      return "--battery 4500mAh@3.85V";
    case Remedy::command:
      return "it follows --";
    case Remedy::repeat:
      return "--repeat";
    case Remedy::idle:
      return "--idle";
    case Remedy::interval:
      return "--interval";
    case Remedy::python:
      return "--python PATH";
  }
  return "";
}

std::string with_remedy(const std::string& message, Remedy remedy, const std::string& about) {
  return with_remedy_text(message, remedy_text(remedy, about));
}

std::string with_remedy_text(const std::string& message, const std::string& remedy) {
  return remedy.empty() ? message : fmt::format("{} ({})", message, remedy);
}

std::string with_remedy(const Error& error) {
  return with_remedy(error.what(), error.remedy(), error.about());
}

}  // namespace ampere

#include "serve/problem.h"

#include <new>

#include "base/json_text.h"
#include "serve/response_text.h"

namespace ampere {
namespace {

ErrorCode code_of(int status) {
  if (status == 401 || status == 403) return ErrorCode::permission;
  if (status == 404) return ErrorCode::unknown;
  return status < 500 ? ErrorCode::usage : ErrorCode::failed;
}

Json problem_json(int status, std::string_view detail, ErrorCode code, Remedy remedy,
                  const std::string& about) {
  return {{"type", "about:blank"},
          {"title", reason_phrase(status)},
          {"status", status},
          {"detail", detail},
          {"code", to_string(code)},
          {"remedy", remedy == Remedy::none ? Json(nullptr) : Json(to_string(remedy))},
          {"about", about}};
}

HttpResponse with_body(int status, const Json& json) {
  return {status, "application/problem+json", json_text(json)};
}

// As an error of the library, whatever it was.
Error current_error() {
  try {
    throw;
  } catch (const Error& error) {
    return error;
  } catch (const std::bad_alloc&) {
    return {ErrorCode::failed, "out of memory"};
  } catch (const std::exception& error) {
    return {ErrorCode::failed, error.what()};
  }
}

}  // namespace

int http_status(ErrorCode code) {
  switch (code) {
    case ErrorCode::usage:
      return 400;
    case ErrorCode::unknown:
      return 404;
    case ErrorCode::permission:
      return 403;
    case ErrorCode::interrupted:
      return 503;
    case ErrorCode::failed:
    case ErrorCode::no_meter:
      return 500;
  }
  return 500;
}

Json problem_json(const Error& error) {
  return problem_json(http_status(error.code()), error.what(), error.code(), error.remedy(),
                      error.about());
}

HttpResponse problem(const Error& error) {
  return with_body(http_status(error.code()), problem_json(error));
}

HttpResponse problem(int status, std::string_view detail) {
  return with_body(status, problem_json(status, detail, code_of(status), Remedy::none, ""));
}

Json problem_json_of_current_exception() { return problem_json(current_error()); }

HttpResponse problem_of_current_exception() { return problem(current_error()); }

}  // namespace ampere

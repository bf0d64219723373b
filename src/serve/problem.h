// Errors as answers: application/problem+json with the library's code and remedy.
#pragma once

#include <string>
#include <string_view>

#include "ampere/error.h"
#include "base/json.h"
#include "serve/http.h"

namespace ampere {

int http_status(ErrorCode code);

Json problem_json(const Error& error);
HttpResponse problem(const Error& error);

// What no error of the library says, such as 405. The code is the nearest of the library's.
HttpResponse problem(int status, std::string_view detail);

// Whatever a handler may throw.
Json problem_json_of_current_exception();
HttpResponse problem_of_current_exception();

}  // namespace ampere

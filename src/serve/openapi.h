// The description of the API, as OpenAPI 3.1; the tests hold every answer against it.
#pragma once

#include <string_view>

namespace ampere {

std::string_view openapi_document();

}  // namespace ampere

// The same requests and answers over standard input and output, one JSON object per line, for
// programs that start the server themselves (docs/serve.md).
#pragma once

#include <istream>
#include <ostream>

#include "ampere/progress.h"
#include "serve/http.h"

namespace ampere {

// Until the input ends or the token says so. Requests are answered one after the other; events of a
// stream come in between, as they happen.
void serve_lines(std::istream& in, std::ostream& out, HttpHandler& handler, StopToken stop);

}  // namespace ampere

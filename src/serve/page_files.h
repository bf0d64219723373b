// The page and the reports, as the server serves them: scripts and styles are files of their own,
// since the policy of the server forbids them inside a page.
#pragma once

#include "serve/routes.h"

namespace ampere {

// Open to everybody: they hold no data.
std::vector<Route> page_routes();

// Throws Error(failed) when this program was built without the page.
HttpResponse served_report(const std::string& title, const std::string& payload);

}  // namespace ampere

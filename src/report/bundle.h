#pragma once

#include <string_view>

namespace ampere {

// What web/ was bundled into, as part of the program. The script defines `ampere_report`; it is
// empty in a program that was built without Node and without a prebuilt bundle.
std::string_view report_script();

// The estimators as a WebAssembly module. Empty in a program that was built without them; then
// report_estimators_missing() says why.
std::string_view report_estimators();
std::string_view report_estimators_missing();

// The page, with @TITLE@, @STYLE@, @PAYLOAD@ and @SCRIPT@ once each where these belong.
std::string_view report_page();
std::string_view report_style();

}  // namespace ampere

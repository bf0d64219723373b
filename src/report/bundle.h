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

// The same page for a server whose policy forbids scripts and styles inside the page: @STYLE@ and
// @SCRIPT@ stand for the addresses at which it serves report_style() and report_script().
std::string_view served_report_page();

// The page of `ampere serve`. It expects app_style() at /app.css, app_script() at /app.js, and the
// style and script of reports at /report.css and /report.js, which hold what both share. app_script()
// is empty where report_script() is.
std::string_view app_page();
std::string_view app_style();
std::string_view app_script();

}  // namespace ampere

// Manual pages, made from the same definitions as the help texts.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace ampere {

// The page of a program, which lists its verbs, or of one of its verbs with all its subcommands, as
// roff for man(1). `program` is the name of the program, `version` is printed in the last line.
std::string manual_page(const CLI::App& command, const std::string& program,
                        const std::string& version);

// "ampere-estimate": the name of the page of a verb; "ampere" for the program itself.
std::string manual_name(const CLI::App& command, const std::string& program);

}  // namespace ampere

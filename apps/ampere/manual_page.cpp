#include "manual_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <vector>

#include "ampere/error.h"

namespace ampere {
namespace {

// As text of roff: a backslash begins an escape, a bare hyphen may become a dash, and a line that
// begins with a dot or an apostrophe is a request.
std::string escaped(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool starts_line = i == 0 || text[i - 1] == '\n';
    if (starts_line && (text[i] == '.' || text[i] == '\'')) result += "\\&";
    if (text[i] == '\\')
      result += "\\e";
    else if (text[i] == '-')
      result += "\\-";
    else
      result += text[i];
  }
  return result;
}

std::string in_capitals(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

std::vector<const CLI::App*> shown_verbs(const CLI::App& command) {
  return command.get_subcommands([](const CLI::App* verb) { return !verb->get_group().empty(); });
}

std::vector<const CLI::Option*> shown_options(const CLI::App& command, bool positional) {
  return command.get_options([=](const CLI::Option* option) {
    return !option->get_group().empty() && option->get_positional() == positional;
  });
}

bool may_be_repeated(const CLI::Option& option) {
  return option.get_expected_max() >= CLI::detail::expected_max_vector_size;
}

// "-o, --output TEXT", with what is typed in bold and what stands for something in italics.
std::string option_head(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  if (names.empty()) return fmt::format("\\fI{}\\fR", escaped(option.get_name()));
  std::string head;
  for (const std::string& name : names)
    head += fmt::format("{}\\fB{}\\fR", head.empty() ? "" : ", ", escaped(name));
  if (option.get_type_size_max() > 0)
    head += fmt::format(" \\fI{}\\fR", escaped(option.get_type_name()));
  return head + (may_be_repeated(option) ? " ..." : "");
}

std::string option_text(const CLI::Option& option) {
  std::string text = option.get_description();
  if (!option.get_default_str().empty())
    text += fmt::format(" (default: {})", option.get_default_str());
  return fmt::format(".TP\n{}\n{}\n", option_head(option), escaped(text));
}

std::string option_list(const CLI::App& command, bool positional, const std::string& title) {
  const std::vector<const CLI::Option*> options = shown_options(command, positional);
  if (options.empty()) return "";
  std::string text = title;
  for (const CLI::Option* option : options) text += option_text(*option);
  return text;
}

std::string full_name(const CLI::App& command, const std::string& program) {
  const CLI::App* parent = command.get_parent();
  return parent == nullptr ? program : full_name(*parent, program) + " " + command.get_name();
}

std::string synopsis(const CLI::App& command, const std::string& program) {
  std::string text = fmt::format("\\fB{}\\fR", escaped(full_name(command, program)));
  if (!shown_options(command, false).empty()) text += " [\\fIOPTIONS\\fR]";
  for (const CLI::Option* option : shown_options(command, true)) {
    std::string name = fmt::format("\\fI{}\\fR", escaped(option->get_name()));
    if (may_be_repeated(*option)) name += "...";
    text += option->get_required() ? " " + name : " [" + name + "]";
  }
  if (!shown_verbs(command).empty())
    text += command.get_require_subcommand_min() > 0 ? " \\fICOMMAND\\fR" : " [\\fICOMMAND\\fR]";
  return text + "\n";
}

// A footer is "Example:" and indented lines.
std::string examples(const CLI::App& command, const std::string& title) {
  const std::string footer = command.get_footer();
  const std::size_t first = footer.find('\n');
  if (first == std::string::npos) return "";
  return fmt::format("{}.nf\n{}\n.fi\n", title, escaped(footer.substr(first + 1)));
}

std::string verb_list(const CLI::App& program, const std::string& name) {
  std::string text = ".SH COMMANDS\n";
  for (const CLI::App* verb : shown_verbs(program))
    text += fmt::format(".TP\n\\fB{}\\fR(1)\n{}\n", escaped(manual_name(*verb, name)),
                        escaped(verb->get_description()));
  return text;
}

// The subcommands of a verb are sections of its page.
std::string subcommands(const CLI::App& command, const std::string& program) {
  std::string text;
  for (const CLI::App* verb : shown_verbs(command)) {
    text += fmt::format(".SH {}\n{}\n.PP\n{}", escaped(in_capitals(full_name(*verb, program))),
                        escaped(verb->get_description()), synopsis(*verb, program));
    text += option_list(*verb, true, "") + option_list(*verb, false, "") +
            examples(*verb, ".PP\nExample:\n.PP\n") + subcommands(*verb, program);
  }
  return text;
}

std::string exit_statuses() {
  constexpr std::pair<ErrorCode, const char*> kMeanings[] = {
      {ErrorCode::failed, "It failed while running."},
      {ErrorCode::usage, "Wrong usage or unreadable input."},
      {ErrorCode::unknown, "Nothing is known: no profile, no such device or model."},
      {ErrorCode::permission, "The system refuses."},
      {ErrorCode::no_meter, "There is no energy meter."},
      {ErrorCode::interrupted, "It was interrupted; everything measured so far is kept."}};
  std::string text = ".SH EXIT STATUS\n.TP\n0\nSuccess.\n";
  for (const auto& [code, meaning] : kMeanings)
    text += fmt::format(".TP\n{}\n{}\n", exit_status(code), meaning);
  return text;
}

}  // namespace

std::string manual_name(const CLI::App& command, const std::string& program) {
  std::string name = full_name(command, program);
  std::ranges::replace(name, ' ', '-');
  return name;
}

std::string manual_page(const CLI::App& command, const std::string& program,
                        const std::string& version) {
  const bool is_program = command.get_parent() == nullptr;
  const std::string name = manual_name(command, program);
  std::string text = fmt::format(".TH {} 1 \"\" \"{} {}\" \"User Commands\"\n",
                                 escaped(in_capitals(name)), escaped(program), escaped(version));
  // apropos(1) wants one line.
  std::string summary = command.get_description();
  std::ranges::replace(summary, '\n', ' ');
  text += fmt::format(".SH NAME\n{} \\- {}\n", escaped(name), escaped(summary));
  text += ".SH SYNOPSIS\n" + synopsis(command, program);
  text += option_list(command, true, ".SH ARGUMENTS\n");
  text += option_list(command, false, ".SH OPTIONS\n");
  if (is_program && !shown_verbs(command).empty()) text += verb_list(command, program);
  text += examples(command, ".SH EXAMPLES\n");
  if (!is_program) text += subcommands(command, program);
  text += exit_statuses();
  if (!is_program) text += fmt::format(".SH SEE ALSO\n\\fB{}\\fR(1)\n", escaped(program));
  return text;
}

}  // namespace ampere

#include "base/csv.h"

#include <fmt/format.h>

#include <algorithm>

#include "ampere/error.h"
#include "base/plain_text.h"
#include "base/text.h"

namespace ampere {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// A quoted cell from its opening quote on; `at` ends behind the closing one.
std::string take_quoted(std::string_view line, std::size_t& at, std::string& fault) {
  std::string cell;
  for (++at; at < line.size(); ++at) {
    if (line[at] != '"') {
      cell += line[at];
    } else if (at + 1 < line.size() && line[at + 1] == '"') {
      cell += line[at++];
    } else {
      ++at;
      return cell;
    }
  }
  fault = "a quote is not closed";
  return cell;
}

// Cells become names that are printed and stored. Tabs are spaces to whoever wrote them.
std::string fault_of(std::string_view line) {
  std::string text(line);
  std::ranges::replace(text, '\t', ' ');
  return text_fault(text);
}

CsvLine split_cells(std::string_view line, int number) {
  CsvLine result{number, {}, fault_of(line)};
  for (std::size_t at = 0;; ++at) {
    at = std::min(line.find_first_not_of(" \t", at), line.size());
    std::string cell;
    if (at < line.size() && line[at] == '"') cell = take_quoted(line, at, result.fault);
    const std::size_t end = std::min(line.find(',', at), line.size());
    const std::string_view rest = trim(line.substr(at, end - at));
    if (!cell.empty() && !rest.empty()) result.fault = "text follows a closing quote";
    result.cells.push_back(cell + std::string(rest));
    if (end == line.size()) return result;
    at = end;
  }
}

}  // namespace

CsvTable parse_csv(std::string_view text, const std::string& origin) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  CsvTable table;
  for (int number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trim(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty()) continue;
    if (line.starts_with('#'))
      table.comments.push_back({number, {plain_text(trim(line.substr(1)))}, {}});
    else if (table.header.number == 0)
      table.header = split_cells(line, number);
    else
      table.rows.push_back(split_cells(line, number));
  }
  if (table.header.number == 0)
    throw Error(ErrorCode::usage,
                origin + ": is empty: a line with the names of columns is missing");
  if (!table.header.fault.empty())
    throw Error(ErrorCode::usage,
                fmt::format("{}: line {}: {}", origin, table.header.number, table.header.fault));
  return table;
}

std::vector<ColumnAlias> parse_column_aliases(const std::string& mapping, const CsvLine& header,
                                              const std::string& origin) {
  const auto fail = [&](const std::string& message) {
    throw Error(ErrorCode::usage, fmt::format("{}: line {}: {}", origin, header.number, message));
  };
  std::vector<ColumnAlias> aliases;
  if (trim(mapping).empty()) return aliases;
  for (const std::string& entry : split(mapping, ',')) {
    const std::size_t equals = entry.find('=');
    if (equals == std::string::npos)
      fail(fmt::format("the mapping '{}' is not of the form ours=theirs", entry));
    const std::string theirs(trim(std::string_view(entry).substr(equals + 1)));
    const auto column = std::ranges::find(header.cells, theirs);
    if (column == header.cells.end())
      fail(fmt::format("there is no column '{}'{}", theirs, suggestion(theirs, header.cells)));
    aliases.push_back({std::string(trim(std::string_view(entry).substr(0, equals))),
                       static_cast<std::size_t>(column - header.cells.begin())});
  }
  return aliases;
}

std::string csv_cell(const std::string& text) {
  const bool plain = text.find_first_of(",\"#\n\r") == std::string::npos && trim(text) == text;
  if (plain) return text;
  std::string quoted = "\"";
  for (const char letter : text) {
    if (letter == '\n' || letter == '\r')
      quoted += ' ';
    else
      quoted += letter == '"' ? "\"\"" : std::string(1, letter);
  }
  return quoted + "\"";
}

}  // namespace ampere

// This file is a library of its own: see postgres_link.h.
#include "sql/postgres_link.h"

#include <fmt/format.h>
#include <libpq-fe.h>

#include <cstdlib>
#include <map>
#include <pqxx/pqxx>
#include <string_view>

namespace ampere {
namespace {

struct FreeOptions {
  void operator()(PQconninfoOption* options) const { PQconninfoFree(options); }
};
using Options = std::unique_ptr<PQconninfoOption, FreeOptions>;

std::string quoted(const std::string& value) {
  std::string text = "'";
  for (const char c : value) {
    if (c == '\'' || c == '\\') text += '\\';
    text += c;
  }
  return text + "'";
}

// So that a host that went away is noticed, and a statement to it fails, within half a minute.
const std::map<std::string, std::string> kDefaults = {{"connect_timeout", "5"},
                                                      {"keepalives_idle", "10"},
                                                      {"keepalives_interval", "5"},
                                                      {"keepalives_count", "3"},
                                                      {"tcp_user_timeout", "30000"},
                                                      {"client_encoding", "UTF8"},
                                                      {"fallback_application_name", "ampere"}};

// The URL in libpq's other form, with defaults for what neither it nor the environment says. A
// service may say anything, and libpq reads it only where nothing else is said.
std::string connection_text(const char* url) {
  char* reason = nullptr;
  const Options given(PQconninfoParse(url, &reason));
  if (!given) {
    const std::string text = reason ? reason : "the URL cannot be read";
    PQfreemem(reason);
    throw PostgresFailure(text, kBadUrl, false);
  }
  std::map<std::string, std::string> options;
  for (const PQconninfoOption* option = given.get(); option->keyword; ++option)
    if (option->val) options[option->keyword] = option->val;
  const Options known(PQconndefaults());
  const bool service = options.contains("service") || std::getenv("PGSERVICE");
  for (const PQconninfoOption* option = known.get(); option && option->keyword; ++option) {
    const auto ours = kDefaults.find(option->keyword);
    const bool said = option->envvar && std::getenv(option->envvar);
    if (ours != kDefaults.end() && !said && !(service && ours->first == "connect_timeout"))
      options.insert(*ours);
  }
  std::string text;
  for (const auto& [keyword, value] : options) text += keyword + "=" + quoted(value) + " ";
  return text;
}

// PostgreSQL keeps every character but NUL. It becomes \1\2, and \1 itself becomes \1\1, on the way
// to the server; texts without either stay as they are.
constexpr char kEscape = '\1', kNul = '\2';

std::string escaped(const std::string& text) {
  if (text.find('\0') == std::string::npos && text.find(kEscape) == std::string::npos) return text;
  std::string result;
  for (const char c : text) {
    if (c == '\0' || c == kEscape) result += kEscape;
    result += c == '\0' ? kNul : c;
  }
  return result;
}

std::string unescaped(std::string_view text) {
  if (text.find(kEscape) == std::string_view::npos) return std::string(text);
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool pair = text[i] == kEscape && i + 1 < text.size();
    if (pair) ++i;
    result += pair && text[i] == kNul ? '\0' : text[i];
  }
  return result;
}

class Rows final : public SqlRows {
 public:
  explicit Rows(pqxx::result rows) : rows_(std::move(rows)) {}

  bool next() override { return ++row_ < static_cast<int>(rows_.size()); }
  std::int64_t integer(int column) const override {
    const pqxx::field field = at(column);
    return field.is_null() ? 0 : std::strtoll(field.c_str(), nullptr, 10);
  }
  std::optional<double> number(int column) const override {
    const pqxx::field field = at(column);
    if (field.is_null()) return std::nullopt;
    return std::strtod(field.c_str(), nullptr);
  }
  std::string text(int column) const override {
    const pqxx::field field = at(column);
    return unescaped({field.c_str(), field.size()});
  }
  std::string blob(int column) const override {
    const pqxx::field field = at(column);
    return field.is_null() ? "" : pqxx::binarystring(field).str();
  }

 private:
  pqxx::field at(int column) const {
    return rows_[static_cast<pqxx::result::size_type>(row_)]
                [static_cast<pqxx::row::size_type>(column)];
  }

  pqxx::result rows_;
  int row_ = -1;
};

struct AsText {
  std::string operator()(std::monostate) const { return ""; }
  std::string operator()(std::int64_t value) const { return fmt::format("{}", value); }
  std::string operator()(double value) const { return fmt::format("{}", value); }
  std::string operator()(const std::string& value) const { return escaped(value); }
  std::string operator()(const Blob& value) const {
    constexpr const char* kDigits = "0123456789abcdef";
    std::string text = "\\x";
    text.reserve(2 + 2 * value.bytes.size());
    for (const unsigned char byte : value.bytes) {
      text += kDigits[byte >> 4];
      text += kDigits[byte & 15];
    }
    return text;
  }
};

// libpqxx forgets the code of some errors that it has a class for.
std::string state_of(const pqxx::sql_error& error) {
  if (!error.sqlstate().empty()) return error.sqlstate();
  if (dynamic_cast<const pqxx::insufficient_privilege*>(&error)) return "42501";
  if (dynamic_cast<const pqxx::disk_full*>(&error)) return "53100";
  if (dynamic_cast<const pqxx::insufficient_resources*>(&error)) return "53000";
  if (dynamic_cast<const pqxx::feature_not_supported*>(&error)) return "0A000";
  return "";
}

class PqxxLink final : public PostgresLink {
 public:
  explicit PqxxLink(const std::string& options)
      : connection_(options), quiet_(connection_), session_(connection_) {}

  std::unique_ptr<SqlRows> run(const std::string& sql,
                               const std::vector<SqlValue>& values) override {
    std::vector<std::string> texts;
    for (const SqlValue& value : values) texts.push_back(std::visit(AsText{}, value));
    std::vector<const char*> pointers;
    for (std::size_t i = 0; i < values.size(); ++i)
      pointers.push_back(std::holds_alternative<std::monostate>(values[i]) ? nullptr
                                                                           : texts[i].c_str());
    return wrapped([&] {
      return std::make_unique<Rows>(
          session_.exec_prepared(prepared(sql), pqxx::prepare::make_dynamic_params(pointers)));
    });
  }

  void run_script(const std::string& script) override {
    wrapped([&] { return session_.exec(script); });
  }

 private:
  const std::string& prepared(const std::string& sql) {
    const auto [place, is_new] = names_.try_emplace(sql, fmt::format("ampere{}", names_.size()));
    if (is_new) connection_.prepare(place->second, sql);
    return place->second;
  }

  // libpqxx would open a lost connection again by itself, without the session's locks and settings;
  // so a link is never used after it broke.
  template <class Work>
  auto wrapped(const Work& work) -> decltype(work()) {
    try {
      if (!connection_.is_open()) throw PostgresFailure("the connection is closed", "", false);
      return work();
    } catch (const pqxx::sql_error& error) {
      throw PostgresFailure(error.what(), state_of(error), connection_.is_open());
    } catch (const pqxx::serialization_failure& error) {
      throw PostgresFailure(error.what(), "40001", connection_.is_open());
    } catch (const pqxx::deadlock_detected& error) {
      throw PostgresFailure(error.what(), "40P01", connection_.is_open());
    } catch (const pqxx::broken_connection& error) {
      throw PostgresFailure(error.what(), "", false);
    } catch (const pqxx::failure& error) {
      throw PostgresFailure(error.what(), "", connection_.is_open());
    }
  }

  pqxx::connection connection_;
  pqxx::quiet_errorhandler quiet_;
  pqxx::nontransaction session_;              // transactions are begun and ended by statements
  std::map<std::string, std::string> names_;  // of prepared statements, by their text
};

}  // namespace
}  // namespace ampere

extern "C" ampere::PostgresLink* ampere_connect_postgresql(const char* url) {
  const std::string options = ampere::connection_text(url);
  try {
    return std::make_unique<ampere::PqxxLink>(options).release();
  } catch (const pqxx::failure& error) {
    throw ampere::PostgresFailure(error.what(), "", false);
  }
}

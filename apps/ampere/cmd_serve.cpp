#include <fmt/format.h>
#include <sys/stat.h>

#include <iostream>

#include "ampere/error.h"
#include "base/plain_text.h"
#include "base/read_file.h"
#include "base/text.h"
#include "commands.h"
#include "interrupt.h"
#include "options.h"
#include "ranges.h"
#include "serve/api.h"
#include "serve/http_server.h"
#include "serve/stdio.h"
#include "sql/sql.h"
#include "terminal.h"

namespace ampere {
namespace {

struct ServeArguments {
  std::string listen = to_string(ListenAddress{"127.0.0.1", kDefaultPort});
  std::string token_file, store;
  std::vector<std::string> meters;
  std::size_t connections = HttpOptions{}.connections, workers = 0;
  int prunings = ApiOptions{}.prunings;
  bool stdio = false;
};

constexpr std::size_t kShortestToken = 16;
constexpr std::uint64_t kLargestTokenFile = 4096;

// A token that others can read protects nothing.
void warn_of_readers(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) == 0 && (status.st_mode & (S_IRGRP | S_IROTH)) != 0)
    print_warning(fmt::format("--token-file: other users of this machine can read {}; chmod 600 it",
                              plain_text(path)));
}

std::string read_token(const std::string& path) {
  const std::string text = read_file(path, kLargestTokenFile);
  std::string token(trim(text));
  const bool printable = token.find_first_not_of(
                             "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                             "-._~+/=") == std::string::npos;
  if (token.size() < kShortestToken || !printable)
    throw Error(ErrorCode::usage,
                fmt::format("--token-file: {} does not hold a token of {} or more letters, digits "
                            "and -._~+/=; make one with: openssl rand -hex 32 > {}",
                            path, kShortestToken, path));
  warn_of_readers(path);
  return token;
}

HttpOptions http_options(const ServeArguments& options) {
  HttpOptions http;
  const ListenAddress listen = parse_listen(options.listen);
  http.address = listen.address;
  http.port = listen.port;
  if (!options.token_file.empty()) http.token = read_token(options.token_file);
  if (http.token.empty() && !is_loopback(http.address))
    throw Error(ErrorCode::usage,
                fmt::format("--listen: {} can be reached from other machines, which needs "
                            "--token-file FILE with a token that clients must send",
                            http.address));
  http.connections = options.connections;
  http.workers = options.workers;
  return http;
}

ApiOptions api_options(const ServeArguments& options, const Settings& settings) {
  ApiOptions api;
  api.store = options.store;
  api.defaults.setup.batch = settings.batch;
  api.defaults.setup.optimizer = parse_optimizer(settings.optimizer);
  api.defaults.confidence = settings.confidence;
  api.meters = options.meters;
  api.prunings = options.prunings;
  api.stop = stop_token();
  return api;
}

void serve(const ServeArguments& options, const Settings& settings) {
  if (options.stdio) {
    Api api(api_options(options, settings));
    serve_lines(std::cin, std::cout, api, stop_token());
    return;
  }
  HttpOptions http = http_options(options);
  Api api(api_options(options, settings));
  const ListenAddress asked{http.address, http.port};
  HttpServer server(std::move(http), api);
  api.show_counts([&] { return server.counts(); });
  fmt::print(stderr, "ampere: listening on http://{}, answering from {}\n",
             to_string(ListenAddress{asked.address, server.port()}), masked_url(options.store));
  server.run(stop_token());
  api.show_counts({});
}

}  // namespace

void add_serve(CLI::App& app, const Settings& settings) {
  auto options = std::make_shared<ServeArguments>();
  CLI::App* command = app.add_subcommand(
      "serve", "Answers estimates on a web page, through an HTTP API and as metrics");
  command->add_option("--listen", options->listen, "Address and port; port 0 takes a free one")
      ->capture_default_str();
  command->add_option("--token-file", options->token_file,
                      "File with the token that clients must send; needed for every address but "
                      "those of this machine alone");
  command->add_flag("--stdio", options->stdio,
                    "Answer on standard output, one JSON object per line of standard input, "
                    "instead of listening");
  command->add_option("--meter", options->meters,
                      "Meters whose power is shown (default: all that are available)");
  command->add_option("--connections", options->connections, "Connections at once, at most")
      ->check(whole_from_to(1, kMostCount))
      ->capture_default_str();
  command
      ->add_option("--workers", options->workers,
                   "Threads that answer (default: one per core, at least 2)")
      ->check(whole_from_to(1, 1024));
  command->add_option("--prunings", options->prunings, "Prunings at once, at most")
      ->check(whole_from_to(1, 64))
      ->capture_default_str();
  add_store_option(*command, options->store, settings);
  add_example(*command, "ampere serve --listen 127.0.0.1:8642");
  command->callback([options, settings] { serve(*options, settings); });
}

}  // namespace ampere

#include "rig/serve.h"

#include <istream>
#include <ostream>

#include "record/record_json.h"
#include "record/request_json.h"

namespace ampere {
namespace {

// A foreign text, such as a message of a driver, may not be valid UTF-8; what is not is replaced.
void write_line(std::ostream& out, const Json& json) {
  out << json.dump(-1, ' ', false, Json::error_handler_t::replace) << '\n' << std::flush;
}

Json error_json(ErrorCode code, const std::string& message) {
  return {{"code", to_string(code)}, {"message", message}};
}

// Null when the request has no id that could be sent back.
Json id_of(const Json& request) {
  if (!request.is_object() || !request.contains("id")) return nullptr;
  const Json& id = request["id"];
  return id.is_number_integer() || id.is_string() ? id : Json(nullptr);
}

}  // namespace

void RunnerServer::refuse(const Error& error) {
  write_line(out_, {{"ampere_runner", kRunnerProtocol},
                    {"error", error_json(error.code(), error.what())}});
}

bool RunnerServer::answer(Rig& rig, const std::string& line) {
  Json id;
  const auto send = [&](const Json& content) {
    Json reply{{"id", id}};
    reply.update(content);
    write_line(out_, reply);
  };
  try {
    const Json json = parse_json(line, "request");
    id = id_of(json);
    const JsonField request(json, "request: ");
    if (request.at("do").text() == "quit") return false;
    // When a line cannot be written the host is gone, and hours of training would be for nothing.
    const RunListener listener = sending_listener([&](const Json& event) {
      send(event);
      if (!out_) throw Error(ErrorCode::failed, "the host is no longer listening");
    });
    send(answer_json(rig.run(read_request(request), listener)));
  } catch (const Error& error) {
    if (error.code() == ErrorCode::interrupted) throw;
    send({{"error", error_json(error.code(), error.what())}});
  } catch (const std::exception& error) {
    send({{"error", error_json(ErrorCode::failed, error.what())}});
  }
  return true;
}

// What follows a line that is too long cannot be told from its rest, so the server ends with it.
bool RunnerServer::next_line(std::string& line) try {
  return read_line(in_, line, "request", longest_line_);
} catch (const Error& error) {
  write_line(out_, {{"id", nullptr}, {"error", error_json(error.code(), error.what())}});
  return false;
}

void RunnerServer::serve(Rig& rig) {
  write_line(out_, {{"ampere_runner", kRunnerProtocol},
                    {"device", device_json(rig.device())},
                    {"abilities", abilities_json(rig.abilities())},
                    {"setups", setup_range_json(rig.setups())}});
  std::string line;
  while (out_ && next_line(line)) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    if (!answer(rig, line)) return;
  }
}

}  // namespace ampere

#include "serve/stdio.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>

#include "ampere/error.h"
#include "base/json_text.h"
#include "base/known_keys.h"
#include "base/packed.h"
#include "base/read_line.h"
#include "base/read_number.h"
#include "base/text.h"
#include "serve/event_queue.h"
#include "serve/problem.h"

namespace ampere {
namespace {

// Lines from several threads, each whole.
class LineWriter {
 public:
  explicit LineWriter(std::ostream& out) : out_(out) {}

  void write(const std::string& line) {
    const std::lock_guard lock(mutex_);
    out_ << line << '\n' << std::flush;
  }

 private:
  std::mutex mutex_;
  std::ostream& out_;
};

// An answer is JSON on one line already, which is not worth reading again.
std::string body_text(const HttpResponse& response) {
  if (response.body.empty()) return "null";
  if (!response.content_type.starts_with("application/")) return json_text(response.body);
  if (response.body.find('\n') == std::string::npos) return response.body;
  return json_text(parse_json(response.body, "answer"));
}

HttpRequest read_request(const JsonField& json) {
  static const std::vector<std::string> kKeys{"id", "method", "path", "body", "body_base64"};
  refuse_unknown_keys(json, kKeys);
  HttpRequest request;
  request.method = json.text_or("method", "GET");
  const std::string target = json.at("path").text();
  const std::size_t question = std::min(target.find('?'), target.size());
  request.path = target.substr(0, question);
  request.query = target.substr(std::min(question + 1, target.size()));
  if (json.has("body")) request.body = json_text(json.at("body").json());
  if (json.has("body_base64")) request.body = read_word(json.at("body_base64"), from_base64);
  return request;
}

// Passes on what comes out of a queue, and says when it ends.
class Stream : public std::enable_shared_from_this<Stream> {
 public:
  Stream(Json id, std::shared_ptr<EventQueue> events, std::shared_ptr<LineWriter> out)
      : id_(std::move(id)), events_(std::move(events)), out_(std::move(out)) {}

  void begin() {
    events_->on_news([self = weak_from_this()] {
      if (const auto stream = self.lock()) stream->pass_on();
    });
  }
  bool has_ended() const {
    const std::lock_guard lock(mutex_);
    return ended_;
  }

 private:
  void pass_on() {
    const std::lock_guard lock(mutex_);
    while (const auto event = events_->take())
      out_->write(json_text(
          {{"id", id_}, {"event", event->name}, {"data", parse_json(event->data, "event")}}));
    if (!events_->is_over() || ended_) return;
    ended_ = true;
    out_->write(json_text({{"id", id_}, {"status", 200}, {"body", nullptr}}));
  }

  const Json id_;
  const std::shared_ptr<EventQueue> events_;
  const std::shared_ptr<LineWriter> out_;
  mutable std::mutex mutex_;
  bool ended_ = false;
};

}  // namespace

void serve_lines(std::istream& in, std::ostream& out, HttpHandler& handler, StopToken stop) {
  const auto writer = std::make_shared<LineWriter>(out);
  std::vector<std::shared_ptr<Stream>> streams;
  for (std::string line; !stop.stop_requested() && read_line(in, line, "standard input");) {
    if (trim(line).empty()) continue;
    Json id = nullptr;
    HttpResponse response;
    try {
      const Json document = parse_json(line, "line");
      const JsonField json(document, "line: ");
      if (json.has("id")) id = json.at("id").json();
      const HttpRequest request = read_request(json);
      response = request.body.size() > handler.body_limit(request.method, request.path) &&
                         !request.body.empty()
                     ? handler.refusal(413, "the body is longer than this path takes")
                     : handler.answer(request);
    } catch (const std::exception&) {
      response = problem_of_current_exception();
    }
    std::erase_if(streams, [](const auto& stream) { return stream->has_ended(); });
    if (response.events) {
      streams.push_back(std::make_shared<Stream>(id, response.events, writer));
      streams.back()->begin();
    } else {
      writer->write(fmt::format(R"({{"id":{},"status":{},"body":{}}})", json_text(id),
                                response.status, body_text(response)));
    }
  }
}

}  // namespace ampere

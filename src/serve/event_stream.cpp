#include "serve/event_stream.h"

#include <fmt/format.h>

#include <utility>

namespace ampere {
namespace {

constexpr std::size_t kMostBytes = 65'536;  // at a time
constexpr const char* kLastChunk = "0\r\n\r\n";

}  // namespace

void abandon(EventQueue& events) {
  events.on_news({});
  events.close();
  while (events.take()) {
  }
}

EventStream::EventStream(std::shared_ptr<EventQueue> events, bool is_chunked,
                         std::function<void()> wake)
    : events_(std::move(events)), is_chunked_(is_chunked) {
  events_->on_news([wake = std::move(wake), news = has_news_] {
    if (!news->exchange(true)) wake();
  });
}

std::optional<std::string> EventStream::next() {
  has_news_->store(false);  // before looking, so that nothing that comes now is missed
  std::string text;
  while (text.size() < kMostBytes) {
    const std::optional<ServerEvent> event = events_->take();
    if (!event) break;
    text += fmt::format("event: {}\ndata: {}\n\n", event->name, event->data);
  }
  if (!text.empty()) return framed(std::move(text));
  is_over_ = events_->is_over();
  if (!is_over_) return std::nullopt;
  return is_chunked_ ? kLastChunk : "";
}

std::string EventStream::comment() const { return framed(":\n\n"); }

std::string EventStream::framed(std::string text) const {
  return is_chunked_ ? fmt::format("{:x}\r\n{}\r\n", text.size(), text) : text;
}

}  // namespace ampere

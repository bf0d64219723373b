// Every place where bytes of others enter, as a function of those bytes. The fuzzer feeds it what
// it invents, and a test what is in fuzz/corpora.
#pragma once

#include <span>
#include <string_view>

namespace ampere::fuzz {

struct Boundary {
  const char* name;  // of its folder in fuzz/corpora
  // Reads the bytes as a file, an answer, … of this kind. What is wrong with them throws
  // ampere::Error, which is caught here; anything else that happens is a fault of ours.
  void (*feed)(std::string_view bytes);
};

std::span<const Boundary> boundaries();

void feed_model(std::string_view bytes);
void feed_spec(std::string_view bytes);
void feed_recording(std::string_view bytes);
void feed_requests(std::string_view bytes);
void feed_answers(std::string_view bytes);
void feed_worker(std::string_view bytes);
void feed_trace(std::string_view bytes);
void feed_kernels(std::string_view bytes);
void feed_forecast(std::string_view bytes);
void feed_idx(std::string_view bytes);
void feed_cifar(std::string_view bytes);
void feed_npy(std::string_view bytes);
void feed_settings(std::string_view bytes);
void feed_jobs(std::string_view bytes);
void feed_suite(std::string_view bytes);
void feed_profile(std::string_view bytes);
void feed_command(std::string_view bytes);

}  // namespace ampere::fuzz

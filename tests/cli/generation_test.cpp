// `ampere estimate --mode generation`: traced calls of a small language model on the shipped
// profile of an H200, what is refused, and its report. Scripts are traced by tests of the Python
// package.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli.h"

namespace ampere {
namespace {

using testing::HasSubstr;
using testing_support::Cli;
using testing_support::Ran;

const std::string kTracedCalls = AMPERE_TEST_DATA "/generation/";
const std::string kGenerating = " --mode generation --device h200 --store sqlite:none.db ";

// A prefill of 16 tokens and decodes at contexts of 16, 20 and 24, which are 10 new tokens.
std::string calls_of(int batch) {
  std::string words = kTracedCalls + "gpt-prefill-b" + std::to_string(batch) + "-p16.program";
  for (const char* context : {"16", "20", "24"})
    words +=
        " " + kTracedCalls + "gpt-decode-b" + std::to_string(batch) + "-c" + context + ".program";
  return words;
}
const std::string kTenTokens = "--prompt 16 --new-tokens 10 ";

Json generated(const Cli& cli, const std::string& words) {
  const Ran ran = cli.run("estimate " + words + kGenerating + "--json");
  EXPECT_EQ(ran.status, 0) << ran.err;
  return ran.json();
}

TEST(GenerationCommand, SaysWhatTokensCost) {
  const Cli cli;
  const Json json = generated(cli, calls_of(4) + " " + kTenTokens);
  EXPECT_EQ(json.at("model"), "gpt");
  EXPECT_EQ(json.at("mode"), "generation");
  EXPECT_EQ(json.at("number_format"), "bf16");
  EXPECT_EQ(json.at("source"), "measured");
  EXPECT_EQ(json.at("profile"), "h200");
  ASSERT_EQ(json.at("batches").size(), 1u);
  const Json& batch = json.at("batches").at(0);
  EXPECT_EQ(batch.at("batch"), 4);
  const auto mean = [&](const char* key) { return batch.at(key).at("mean").get<double>(); };
  EXPECT_NEAR(mean("energy_j"), mean("prefill_energy_j") + mean("decode_energy_j"), 1e-12);
  EXPECT_NEAR(mean("energy_j_per_prompt_token"), mean("prefill_energy_j") / 64, 1e-12);
  EXPECT_NEAR(mean("energy_j_per_new_token"), mean("decode_energy_j") / 36, 1e-12);
  EXPECT_NEAR(mean("time_s"), mean("time_to_first_token_s") + 9 * mean("time_between_tokens_s"),
              1e-12);
  for (const char* key : {"energy_j_per_new_token", "time_between_tokens_s", "energy_j"}) {
    EXPECT_LT(batch.at(key).at("low"), batch.at(key).at("mean")) << key;
    EXPECT_GT(batch.at(key).at("high"), batch.at(key).at("mean")) << key;
  }
  // Keys and values of two layers of 64 numbers of 2 bytes, 25 tokens of 4 sequences.
  EXPECT_EQ(batch.at("cache_bytes"), 2 * 2 * 64 * 2 * 25 * 4);
  EXPECT_GT(batch.at("peak_memory_bytes"), batch.at("cache_bytes"));
  EXPECT_EQ(batch.at("decode").at("limit"), "host");
  EXPECT_GE(batch.at("interpolation_error"), 0.0);
}

TEST(GenerationCommand, SaysThatItsProfileRestsOnTraining) {
  const Cli cli;
  const Json json = generated(cli, calls_of(1) + " " + kTenTokens);
  EXPECT_THAT(json.at("warnings").dump(), HasSubstr("rests on training iterations"));
  EXPECT_THAT(json.at("warnings").dump(), HasSubstr("traced with torch 1.13"));
}

TEST(GenerationCommand, NamesTheCheapestBatch) {
  const Cli cli;
  const std::string words = calls_of(1) + " " + calls_of(4) + " " + kTenTokens;
  const Json free = generated(cli, words);
  EXPECT_EQ(free.at("best_batch"), 4);
  EXPECT_EQ(free.at("batches").at(1).at("rank"), 1);
  const Json limited = generated(cli, words + "--latency-limit 1ms --memory 80GB");
  EXPECT_EQ(limited.at("limits").at("between_tokens_s"), 0.001);
  for (const Json& batch : limited.at("batches"))
    EXPECT_EQ(batch.at("inside").at("memory"), "inside");
  const Json strict = generated(cli, words + "--latency-limit 0.001ms");
  EXPECT_EQ(strict.at("best_batch"), nullptr);
  EXPECT_THAT(strict.at("why_no_best"), HasSubstr("outside of a limit"));
  const Json one = generated(cli, words + "--batch 1");
  ASSERT_EQ(one.at("batches").size(), 1u);
  EXPECT_EQ(one.at("batches").at(0).at("batch"), 1);
}

TEST(GenerationCommand, IsReadableAsText) {
  const Cli cli;
  const Ran one = cli.run("estimate " + calls_of(4) + " " + kTenTokens + kGenerating);
  ASSERT_EQ(one.status, 0) << one.err;
  EXPECT_THAT(one.out, HasSubstr("gpt: prompts of 16 tokens, 10 new tokens each, bf16, on NVIDIA "
                                 "H200 (profile h200, measured, method operations)"));
  for (const char* line : {"prompt token ", "new token ", "to first token ", "between tokens ",
                           "at the peak; the cache ends with", "context 24"})
    EXPECT_THAT(one.out, HasSubstr(line));
  const Ran two = cli.run("estimate " + calls_of(1) + " " + calls_of(4) + " " + kTenTokens +
                          "--latency-limit 1s" + kGenerating);
  EXPECT_THAT(two.out, HasSubstr("cheapest inside of 1.00 s between tokens: batch 4 ("));
  const Ran first =
      cli.run("estimate " + calls_of(4) + " --prompt 16 --new-tokens 1" + kGenerating);
  EXPECT_THAT(first.out, HasSubstr("none is decoded: the first comes out of the prefill"));
}

TEST(GenerationCommand, ListsTheCallsToTrace) {
  const Cli cli;
  const Ran text =
      cli.run("estimate --mode generation --calls --prompt 512 --new-tokens 256 --batches 2");
  EXPECT_EQ(text.out,
            "prefill, batch 2, prompt 512\ndecode, batch 2, context 512\n"
            "decode, batch 2, context 596\ndecode, batch 2, context 681\n"
            "decode, batch 2, context 766\n");
  const Json json =
      cli.run("estimate --mode generation --calls --json --prompt 4 --new-tokens 1 --batch 3")
          .json();
  EXPECT_EQ(json.at("calls"),
            Json::parse(R"([{"stage": "prefill", "batch": 3, "tokens": 4, "context": 0}])"));
}

struct RefusedGeneration {
  std::string words;
  int status;
  std::string says;
};

TEST(GenerationCommand, SaysWhatIsWrong) {
  const Cli cli;
  const std::string calls = calls_of(4) + " ";
  const std::string training = AMPERE_TEST_DATA "/programs/two_blocks.program ";
  for (const RefusedGeneration& each : std::vector<RefusedGeneration>{
           {calls + "--prompt 0 --new-tokens 10", 2, "--prompt: 0 is not between 1 and 1000000"},
           {calls + "--prompt 16 --new-tokens 0", 2, "--new-tokens: 0 is not between 1 and"},
           {calls + "--prompt 16 --new-tokens 1000000", 2, "is too long"},
           {calls + "--prompt 16 --new-tokens 11", 2,
            "batch 4: decodes need contexts of 16 to 25 tokens, and those that were traced have 16 "
            "to 24"},
           {calls + "--prompt 17 --new-tokens 5", 2,
            "no prefill of a prompt of 17 tokens was traced; there are prompts of 16"},
           {calls + kTenTokens + "--batch 2", 2, "no program has batch 2"},
           {calls + calls + kTenTokens, 2, "two programs are the same call"},
           {training + kTenTokens, 2,
            "two_blocks.program: is one training iteration, and neither a prefill nor a decode"},
           {"resnet18 " + kTenTokens, 2, "resnet18: has no cache to generate text with"},
           {kTenTokens, 2, "needs a language model"},
           {calls + kTenTokens + "--precision bf16", 2, "--precision: traced programs have"},
           {calls + kTenTokens + "--contexts 16", 2,
            "--contexts and --keep-programs are for a script"},
           {calls + kTenTokens + "--optimizer adamw", 2, "--optimizer: has no meaning"},
           {calls + kTenTokens + "--check", 2, "--check: has no meaning"},
           {calls + kTenTokens + "--refine --rig sim:server", 2, "the rig is simulated"},
           {calls + kTenTokens + "--refine --rig recorded:none.jsonl", 3, "none.jsonl"},
           {calls + kTenTokens + "--latency-limit soon", 2, "--latency-limit: 'soon'"},
           {calls + kTenTokens + "--method dual", 2, "operations"},
           {"nowhere.program " + kTenTokens, 3, "nowhere.program"},
           {"nowhere.py:build " + kTenTokens, 3, "nowhere.py: there is no such file"},
       }) {
    const Ran ran = cli.run("estimate " + each.words + kGenerating);
    EXPECT_EQ(ran.status, each.status) << each.words << ran.err;
    EXPECT_THAT(ran.err, HasSubstr(each.says)) << each.words;
    EXPECT_EQ(ran.out, "") << each.words;
  }
}

TEST(GenerationCommand, ItsOptionsNeedTheMode) {
  const Cli cli;
  const Ran ran = cli.run("estimate cnn5 --prompt 4 --device h200 --store sqlite:none.db");
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(ran.err, HasSubstr("--prompt: is for language models that generate text; add --mode "
                                 "generation"));
}

TEST(GenerationCommand, NeedsAGeneralProfile) {
  const Cli cli;
  const std::string words = "estimate " + calls_of(4) + " " + kTenTokens + "--mode generation ";
  const Ran no_store = cli.run(words + "--store sqlite:none.db");
  EXPECT_EQ(no_store.status, 3);
  EXPECT_THAT(no_store.err, HasSubstr("no store at"));
  const Ran no_device = cli.run(words + "--device h900 --store sqlite:none.db");
  EXPECT_EQ(no_device.status, 3);
  EXPECT_THAT(no_device.err, HasSubstr("h900"));
}

// One call alone is a program like any other.
TEST(GenerationCommand, ACallAloneIsEstimatedAsOneStep) {
  const Cli cli;
  const Ran ran = cli.run("estimate " + kTracedCalls +
                          "gpt-decode-b4-c16.program --device h200 --store sqlite:none.db --json");
  ASSERT_EQ(ran.status, 0) << ran.err;
  const Json json = generated(cli, calls_of(4) + " " + kTenTokens);
  EXPECT_NEAR(ran.json().at("energy_j").at("mean").get<double>() / 4,
              json.at("batches").at(0).at("contexts").at(0).at("energy_j_per_token").at("mean"),
              1e-12);
}

// With the device at hand, what the calls execute is timed when the device is profiled.
TEST(GenerationCommand, ItsOperationsAreTimedWithAProfile) {
  const Cli cli;
  const std::string calls = calls_of(4) + " ", store = "--store sqlite:own.db ";
  const Ran profiled = cli.run("profile --general " + calls + store +
                               "--rig sim:server --operations 40 --programs 3");
  ASSERT_EQ(profiled.status, 0) << profiled.err;
  const Ran ran = cli.run("estimate " + calls + kTenTokens + store + "--mode generation --json");
  ASSERT_EQ(ran.status, 0) << ran.err;
  const Json json = ran.json();
  EXPECT_EQ(json.at("source"), "simulated");
  for (const char* stage : {"prefill", "decode"})
    EXPECT_NEAR(
        json.at("batches").at(0).at(stage).at("device_time_by_source").at("known").get<double>(), 1,
        1e-9);
}

TEST(GenerationCommand, TimesOperationsWithTheDeviceAtHand) {
  const Cli cli;
  const std::string store = "--store sqlite:own.db ", rig = "--rig sim:server ";
  ASSERT_EQ(cli.run("profile --general " + store + rig + "--operations 120 --programs 3").status,
            0);
  const std::string words =
      "estimate " + calls_of(4) + " " + kTenTokens + store + "--mode generation ";
  const Json alone = cli.run(words + "--json").json();
  EXPECT_EQ(alone.at("at_hand"), nullptr);
  const Ran ran = cli.run(words + rig + "--refine --record seen.jsonl.gz --json");
  ASSERT_EQ(ran.status, 0) << ran.err;
  const Json seen = ran.json();
  EXPECT_GT(seen.at("at_hand").at("timed_operations"), 5);
  EXPECT_EQ(seen.at("at_hand").at("host"), Json::array()) << "no script was given";
  EXPECT_THAT(seen.at("warnings").dump(), HasSubstr("the host was not measured"));
  const auto timed = [](const Json& json) {
    return json.at("batches")
        .at(0)
        .at("decode")
        .at("device_time_by_source")
        .at("timed")
        .get<double>();
  };
  EXPECT_EQ(timed(alone), 0);
  EXPECT_GT(timed(seen), 0.5);
  const Ran again = cli.run(words + "--rig recorded:seen.jsonl.gz --refine --json");
  ASSERT_EQ(again.status, 0) << again.err;
  EXPECT_EQ(again.json(), seen);
  EXPECT_THAT(cli.run(words + rig + "--refine").out, HasSubstr("seen on this device: "));
}

TEST(GenerationCommand, IsShownAsAPage) {
  const Cli cli;
  const Json answer =
      generated(cli, calls_of(1) + " " + calls_of(4) + " " + kTenTokens + "--latency-limit 1s");
  cli.write("gpt.json", answer.dump());
  const Ran page = cli.run("report generation gpt.json -o gpt.html");
  ASSERT_EQ(page.status, 0) << page.err;
  const Json payload = cli.run("report generation gpt.json --json").json();
  EXPECT_EQ(payload.at("report"), "generation");
  EXPECT_EQ(payload.at("content").at("generations").at(0).at("best_batch"), 4);
  cli.write("bad.json", R"({"model": "x", "device": {"name": "y"}})");
  const Ran bad = cli.run("report generation bad.json -o bad.html");
  EXPECT_EQ(bad.status, 2);
  EXPECT_THAT(bad.err, HasSubstr("bad.json: the key \"prompt\" is missing"));
}

}  // namespace
}  // namespace ampere

// A report stays small and quick to make however much was measured.
#include <gtest/gtest.h>

#include "base/json.h"
#include "report/known.h"
#include "report/report.h"

namespace ampere {
namespace {

using testing_support::kHead;
using testing_support::Known;

constexpr std::size_t kMany = 100000;

// A store whose every list is repeated until there are many. It counts what it is asked for.
class ManyStore : public Store {
 public:
  explicit ManyStore(const Store& few) : few_(few) {}

  std::vector<Observation> find(const Query& query) const override {
    const std::vector<Observation> few =
        few_.find({.profile = query.profile, .purpose = query.purpose, .kind = query.kind});
    std::vector<Observation> many;
    const std::size_t most = query.most ? static_cast<std::size_t>(*query.most) : kMany;
    if (few.empty()) return many;
    for (std::size_t i = 0; i < most; ++i) many.push_back(few[i % few.size()]);
    asked += most;
    return many;
  }
  std::vector<BlockTiming> timings(std::int64_t profile,
                                   const std::vector<std::string>&) const override {
    const std::vector<BlockTiming> few = few_.timings(profile);
    std::vector<BlockTiming> many;
    for (std::size_t i = 0; i < kMany; ++i) many.push_back(few[i % few.size()]);
    return many;
  }
  std::vector<ProfileRow> profiles() const override { return few_.profiles(); }
  std::vector<StoredFit> fits(std::int64_t profile,
                              const std::vector<std::string>& kinds) const override {
    return few_.fits(profile, kinds);
  }
  std::vector<StoredFit> fits(std::int64_t profile) const override { return few_.fits(profile); }
  std::optional<std::string> document(std::int64_t profile,
                                      const std::string& name) const override {
    return few_.document(profile, name);
  }
  std::vector<StoredDocument> documents(std::int64_t profile) const override {
    return few_.documents(profile);
  }

  std::int64_t open_profile(const DeviceInfo&, const Setup&, const std::string&) override {
    throw std::logic_error("a report changes nothing");
  }
  void remove_profile(std::int64_t) override { open_profile({}, {}, ""); }
  void add(std::int64_t, const Observation&) override { open_profile({}, {}, ""); }
  void add(std::int64_t, const std::vector<BlockTiming>&) override { open_profile({}, {}, ""); }
  void put_fit(std::int64_t, const StoredFit&) override { open_profile({}, {}, ""); }
  void put_document(std::int64_t, const StoredDocument&) override { open_profile({}, {}, ""); }
  void atomically(const std::function<void()>&) override { open_profile({}, {}, ""); }

  mutable std::size_t asked = 0;  // observations

 private:
  const Store& few_;
};

TEST(LargeStore, AReportIsBoundedAndSaysWhatItLeavesOut) {
  Known known;
  known.profile_ampere(6, 2);
  known.profile_dual();
  const ManyStore many(*known.store);
  const std::string payload = profile_payload(kHead, many, known.row(), {});
  EXPECT_LT(payload.size(), 5u << 20);
  EXPECT_LT(many.asked, 10000u) << "it reads no more than it shows";
  const Json content = Json::parse(payload).at("content");
  EXPECT_TRUE(content.at("dual").at("more_networks").get<bool>());
  EXPECT_EQ(content.at("dual").at("networks").size(), 400u);
  for (const Json& kind : content.at("kinds")) {
    EXPECT_EQ(kind.at("tests").size(), 400u);
    EXPECT_TRUE(kind.at("more_tests").get<bool>());
  }
  std::size_t shown = 0, left_out = 0;
  for (const Json& kind : content.at("dual").at("timings")) {
    shown += kind.at("points").size();
    left_out += kind.at("points_left_out").get<std::size_t>();
  }
  EXPECT_EQ(shown + left_out, kMany);
  EXPECT_LT(shown, 5000u);
}

TEST(LargeStore, TooManyWindowsAreCounted) {
  Known known;
  known.profile_ampere(3);
  known.profile_dual();
  Observation busy =
      known.store->find({.profile = known.row().id, .purpose = Purpose::network}).front();
  const Window window = busy.measurement->windows.front();
  busy.measurement->windows.assign(15000, window);
  for (int i = 0; i < 3; ++i) known.store->add(known.row().id, busy);
  const Json content =
      Json::parse(profile_payload(kHead, *known.store, known.row(), {})).at("content");
  EXPECT_EQ(content.at("windows_left_out"), 2);
  EXPECT_TRUE(content.at("dual").at("networks").back().at("windows").is_null());
}

Json evaluation(std::size_t networks) {
  Json list = Json::array();
  for (std::size_t i = 0; i < networks; ++i)
    list.push_back({{"model", std::to_string(i)},
                    {"measured_j_per_iteration", {1.0, 1.1}},
                    {"measured_s_per_iteration", {1.0, 1.1}},
                    {"estimates", {{"dual", {{"mean", 1.0}}}}}});
  return {{"family", "cnn5"},
          {"batch", 10},
          {"source", "measured"},
          {"device", {{"name", "D"}}},
          {"methods", {{"dual", Json::object()}}},
          {"networks", std::move(list)}};
}

TEST(LargeStore, AnEvaluationOfManyNetworksIsThinned) {
  const std::vector<ReportItem> items{{"many", "1", evaluation(12345).dump()},
                                      {"few", "", evaluation(7).dump()}};
  const Json content = Json::parse(evaluate_payload(kHead, items)).at("content");
  const Json& many = content.at("evaluations")[0];
  EXPECT_EQ(many.at("networks").size(), 1000u);
  EXPECT_EQ(many.at("networks_left_out"), 11345);
  EXPECT_EQ(many.at("networks")[500].at("model"), "6172") << "evenly";
  EXPECT_EQ(content.at("evaluations")[1].at("networks_left_out"), 0);
  EXPECT_EQ(content.at("evaluations")[1].at("networks").size(), 7u);
}

}  // namespace
}  // namespace ampere

#include "session/shipped_store.h"

#include "method/operations/general_profile.h"
#include "setup/general_setup.h"
#include "shipped/profiles.h"

namespace ampere {
namespace {

constexpr const char* kRig = "shipped";

struct Shipped {
  std::unique_ptr<Store> store = open_store("memory:");
  std::vector<ProfileRow> rows;

  Shipped() {
    for (const ShippedProfile& profile : shipped_profiles()) {
      const GeneralHead head =
          parse_general_head(profile.text, "the shipped profile " + profile.name);
      ProfileRow row{.device = head.device,
                     .setup = general_setup(),
                     .rig = kRig,
                     .updated_at = head.taken_at,
                     .shipped = profile.name};
      row.id = store->open_profile(row.device, row.setup, kRig);
      store->put_document(row.id, {kGeneralDocument, profile.text});
      rows.push_back(std::move(row));
    }
  }
};

const Shipped& shipped() {
  static const Shipped all;
  return all;
}

}  // namespace

const Store& shipped_store() { return *shipped().store; }

const std::vector<ProfileRow>& shipped_rows() { return shipped().rows; }

}  // namespace ampere

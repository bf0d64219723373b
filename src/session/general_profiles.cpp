// General profiles as they are listed, kept and handed on.
#include <fmt/format.h>

#include "ampere/error.h"
#include "ampere/session.h"
#include "base/gzip.h"
#include "base/read_file.h"
#include "method/operations/general_profile.h"
#include "session/profile_text.h"
#include "session/shipped_store.h"
#include "setup/general_setup.h"

namespace ampere {
namespace {

constexpr const char* kFromFile = "file";  // the rig of a profile that came as one

}  // namespace

std::vector<ProfileRow> Session::shipped_profiles() const { return shipped_rows(); }

std::optional<GeneralCounts> Session::general_counts(const ProfileRow& profile) const {
  if (!is_general(profile.setup)) return std::nullopt;
  const auto text = store_of(profile).document(profile.id, kGeneralDocument);
  if (!text) return std::nullopt;
  const GeneralHead head = parse_general_head(*text, profile_text(profile));
  return GeneralCounts{head.operations, head.windows};
}

std::string Session::general_document(const ProfileRow& profile) const {
  const auto text = store_of(profile).document(profile.id, kGeneralDocument);
  if (!text)
    throw Error(ErrorCode::unknown, fmt::format("{} is not a general one", profile_text(profile)),
                Remedy::list_profiles);
  return *text;
}

std::int64_t Session::keep_general(std::string_view text, const std::string& origin) {
  std::string unpacked;
  if (is_gzip(text)) text = unpacked = gunzip(text, origin, kLargestProfile);
  if (text.empty()) throw Error(ErrorCode::usage, origin + ": is empty, not a general profile");
  const GeneralProfile profile = parse_general_profile(text, origin);
  std::int64_t id = 0;
  store_->atomically([&] {
    id = store_->open_profile(profile.device, general_setup(), kFromFile);
    store_->put_document(id, {kGeneralDocument, to_json(profile)});
  });
  return id;
}

}  // namespace ampere

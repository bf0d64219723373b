#include "session/empty_profile.h"

#include <algorithm>

namespace ampere {

void remove_if_empty(Session& session, const DeviceInfo& device, const Setup& setup) try {
  const std::optional<std::int64_t> profile = session.profile_of(device, setup);
  if (!profile) return;
  Store& store = session.store();
  const std::vector<ProfileRow> rows = store.profiles();
  const auto row = std::ranges::find(rows, *profile, &ProfileRow::id);
  if (row == rows.end() || row->observations + row->failures + row->tests > 0) return;
  if (store.timings(*profile).empty() && store.fits(*profile).empty() &&
      store.documents(*profile).empty())
    store.remove_profile(*profile);
} catch (const Error&) {
  // The error that the work ended in is the one to hear of.
}

}  // namespace ampere

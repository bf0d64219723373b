#include "fleet/kind_table.h"

namespace ampere {
namespace {

const std::vector<Migration>& migrations() {
  static const std::vector<Migration> all{
      running("CREATE TABLE fleet_kinds (kind TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, "
              "device TEXT NOT NULL, node TEXT NOT NULL, rig TEXT NOT NULL)")};
  return all;
}

constexpr const char* kComponent = "fleet_kinds";

}  // namespace

KindTable::KindTable(std::shared_ptr<SqlDatabase> database) : database_(std::move(database)) {
  if (database_->writable())
    migrate(*database_, kComponent, migrations());
  else
    there_ = version_of(*database_, kComponent, migrations()) > 0;
}

void KindTable::put(const ProfiledKind& kind) {
  database_->atomically([&] {
    run(*database_,
        "INSERT INTO fleet_kinds (kind, fingerprint, device, node, rig) VALUES (?1, ?2, ?3, ?4, "
        "?5) "
        "ON CONFLICT (kind) DO UPDATE SET fingerprint = excluded.fingerprint, "
        "device = excluded.device, node = excluded.node, rig = excluded.rig",
        kind.kind, kind.fingerprint, kind.device, kind.node, kind.rig);
  });
}

std::vector<ProfiledKind> KindTable::all() {
  std::vector<ProfiledKind> kinds;
  if (!there_) return kinds;
  const auto found = rows(
      *database_, "SELECT kind, fingerprint, device, node, rig FROM fleet_kinds ORDER BY kind");
  while (found->next())
    kinds.push_back(
        {found->text(0), found->text(1), found->text(2), found->text(3), found->text(4)});
  return kinds;
}

DeviceOfKind KindTable::devices() {
  DeviceOfKind devices;
  for (const ProfiledKind& kind : all()) devices[kind.kind] = kind.fingerprint;
  return devices;
}

}  // namespace ampere

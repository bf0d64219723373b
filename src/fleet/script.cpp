#include "fleet/script.h"

#include <fmt/format.h>

#include "ampere/error.h"
#include "base/shell_word.h"
#include "sql/sql.h"

namespace ampere {

void require_no_password(const std::string& store) {
  const std::string masked = masked_url(store);
  if (masked == store) return;
  throw Error(
      ErrorCode::usage,
      fmt::format("the store {} contains a password, which Slurm would keep in the script of "
                  "every job; leave it out of the URL, and keep it on the nodes in the "
                  "file that PGPASSFILE names (~/.pgpass) or in a service file of libpq",
                  masked));
}

std::string job_script(const std::string& store, const std::vector<std::string>& command) {
  require_no_password(store);
  std::string script = "#!/bin/sh\nAMPERE_STORE=" + shell_word(store) + "\nexport AMPERE_STORE\n";
  // In place of the shell, so that Slurm's signals reach it.
  script += "exec";
  for (const std::string& word : command) script += " " + shell_word(word);
  return script + "\n";
}

}  // namespace ampere

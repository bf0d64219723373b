# As a script (cmake -DSOURCE=… -DOUTPUT=… -P revision.cmake): writes a source that knows which commit is built.
# It runs with every build and writes only when the commit is another one.
cmake_minimum_required(VERSION 3.22)
set(revision "")
find_program(git git)
if(git AND EXISTS ${SOURCE}/.git)
  execute_process(COMMAND ${git} --no-optional-locks -C ${SOURCE} describe --always --dirty --abbrev=40 --exclude *
                  OUTPUT_VARIABLE revision OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "#include \"build_info.h\"

namespace ampere {

std::string_view build_revision() { return \"@revision@\"; }

}  // namespace ampere
" @ONLY)

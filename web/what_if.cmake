# The estimators for the page, compiled to WebAssembly from the library's own sources. Needs clang, lld
# and Debian's libc++-dev-wasm32 and libclang-rt-dev-wasm32, or AMPERE_WHAT_IF_MODULE from a release. With
# neither, the page says that its what-if part was left out, and why.
#
# Sets what_if_module to the file that will be made and what_if_missing to "", or the first to "" and the
# second to the reason.
set(AMPERE_WHAT_IF_MODULE "" CACHE FILEPATH "A what_if.wasm built elsewhere; then clang is not needed")

# Relative to src/. What is not used of a file is not linked.
set(what_if_sources
  base/error.cpp base/json.cpp base/packed.cpp base/packed_matrix.cpp
  meter/meter.cpp
  block/role.cpp
  gp/check.cpp gp/cholesky.cpp gp/gaussian_process.cpp gp/gp_mean.cpp gp/matern.cpp gp/matern_rows.cpp gp/matern_sums.cpp
  gp/split_gp_mean.cpp
  tree/even_trees.cpp tree/tree_masks.cpp tree/tree_text.cpp
  widths/block_forms.cpp widths/number_table.cpp widths/width_form.cpp
  method/dual/dual_composer.cpp method/dual/dynamic_energy.cpp method/dual/seen_networks.cpp method/dual/tabulated_energy.cpp method/dual/energy_law.cpp
  method/dual/laws_json.cpp method/dual/map_json.cpp method/dual/time_law.cpp method/dual/time_map.cpp method/dual/time_table.cpp
  method/dual/width_features.cpp
  method/ampere/ampere_composer.cpp method/ampere/fit_json.cpp)

set(what_if_module "")
set(what_if_missing "")
if(AMPERE_WHAT_IF_MODULE)
  set(what_if_module ${AMPERE_WHAT_IF_MODULE})
  return()
endif()

find_program(AMPERE_WASM_CXX NAMES clang++ clang++-14)
if(NOT AMPERE_WASM_CXX)
  set(what_if_missing "no clang++ was found, which compiles the estimators to WebAssembly")
else()
  set(probe ${CMAKE_CURRENT_BINARY_DIR}/wasm_probe)
  file(WRITE ${probe}.cpp "#include <vector>\nextern \"C\" int probe() { return std::vector<int>(3).size(); }\n")
  execute_process(
    COMMAND ${AMPERE_WASM_CXX} --target=wasm32-wasi -std=c++20 -mexec-model=reactor ${probe}.cpp -o ${probe}.wasm
    RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
  if(failed)
    set(what_if_missing "${AMPERE_WASM_CXX} does not compile to WebAssembly; Debian's lld, libc++-dev-wasm32 and \
libclang-rt-dev-wasm32 are needed beside it")
  endif()
endif()
if(what_if_missing)
  message(STATUS "What-if part of ampere report: left out: ${what_if_missing}")
  return()
endif()

# Headers of other libraries, without the host's C library beside them.
find_package(nlohmann_json REQUIRED)
find_package(Eigen3 REQUIRED)
get_target_property(json_folders nlohmann_json::nlohmann_json INTERFACE_INCLUDE_DIRECTORIES)
get_target_property(eigen_folders Eigen3::Eigen INTERFACE_INCLUDE_DIRECTORIES)
find_path(AMPERE_JSON_HEADERS nlohmann/json.hpp HINTS ${json_folders} NO_CACHE REQUIRED)
find_path(AMPERE_EIGEN_HEADERS Eigen/Dense HINTS ${eigen_folders} NO_CACHE REQUIRED)
set(headers ${CMAKE_CURRENT_BINARY_DIR}/wasm_headers)
file(MAKE_DIRECTORY ${headers})
file(CREATE_LINK ${AMPERE_JSON_HEADERS}/nlohmann ${headers}/nlohmann SYMBOLIC)

# The same warnings as everywhere. Nothing is caught in the module: web/what_if_module.cpp says what
# becomes of an error.
set(flags --target=wasm32-wasi -std=c++20 -Os -DNDEBUG -DJSON_HAS_FILESYSTEM=0 -DJSON_HAS_EXPERIMENTAL_FILESYSTEM=0
  -fignore-exceptions -ffunction-sections -fdata-sections -fvisibility=hidden -fno-math-errno
  -Wall -Wextra -Wpedantic -Wshadow -Werror
  -isystem ${headers} -isystem ${AMPERE_EIGEN_HEADERS} -I${PROJECT_SOURCE_DIR}/include -I${PROJECT_SOURCE_DIR}/src)

# All files are compiled as one, in half the time: no two of them may have a private name in common.
set(unity "")
foreach(source ${what_if_sources})
  string(APPEND unity "#include \"${PROJECT_SOURCE_DIR}/src/${source}\"\n")
endforeach()
string(APPEND unity "#include \"${CMAKE_CURRENT_SOURCE_DIR}/what_if_module.cpp\"\n")
set(source ${CMAKE_CURRENT_BINARY_DIR}/what_if.cpp)
file(CONFIGURE OUTPUT ${source} CONTENT "${unity}")
set(object ${CMAKE_CURRENT_BINARY_DIR}/what_if.o)
add_custom_command(
  OUTPUT ${object}
  COMMAND ${CMAKE_CXX_COMPILER_LAUNCHER} ${AMPERE_WASM_CXX} ${flags} -MD -MF ${object}.d -c ${source} -o ${object}
  DEPENDS ${source}
  DEPFILE ${object}.d
  COMMENT "Compiling the page's estimators to WebAssembly"
  VERBATIM)

set(what_if_module ${CMAKE_CURRENT_BINARY_DIR}/what_if.wasm)
add_custom_command(
  OUTPUT ${what_if_module}
  COMMAND ${AMPERE_WASM_CXX} --target=wasm32-wasi -mexec-model=reactor -Wl,--gc-sections -Wl,--strip-all
          -Wl,--export=__stack_pointer ${object} -o ${what_if_module}
  DEPENDS ${object}
  COMMENT "Linking the page's estimators"
  VERBATIM)

# What every target of the project shares, and the two ways to make one.

add_library(ampere_options INTERFACE)
target_compile_options(ampere_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Werror)
# Two warnings of g++ that cry wolf: on short literals in 12 (-Wrestrict), and on references to what
# outlives the temporary it was asked through in 13.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(ampere_options INTERFACE -Wno-restrict)
  # g++ collects the garbage in its own memory less often. One file of `dual` took 6 % less time to compile, and
  # 1.3 GB of memory instead of 1.1 GB.
  target_compile_options(ampere_options INTERFACE "SHELL:--param ggc-min-expand=1000"
                                                  "SHELL:--param ggc-min-heapsize=2000000")
  if(CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
    target_compile_options(ampere_options INTERFACE -Wno-dangling-reference)
  endif()
endif()
target_include_directories(ampere_options INTERFACE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
if(AMPERE_SANITIZE)
  target_compile_options(ampere_options INTERFACE -fsanitize=${AMPERE_SANITIZE} -fno-omit-frame-pointer)
  target_link_options(ampere_options INTERFACE -fsanitize=${AMPERE_SANITIZE})
  if(AMPERE_SANITIZE MATCHES thread AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(ampere_options INTERFACE -Wno-tsan) # Asio's fences are not seen by it
  endif()
endif()

include(${CMAKE_CURRENT_LIST_DIR}/hardening.cmake)

# ampere_apart(target a.cpp …): these have private names that a neighbour of theirs has, too, and are
# never compiled as one with others.
function(ampere_apart target)
  set_source_files_properties(${ARGN} TARGET_DIRECTORY ${target} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

# How what is COLD is optimised. That small functions are inlined costs no time, and g++ does not do so at -Og or -O1.
# With so little known of them, g++ takes values of LibTorch for uninitialised.
set(ampere_cold -Og -finline-small-functions -finline-functions-called-once -ftree-sra -ftree-dse -Wno-maybe-uninitialized)
set(ampere_cold "$<$<CONFIG:Release>:${ampere_cold}>")

# ampere_module(name [LOCAL] [COLD] SOURCES a.cpp … APART sources … USES other modules … LINKS foreign libraries …):
# the library ampere::name. It is installed unless it is LOCAL. A COLD module waits for files, devices or people and
# computes little, or leaves it to other modules: it is optimised less, which took two fifths less time to compile for one of them.
function(ampere_module name)
  cmake_parse_arguments(MODULE "LOCAL;COLD" "" "SOURCES;APART;USES;LINKS" ${ARGN})
  add_library(ampere_${name} STATIC ${MODULE_SOURCES})
  ampere_apart(ampere_${name} ${MODULE_APART})
  add_library(ampere::${name} ALIAS ampere_${name})
  list(TRANSFORM MODULE_USES PREPEND ampere_)
  set_property(TARGET ampere_${name} PROPERTY AMPERE_USES ${MODULE_USES})
  target_link_libraries(ampere_${name} PUBLIC $<BUILD_INTERFACE:ampere_options> ${MODULE_USES}
                                       PRIVATE ${MODULE_LINKS})
  ampere_harden(ampere_${name})
  set(heat hot)
  if(MODULE_COLD)
    set(heat cold)
    target_compile_options(ampere_${name} PRIVATE ${ampere_cold})
  endif()
  ampere_precompile_module(ampere_${name} ${heat})
  if(NOT MODULE_LOCAL)
    ampere_install(${name})
  endif()
endfunction()

# What most modules include of other libraries is read once for those that are hot and once for those that are
# cold: it is another header for g++ where it is optimised otherwise. fmt is not among it: its #pragma optimize,
# precompiled, leaves __OPTIMIZE__ defined, and Eigen fails on it. Every file still includes what it needs; builds
# with AMPERE_PCH=OFF and AMPERE_UNITY=OFF prove it. g++ 12 does not know that a warning is about a header of the
# system when that was precompiled, so the warnings about memory that cry wolf there are left to builds without.
function(ampere_precompile_module target heat)
  if(NOT AMPERE_PCH)
    return()
  endif()
  if(NOT TARGET ampere_${heat}_headers)
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/${heat}_headers.cpp CONTENT "")
    add_library(ampere_${heat}_headers OBJECT ${PROJECT_BINARY_DIR}/${heat}_headers.cpp)
    target_link_libraries(ampere_${heat}_headers PRIVATE ampere_options)
    ampere_harden(ampere_${heat}_headers)
    if(heat STREQUAL "cold")
      target_compile_options(ampere_${heat}_headers PRIVATE ${ampere_cold})
    endif()
    target_precompile_headers(ampere_${heat}_headers PRIVATE
      <algorithm> <cmath> <filesystem> <fstream> <functional> <map> <memory> <numeric> <optional> <random> <set>
      <span> <sstream> <string> <thread> <variant> <vector> <nlohmann/json.hpp>)
  endif()
  target_precompile_headers(${target} REUSE_FROM ampere_${heat}_headers)
  target_compile_options(${target} PRIVATE -Wno-stringop-overflow -Wno-stringop-overread -Wno-array-bounds)
endfunction()

# ampere_plugin(name SOURCES a.cpp … LINKS foreign libraries …): the library ampere-name, which base/plugin.h
# loads when it is first used.
function(ampere_plugin name)
  cmake_parse_arguments(PLUGIN "" "" "SOURCES;LINKS" ${ARGN})
  add_library(ampere_${name} MODULE ${PLUGIN_SOURCES})
  target_link_libraries(ampere_${name} PRIVATE ampere_options ${PLUGIN_LINKS})
  ampere_harden(ampere_${name})
  set_target_properties(ampere_${name} PROPERTIES
    PREFIX "" OUTPUT_NAME ampere-${name}-${PROJECT_VERSION} UNITY_BUILD OFF
    LIBRARY_OUTPUT_DIRECTORY ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
  install(TARGETS ampere_${name} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/ampere COMPONENT library)
endfunction()

# ampere_used(result targets …): these modules and all that they use.
function(ampere_used result)
  set(all)
  while(ARGN)
    list(POP_FRONT ARGN module)
    if(NOT module IN_LIST all)
      list(APPEND all ${module})
      get_property(used TARGET ${module} PROPERTY AMPERE_USES)
      list(APPEND ARGN ${used})
    endif()
  endwhile()
  set(${result} ${all} PARENT_SCOPE)
endfunction()

# ampere_test(name SOURCES a_test.cpp … APART sources … USES modules … LINKS foreign libraries … SINGLY suites …
#             FIRST suites … ALONE suites or cases … LABEL label):
# one program. AMPERE_TEST_DATA is the folder tests/data. Each suite is one test of ctest: a process for each of
# thousands of short cases would cost more than the cases do, and cases share what takes long to set up. Of a suite
# that runs SINGLY, each case takes long and is a test of its own, so that they run side by side. These and the
# suites that are FIRST start first, so that none is left for the end. While one that is ALONE runs, no other test
# does, since it measures the processor.
function(ampere_test name)
  cmake_parse_arguments(TEST "" "LABEL" "SOURCES;APART;USES;LINKS;SINGLY;FIRST;ALONE" ${ARGN})
  add_executable(${name}_test ${TEST_SOURCES})
  ampere_apart(${name}_test ${TEST_APART})
  list(TRANSFORM TEST_USES PREPEND ampere_)
  target_link_libraries(${name}_test PRIVATE ${TEST_USES} ampere_options ${TEST_LINKS} GTest::gmock GTest::gtest_main)
  target_compile_definitions(${name}_test PRIVATE AMPERE_TEST_DATA="${PROJECT_SOURCE_DIR}/tests/data"
                                                  AMPERE_BINARY_DIR="${CMAKE_BINARY_DIR}/bin")
  # The code under test is optimised; what asks it need not be. Of a template in both the linker takes
  # the first it sees, which must be that of the library.
  target_compile_options(${name}_test PRIVATE -O0)
  ampere_used(modules ${TEST_USES})
  list(TRANSFORM modules REPLACE "(.+)" "$<TARGET_FILE:\\1>")
  target_link_options(${name}_test BEFORE PRIVATE -Wl,--whole-archive ${modules} -Wl,--no-whole-archive)
  ampere_precompile_test(${name}_test)

  set(suites ${CMAKE_CURRENT_BINARY_DIR}/${name}_suites.cmake)
  set(TEST_PROGRAM ${CMAKE_CROSSCOMPILING_EMULATOR} $<TARGET_FILE:${name}_test>)
  foreach(list PROGRAM SINGLY FIRST ALONE)
    list(JOIN TEST_${list} "," ${list})
  endforeach()
  add_custom_command(TARGET ${name}_test POST_BUILD BYPRODUCTS ${suites} VERBATIM
    COMMAND ${CMAKE_COMMAND} -D PROGRAM=${PROGRAM} -D OUTPUT=${suites} -D SINGLY=${SINGLY}
            -D FIRST=${FIRST} -D ALONE=${ALONE} -D LABEL=${TEST_LABEL} -P ${PROJECT_SOURCE_DIR}/cmake/suites.cmake)
  # What is not built yet is a test that fails.
  set(included ${CMAKE_CURRENT_BINARY_DIR}/${name}_tests.cmake)
  file(CONFIGURE OUTPUT ${included} @ONLY CONTENT [=[
if(EXISTS "@suites@")
  include("@suites@")
else()
  add_test(@name@_test_is_not_built @name@_test)
endif()
]=])
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${included})
endfunction()

# What all tests include of other libraries is read once for all of them, too, without fmt for the same reason.
function(ampere_precompile_test target)
  if(NOT TARGET ampere_test_headers)
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/test_headers.cpp CONTENT "")
    add_library(ampere_test_headers OBJECT ${PROJECT_BINARY_DIR}/test_headers.cpp)
    target_link_libraries(ampere_test_headers PRIVATE ampere_base GTest::gmock)
    target_compile_options(ampere_test_headers PRIVATE -O0)
    target_precompile_headers(ampere_test_headers PRIVATE
      <algorithm> <cmath> <filesystem> <fstream> <functional> <map> <memory> <numeric> <optional> <random> <set>
      <span> <sstream> <string> <thread> <vector> <nlohmann/json.hpp> <gmock/gmock.h> <gtest/gtest.h>)
  endif()
  target_precompile_headers(${target} REUSE_FROM ampere_test_headers)
endfunction()
if(AMPERE_TESTS)
  include(GoogleTest)
endif()

# What every target of the project shares, and the two ways to make one.

add_library(ampere_options INTERFACE)
target_compile_options(ampere_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Werror)
# Two warnings of g++ that cry wolf: on short literals in 12 (-Wrestrict), and on references to what
# outlives the temporary it was asked through in 13.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(ampere_options INTERFACE -Wno-restrict)
  if(CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
    target_compile_options(ampere_options INTERFACE -Wno-dangling-reference)
  endif()
endif()
target_include_directories(ampere_options INTERFACE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
if(AMPERE_SANITIZE)
  target_compile_options(ampere_options INTERFACE -fsanitize=${AMPERE_SANITIZE} -fno-omit-frame-pointer)
  target_link_options(ampere_options INTERFACE -fsanitize=${AMPERE_SANITIZE})
endif()

# ampere_module(name [LOCAL] SOURCES a.cpp … USES other modules … LINKS foreign libraries …): the
# library ampere::name. It is installed unless it is LOCAL.
function(ampere_module name)
  cmake_parse_arguments(MODULE "LOCAL" "" "SOURCES;USES;LINKS" ${ARGN})
  add_library(ampere_${name} STATIC ${MODULE_SOURCES})
  add_library(ampere::${name} ALIAS ampere_${name})
  list(TRANSFORM MODULE_USES PREPEND ampere_)
  target_link_libraries(ampere_${name} PUBLIC $<BUILD_INTERFACE:ampere_options> ${MODULE_USES}
                                       PRIVATE ${MODULE_LINKS})
  if(NOT MODULE_LOCAL)
    ampere_install(${name})
  endif()
endfunction()

# ampere_test(name [ALONE] SOURCES a_test.cpp … USES modules … LINKS foreign libraries …): one program,
# its cases found by ctest. AMPERE_TEST_DATA is the folder tests/data. ALONE: while one of them runs,
# no other test does, since it measures the processor.
function(ampere_test name)
  cmake_parse_arguments(TEST "ALONE" "" "SOURCES;USES;LINKS" ${ARGN})
  add_executable(${name}_test ${TEST_SOURCES})
  list(TRANSFORM TEST_USES PREPEND ampere_)
  target_link_libraries(${name}_test PRIVATE ${TEST_USES} ampere_options ${TEST_LINKS} GTest::gmock GTest::gtest_main)
  target_compile_options(${name}_test PRIVATE -O0) # the code under test is optimised; what asks it need not be
  target_compile_definitions(${name}_test PRIVATE AMPERE_TEST_DATA="${PROJECT_SOURCE_DIR}/tests/data"
                                                  AMPERE_BINARY_DIR="${CMAKE_BINARY_DIR}/bin")
  gtest_discover_tests(${name}_test DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 300 RUN_SERIAL ${TEST_ALONE})
endfunction()
if(AMPERE_TESTS)
  include(GoogleTest)
endif()

# Runs whenever a program of tests was linked: asks it for its suites and writes the file by which ctest knows them.
#   cmake -D PROGRAM=… -D OUTPUT=… -D SINGLY=… -D FIRST=… -D ALONE=… -D LABEL=… -P suites.cmake
# The program and its emulator, if it has one, and SINGLY, FIRST and ALONE as given to ampere_test are lists with commas.
# What they name must exist.
cmake_minimum_required(VERSION 3.22)
foreach(list PROGRAM SINGLY FIRST ALONE)
  string(REPLACE "," ";" ${list} "${${list}}")
endforeach()
execute_process(COMMAND ${PROGRAM} --gtest_list_tests OUTPUT_VARIABLE listed COMMAND_ERROR_IS_FATAL ANY TIMEOUT 60)
string(REGEX REPLACE " +# [^\n]*" "" listed "${listed}") # what a parameter is
string(REGEX MATCHALL "[^\n]+" lines "${listed}")

# add(name filter properties …): a test of ctest. One of which every case was skipped counts as skipped.
set(tests "")
function(add name filter)
  list(JOIN ARGN " " properties)
  list(JOIN PROGRAM "]=] [=[" program)
  string(APPEND tests
    "add_test([=[${name}]=] [=[${program}]=] [=[--gtest_filter=${filter}]=])\n"
    "set_tests_properties([=[${name}]=] PROPERTIES ${properties} LABELS [=[${LABEL}]=]\n"
    "  SKIP_REGULAR_EXPRESSION [=[  PASSED  . 0 tests[.]\n(.  SKIPPED [^\n]*\n)+$]=])\n")
  set(tests "${tests}" PARENT_SCOPE)
endfunction()

foreach(line ${lines})
  if(line MATCHES "^  (.+)$")
    set(case "${suite}.${CMAKE_MATCH_1}")
    list(APPEND known ${case})
    if(case IN_LIST ALONE)
      add(${case} ${case} TIMEOUT 300 RUN_SERIAL ON)
    elseif(suite IN_LIST SINGLY)
      add(${case} ${case} TIMEOUT 300 COST 20)
    endif()
  elseif(line MATCHES "^([^ ]+)\\.$")
    set(suite "${CMAKE_MATCH_1}")
    list(APPEND known ${suite})
    if(suite IN_LIST SINGLY)
      continue()
    endif()
    set(properties TIMEOUT 600)
    if(suite IN_LIST FIRST)
      list(APPEND properties COST 10)
    endif()
    if(suite IN_LIST ALONE)
      list(APPEND properties RUN_SERIAL ON)
    endif()
    set(others ${ALONE})
    list(FILTER others INCLUDE REGEX "^${suite}\\.")
    list(JOIN others ":" others)
    add(${suite} "${suite}.*-${others}" ${properties})
  endif()
endforeach()
foreach(name ${SINGLY} ${FIRST} ${ALONE})
  if(NOT name IN_LIST known)
    message(FATAL_ERROR "${PROGRAM} has no test ${name}; its CMakeLists.txt names one")
  endif()
endforeach()
file(WRITE ${OUTPUT} "${tests}")

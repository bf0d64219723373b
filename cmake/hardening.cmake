# ampere_harden(target): what makes a fault in the release build hard to use by an attacker. The tests are left
# out, since they are compiled without optimisation, and so are builds with sanitizers, which check more.
# tests/package/hardening.cmake reads the headers of the two programs and fails when one of these is missing.
include(CheckCXXCompilerFlag)
option(AMPERE_HARDEN "Compile with fortified calls, stack protection and read-only relocations" ON)

set(AMPERE_HARDENING)
set(AMPERE_HARDENING_OF_LINKS)
if(AMPERE_HARDEN AND NOT AMPERE_SANITIZE)
  set(AMPERE_HARDENING -fstack-protector-strong)
  # Bounds that are known only while the program runs are checked by g++ 12 and later.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 12)
    set(fortified 3)
  else()
    set(fortified 2)
  endif()
  # Fortified calls need an optimising build.
  list(APPEND AMPERE_HARDENING $<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE>
                               $<$<NOT:$<CONFIG:Debug>>:-D_FORTIFY_SOURCE=${fortified}>)
  # Not every compiler and processor has these.
  foreach(flag -fstack-clash-protection -fcf-protection -mbranch-protection=standard)
    string(MAKE_C_IDENTIFIER AMPERE_HAS${flag} has)
    check_cxx_compiler_flag(${flag} ${has})
    if(${has})
      list(APPEND AMPERE_HARDENING ${flag})
    endif()
  endforeach()
  set(AMPERE_HARDENING_OF_LINKS -Wl,-z,relro,-z,now,-z,noexecstack)
endif()

function(ampere_harden target)
  if(NOT AMPERE_HARDENING)
    return()
  endif()
  get_target_property(type ${target} TYPE)
  target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:${AMPERE_HARDENING}>")
  if(type STREQUAL "MODULE_LIBRARY")
    target_link_options(${target} PRIVATE ${AMPERE_HARDENING_OF_LINKS})
    return()
  endif()
  # The modules become part of programs whose place in memory is drawn anew at each start.
  target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:-fPIE>")
  if(type STREQUAL "EXECUTABLE")
    target_link_options(${target} PRIVATE -pie ${AMPERE_HARDENING_OF_LINKS})
  endif()
endfunction()

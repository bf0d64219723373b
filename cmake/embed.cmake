# ampere_embed(output.cpp HEADER a.h function file function file …): a source that defines, in
# namespace ampere, functions which return the files' text as a string_view; an empty file name, an
# empty text. The texts must not hold )ampere". Of a .wasm file it is the bytes. The source should be a library of
# its own: what a target generates waits for all that the target links, and its other sources wait for that.
function(ampere_embed output)
  set(files)
  set(texts)
  # By position: an empty name would be lost on the way through a list.
  math(EXPR last "${ARGC} - 1")
  foreach(i RANGE 3 ${last} 2)
    math(EXPR j "${i} + 1")
    list(APPEND texts "${ARGV${i}}=${ARGV${j}}")
    if(ARGV${j})
      list(APPEND files "${ARGV${j}}")
    endif()
  endforeach()
  set(embed ${PROJECT_SOURCE_DIR}/cmake/embed.cmake)
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} "-DOUTPUT=${output}" "-DHEADER=${ARGV2}" "-DTEXTS=${texts}" -P ${embed}
    DEPENDS ${files} ${embed}
    VERBATIM)
endfunction()

# As a script (cmake -DOUTPUT=… -DHEADER=… "-DTEXTS=function=file;…" -P embed.cmake): writes the source.
if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  set(source "#include \"${HEADER}\"\n\nnamespace ampere {\n")
  foreach(text IN LISTS TEXTS)
    string(FIND "${text}" "=" split)
    string(SUBSTRING "${text}" 0 ${split} function)
    math(EXPR split "${split} + 1")
    string(SUBSTRING "${text}" ${split} -1 file)
    set(content "")
    if(file MATCHES "[.]wasm$")
      file(READ "${file}" content HEX)
      string(LENGTH "${content}" size)
      math(EXPR size "${size} / 2")
      string(REGEX REPLACE "(..)" "\\\\x\\1" content "${content}")
      string(APPEND source "\nstd::string_view ${function}() { return {\"${content}\", ${size}}; }\n")
      continue()
    endif()
    if(file)
      file(READ "${file}" content)
      string(FIND "${content}" ")ampere\"" clash)
      if(NOT clash EQUAL -1)
        message(FATAL_ERROR "${file} holds )ampere\", which ends the literal it is embedded as")
      endif()
    endif()
    string(APPEND source "\nstd::string_view ${function}() { return R\"ampere(${content})ampere\"; }\n")
  endforeach()
  string(APPEND source "\n}  // namespace ampere\n")
  file(WRITE "${OUTPUT}" "${source}")
endif()

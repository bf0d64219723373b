# Installs the library into a new folder, builds the example against it, runs it.
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE out)
  if(NOT status EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}: status ${status}\n${out}")
  endif()
  set(out "${out}" PARENT_SCOPE)
endfunction()

function(expect_match pattern)
  if(NOT out MATCHES "${pattern}")
    message(FATAL_ERROR "'${pattern}' is not in: ${out}")
  endif()
endfunction()

file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix --component library)
if(SANITIZE)
  set(flags -fsanitize=${SANITIZE})
endif()
run(${CMAKE_COMMAND} -S ${SOURCE} -B ${WORK}/build -G ${GENERATOR} -D CMAKE_CXX_COMPILER=${CXX}
    -D CMAKE_PREFIX_PATH=${WORK}/prefix "-DCMAKE_CXX_FLAGS=${flags}" -D CMAKE_EXPORT_COMPILE_COMMANDS=ON)
run(${CMAKE_COMMAND} --build ${WORK}/build)

if(EXAMPLE STREQUAL own_meter)
  run(${WORK}/build/own_meter nameplate:25)
  expect_match("nameplate:25 \\(modelled\\): 25 W")
  run(${WORK}/build/own_meter modelled:static=5,core=0+nameplate:25)
  expect_match("modelled\\): 25 W") # the one contains the other
else()
  run(${WORK}/build/estimate)
  expect_match("simulated.*energy [0-9.]+ J, between [0-9.]+ and [0-9.]+ J with 90 % confidence.*time [0-9.]+ s")
endif()

# How ampere itself is compiled is nobody else's business.
file(READ ${WORK}/build/compile_commands.json out)
get_filename_component(project ${SOURCE}/../.. ABSOLUTE)
foreach(leak -Werror ${project}/src ${project}/include)
  string(FIND "${out}" "${leak}" at)
  if(NOT at EQUAL -1)
    message(FATAL_ERROR "'${leak}' leaks to those who use ampere: ${out}")
  endif()
endforeach()

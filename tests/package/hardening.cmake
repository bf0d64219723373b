# cmake -D READELF=… -D PROGRAM=… -P hardening.cmake: fails unless the program was compiled and linked as
# cmake/hardening.cmake says.
execute_process(COMMAND ${READELF} --wide --file-header --program-headers --dynamic ${PROGRAM}
                OUTPUT_VARIABLE headers RESULT_VARIABLE status)
execute_process(COMMAND ${READELF} --wide --dyn-syms ${PROGRAM} OUTPUT_VARIABLE symbols RESULT_VARIABLE also)
if(NOT status EQUAL 0 OR NOT also EQUAL 0)
  message(FATAL_ERROR "${PROGRAM} cannot be read by ${READELF}")
endif()

function(require what text pattern)
  if(NOT text MATCHES "${pattern}")
    message(SEND_ERROR "${PROGRAM}: ${what}: nothing matches ${pattern}")
  endif()
endfunction()
require("is not position-independent" "${headers}" "Type: +DYN")
require("has no read-only relocations" "${headers}" "GNU_RELRO")
require("is not bound at its start" "${headers}" "FLAGS_1[^\n]*NOW")
require("has an executable stack" "${headers}" "GNU_STACK[^\n]* RW ")
require("has no stack protector" "${symbols}" "__stack_chk_fail")
if(NOT PROGRAM MATCHES "[.]so$")
  require("is no position-independent program" "${headers}" "FLAGS_1[^\n]*PIE")
  require("has no fortified calls" "${symbols}" "__[a-z]+_chk")
endif()

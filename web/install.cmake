# cmake -DNPM=… -P install.cmake: installs the packages of the report's page beside this
# file, unless they are. Builds that share the source tree take turns, since npm begins by removing
# what is there.
set(web ${CMAKE_CURRENT_LIST_DIR})
file(LOCK ${web}/install.lock TIMEOUT 600)
if(${web}/package-lock.json IS_NEWER_THAN ${web}/node_modules/.package-lock.json)
  execute_process(
    COMMAND ${NPM} ci --ignore-scripts --no-audit --no-fund --silent
    WORKING_DIRECTORY ${web}
    COMMAND_ERROR_IS_FATAL ANY)
endif()

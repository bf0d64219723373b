# ampere_add_boundaries(target): the boundaries of fuzz/boundaries.h, for the fuzzer and for the test that replays
# its corpora. The files of the command line that read TOML are compiled with them.
function(ampere_add_boundaries target)
  find_package(tomlplusplus REQUIRED)
  set(fuzz ${PROJECT_SOURCE_DIR}/fuzz)
  set(app ${PROJECT_SOURCE_DIR}/apps/ampere)
  target_sources(${target} PRIVATE
    ${fuzz}/boundaries.cpp ${fuzz}/scratch.cpp ${fuzz}/feed_networks.cpp ${fuzz}/feed_protocols.cpp
    ${fuzz}/feed_settings.cpp ${fuzz}/feed_tables.cpp
    ${app}/settings.cpp ${app}/suite_file.cpp ${app}/toml_file.cpp ${app}/script_argument.cpp)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR} ${app})
  target_link_libraries(${target} PRIVATE tomlplusplus::tomlplusplus)
endfunction()

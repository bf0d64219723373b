# The installed library: find_package(ampere) and ampere::meter, ampere::model, …, or ampere::ampere
# for all of them. How the project itself is compiled (warnings, src/ as a folder of headers) stays
# at home.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(AMPERE_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/ampere)
set_property(GLOBAL PROPERTY AMPERE_INSTALLED)

function(ampere_install name)
  set_target_properties(ampere_${name} PROPERTIES EXPORT_NAME ${name})
  target_compile_features(ampere_${name} PUBLIC cxx_std_20)
  target_include_directories(ampere_${name} INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  install(TARGETS ampere_${name} EXPORT ampereTargets COMPONENT library)
  set_property(GLOBAL APPEND PROPERTY AMPERE_INSTALLED ampere_${name})
endfunction()

# After the last module.
function(ampere_install_package)
  get_property(modules GLOBAL PROPERTY AMPERE_INSTALLED)
  add_library(ampere_all INTERFACE)
  target_link_libraries(ampere_all INTERFACE ${modules})
  set_target_properties(ampere_all PROPERTIES EXPORT_NAME ampere)
  install(TARGETS ampere_all EXPORT ampereTargets COMPONENT library)
  install(EXPORT ampereTargets NAMESPACE ampere:: DESTINATION ${AMPERE_PACKAGE_DIR} COMPONENT library)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/ampere DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
          COMPONENT library)
  configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/ampereConfig.cmake.in
    ${PROJECT_BINARY_DIR}/ampereConfig.cmake INSTALL_DESTINATION ${AMPERE_PACKAGE_DIR})
  # docs/stability.md: before 1.0, a minor version may change the library.
  set(compatible SameMajorVersion)
  if(PROJECT_VERSION_MAJOR EQUAL 0)
    set(compatible SameMinorVersion)
  endif()
  write_basic_package_version_file(${PROJECT_BINARY_DIR}/ampereConfigVersion.cmake COMPATIBILITY ${compatible})
  install(FILES ${PROJECT_BINARY_DIR}/ampereConfig.cmake ${PROJECT_BINARY_DIR}/ampereConfigVersion.cmake
          DESTINATION ${AMPERE_PACKAGE_DIR} COMPONENT library)
endfunction()

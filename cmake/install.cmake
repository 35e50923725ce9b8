# cmake --install, then find_package(faying) gives faying::core, faying::laws, ..  (tests/package proves it)
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)
get_property(libraries GLOBAL PROPERTY faying_libraries)
install(TARGETS ${libraries} EXPORT faying-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS faying RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY include/faying DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT faying-targets NAMESPACE faying:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/faying)
configure_package_config_file(cmake/faying-config.cmake.in faying-config.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/faying)
write_basic_package_version_file(faying-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/faying-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/faying-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/faying)

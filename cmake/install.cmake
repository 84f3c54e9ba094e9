# Installs the programs (component "programs"), and the SDK libraries, libparley for C among them, so
# that find_package(parley) and pkg-config find them (component "sdk"; the target parley_sdk builds just
# that).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

get_property(modules GLOBAL PROPERTY PARLEY_SDK_MODULES)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/parley)
set(pc_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
set(pc_libs "")
add_custom_target(parley_sdk)

if(TARGET parley)
  # Beside each other: parley looks for parley-agent where it lies itself.
  install(TARGETS parley parley-agent RUNTIME COMPONENT programs)
  file(RELATIVE_PATH to_libs /prefix/${CMAKE_INSTALL_BINDIR} /prefix/${CMAKE_INSTALL_LIBDIR})
  set_target_properties(parley parley-agent PROPERTIES INSTALL_RPATH "$ORIGIN/${to_libs}")
endif()

foreach(module IN LISTS modules)
  add_dependencies(parley_sdk parley_${module})
  install(
    TARGETS parley_${module}
    EXPORT parley
    LIBRARY COMPONENT sdk NAMELINK_COMPONENT sdk
    ARCHIVE COMPONENT sdk
  )
  get_property(private GLOBAL PROPERTY PARLEY_PRIVATE_HEADERS_${module})
  set(exclude "")
  foreach(header IN LISTS private)
    list(APPEND exclude PATTERN ${header} EXCLUDE)
  endforeach()
  install(
    DIRECTORY ${PROJECT_SOURCE_DIR}/${module}/
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/parley/${module}
    COMPONENT sdk
    FILES_MATCHING
    PATTERN "*.hpp"
    ${exclude}
  )
  string(PREPEND pc_libs "-lparley_${module} ")
endforeach()
string(STRIP "${pc_libs}" pc_libs)

add_dependencies(parley_sdk parley_c)
install(TARGETS parley_c EXPORT parley LIBRARY COMPONENT sdk NAMELINK_COMPONENT sdk)
install(FILES c/parley.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT sdk)

install(EXPORT parley NAMESPACE parley:: FILE parleyTargets.cmake DESTINATION ${package_dir}
        COMPONENT sdk)
configure_package_config_file(
  cmake/parleyConfig.cmake.in parleyConfig.cmake INSTALL_DESTINATION ${package_dir}
)
# Before 1.0 a minor version may break the API.
write_basic_package_version_file(parleyConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(
  FILES ${PROJECT_BINARY_DIR}/parleyConfig.cmake ${PROJECT_BINARY_DIR}/parleyConfigVersion.cmake
  DESTINATION ${package_dir}
  COMPONENT sdk
)

# The prefix follows the place of the .pc file, so an installed tree can be moved.
if(IS_ABSOLUTE ${CMAKE_INSTALL_LIBDIR})
  set(pc_prefix ${CMAKE_INSTALL_PREFIX})
else()
  file(RELATIVE_PATH up /prefix/${pc_dir} /prefix)
  string(REGEX REPLACE "/$" "" up ${up})
  set(pc_prefix "\${pcfiledir}/${up}")
endif()
foreach(pc parley libparley)
  configure_file(cmake/${pc}.pc.in ${pc}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${pc}.pc DESTINATION ${pc_dir} COMPONENT sdk)
endforeach()

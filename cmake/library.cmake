# parley_library(NAME wire SOURCES a.cpp ... [LIBS parley::wire ...] [PRIVATE_LIBS ...]
#                [SDK [PRIVATE_HEADERS a.hpp ...]])
#
# Defines target parley_<NAME>, alias parley::<NAME>, from the folder that calls it. LIBS are part
# of its interface, PRIVATE_LIBS are not. An SDK library is installed with all headers of its
# folder except for PRIVATE_HEADERS, files or folders that only its own sources include; call in
# dependency order, because the .pc file lists the libraries in the reverse one.
function(parley_library)
  cmake_parse_arguments(PARSE_ARGV 0 arg "SDK" "NAME"
                        "SOURCES;LIBS;PRIVATE_LIBS;PRIVATE_HEADERS")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_NAME OR NOT arg_SOURCES)
    message(FATAL_ERROR "parley_library(${arg_NAME}): bad arguments ${arg_UNPARSED_ARGUMENTS}")
  endif()

  set(target parley_${arg_NAME})
  # What is not installed is a part of the programs that use it, also where the SDK is shared.
  if(arg_SDK)
    add_library(${target} ${arg_SOURCES})
  else()
    add_library(${target} STATIC ${arg_SOURCES})
  endif()
  add_library(parley::${arg_NAME} ALIAS ${target})
  if(PARLEY_UNITY)
    parley_compile_rooms_whole(${target})
  endif()
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_link_libraries(
    ${target} PUBLIC ${arg_LIBS} PRIVATE ${arg_PRIVATE_LIBS} $<BUILD_INTERFACE:parley_settings>
  )
  set_target_properties(
    ${target}
    PROPERTIES
      EXPORT_NAME ${arg_NAME}
      VERSION ${PROJECT_VERSION}
      # Before 1.0 a minor version may break the ABI.
      SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
      # The shared libraries lie in one folder and find each other there.
      INSTALL_RPATH "$ORIGIN"
  )

  # Who uses the build tree (add_subdirectory, our examples) writes the same includes as who uses
  # the installed library: #include <parley/wire/json/json.hpp>.
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/include/parley)
  file(
    CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/include/parley/${arg_NAME}
    SYMBOLIC
  )
  target_include_directories(
    ${target} PUBLIC $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
                     $<INSTALL_INTERFACE:include>
  )

  if(arg_SDK)
    set_property(GLOBAL APPEND PROPERTY PARLEY_SDK_MODULES ${arg_NAME})
    set_property(GLOBAL PROPERTY PARLEY_PRIVATE_HEADERS_${arg_NAME} ${arg_PRIVATE_HEADERS})
  endif()
endfunction()

# Compiles all sources of one folder as one, which reads the headers they share once. By folder and
# not by number, so that what may clash (names in unnamed namespaces) is what lies side by side.
function(parley_compile_rooms_whole target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  # A private struct with members of a hidden type is fine in a source file, which these no longer
  # are to the compiler.
  target_compile_options(
    ${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>
  )
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    cmake_path(GET source PARENT_PATH folder)
    string(MAKE_C_IDENTIFIER "room_${folder}" room)
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${room})
  endforeach()
endfunction()

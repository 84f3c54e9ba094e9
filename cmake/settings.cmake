# Compiler settings of the tree itself. They reach our own targets through parley_settings and
# never a user who links the libraries.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
# A static library of ours must be usable inside a user's shared library.
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

if(PROJECT_IS_TOP_LEVEL)
  set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
  set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
  set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
  if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release)
  endif()
endif()

add_library(parley_settings INTERFACE)
# In-tree code names a header by its module: #include "wire/json/json.hpp".
target_include_directories(parley_settings INTERFACE ${PROJECT_SOURCE_DIR})

# Left out, because here they only make noise:
#   -Wuseless-cast      fires on casts that other platforms need (std::size_t, time_t)
#   -Wnull-dereference  false alarms inside libstdc++ once the optimiser inlines it
#   -Wpadded, -Weffc++  opinions on layout and style that plain value structs do not share
target_compile_options(
  parley_settings
  INTERFACE
    -Wall
    -Wextra
    -Wpedantic
    -Wshadow
    -Wconversion
    -Wsign-conversion
    -Wdouble-promotion
    -Wold-style-cast
    -Wcast-qual
    -Wcast-align
    -Wnon-virtual-dtor
    -Woverloaded-virtual
    -Wextra-semi
    -Wformat=2
    -Wundef
    -Wimplicit-fallthrough
    $<$<CXX_COMPILER_ID:GNU>:-Wduplicated-cond>
    $<$<CXX_COMPILER_ID:GNU>:-Wduplicated-branches>
    $<$<CXX_COMPILER_ID:GNU>:-Wlogical-op>
    $<$<BOOL:${PARLEY_WERROR}>:-Werror>
)

if(PARLEY_SANITIZE)
  # For the whole build, tests included: a half-instrumented program reports nonsense.
  add_compile_options(
    -fsanitize=${PARLEY_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer
  )
  add_link_options(-fsanitize=${PARLEY_SANITIZE})
  if(PARLEY_TESTS)
    # Compiled here, once, because an object of a target would have to be named by every program.
    set(options ${PROJECT_BINARY_DIR}/sanitizer_options)
    file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/reports)
    configure_file(cmake/sanitizer_options.cpp.in ${options}.cpp @ONLY)
    execute_process(
      COMMAND ${CMAKE_CXX_COMPILER} -fPIC -c ${options}.cpp -o ${options}.o
      COMMAND_ERROR_IS_FATAL ANY
    )
    add_link_options($<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:${options}.o>)
  endif()
  # What sanitizers add makes g++ see paths on which values of libstdc++'s were never set.
  add_compile_options($<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
endif()

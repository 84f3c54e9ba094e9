# What ./test and ./bench run is declared here and nowhere else. Each declaration adds a line to a
# list in the build folder, which the scripts read:
#
#   tests.list    name, kind, timeout in seconds, tags, file       (tab between the columns)
#   fuzzers.list  name, file
#   benches.list  name, file
#
# Tags: "real" needs a real counterpart and runs only with ./test --real; "plain" gains nothing from
# a sanitizer and is left out of those passes. "-" stands for no tag.

function(_parley_check_arguments function)
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_NAME)
    message(FATAL_ERROR "${function}(${arg_NAME}): bad arguments ${arg_UNPARSED_ARGUMENTS}")
  endif()
endfunction()

function(_parley_add_to_list list)
  list(JOIN ARGN "\t" line)
  set_property(GLOBAL APPEND_STRING PROPERTY PARLEY_LIST_${list} "${line}\n")
endfunction()

function(_parley_add_suite kind file)
  # Two of one name would write to one log at the same time.
  get_property(names GLOBAL PROPERTY PARLEY_SUITE_NAMES)
  if(arg_NAME IN_LIST names)
    message(FATAL_ERROR "there are two suites called ${arg_NAME}")
  endif()
  set_property(GLOBAL APPEND PROPERTY PARLEY_SUITE_NAMES ${arg_NAME})
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 60)
  endif()
  if(NOT arg_TAGS)
    set(arg_TAGS -)
  endif()
  list(JOIN arg_TAGS "," tags)
  _parley_add_to_list(tests ${arg_NAME} ${kind} ${arg_TIMEOUT} ${tags} ${file})
endfunction()

# parley_test(NAME json_test SOURCES json_test.cpp [LIBS parley::wire] [TAGS plain] [TIMEOUT 60])
# A GoogleTest program; it brings its own main().
function(parley_test)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;TIMEOUT" "SOURCES;LIBS;TAGS")
  _parley_check_arguments(parley_test)
  find_package(GTest REQUIRED)
  add_executable(${arg_NAME} ${arg_SOURCES})
  target_link_libraries(${arg_NAME} PRIVATE ${arg_LIBS} GTest::gtest_main parley_settings)
  parley_precompile(${arg_NAME})
  _parley_add_suite(gtest $<TARGET_FILE:${arg_NAME}>)
endfunction()

# parley_c_test(NAME c_test SOURCES c_test.c [LIBS parley::c] [TAGS plain] [TIMEOUT 60])
# A program in C that prints TAP. The warnings of parley_settings are for C++.
function(parley_c_test)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;TIMEOUT" "SOURCES;LIBS;TAGS")
  _parley_check_arguments(parley_c_test)
  add_executable(${arg_NAME} ${arg_SOURCES})
  set_target_properties(
    ${arg_NAME} PROPERTIES C_STANDARD 99 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF
  )
  target_compile_definitions(${arg_NAME} PRIVATE _POSIX_C_SOURCE=200809L)
  target_compile_options(
    ${arg_NAME} PRIVATE -Wall -Wextra -Wpedantic $<$<BOOL:${PARLEY_WERROR}>:-Werror>
  )
  target_link_libraries(${arg_NAME} PRIVATE ${arg_LIBS})
  _parley_add_suite(tap $<TARGET_FILE:${arg_NAME}>)
endfunction()

# parley_script_test(NAME install SCRIPT install.sh [TAGS plain] [TIMEOUT 60])
# A bash (.sh) or Node (.mjs) script. It prints TAP ("ok 1 - name", "not ok 2 - name"), or uses
# node:test, or counts as one test by its exit code.
function(parley_script_test)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;SCRIPT;TIMEOUT" "TAGS")
  _parley_check_arguments(parley_script_test)
  cmake_path(GET arg_SCRIPT EXTENSION LAST_ONLY extension)
  if(extension STREQUAL ".sh")
    set(kind bash)
  elseif(extension STREQUAL ".mjs")
    set(kind node)
  else()
    message(FATAL_ERROR "parley_script_test(${arg_NAME}): ${arg_SCRIPT} is neither .sh nor .mjs")
  endif()
  _parley_add_suite(${kind} ${CMAKE_CURRENT_SOURCE_DIR}/${arg_SCRIPT})
endfunction()

# parley_test_program(NAME json_mutate SOURCES json_mutate.cpp [LIBS parley::wire])
# A program that script tests start: it lies in $PARLEY_BUILD_DIR/bin. It is no suite itself.
function(parley_test_program)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME" "SOURCES;LIBS")
  _parley_check_arguments(parley_test_program)
  add_executable(${arg_NAME} ${arg_SOURCES})
  target_link_libraries(${arg_NAME} PRIVATE ${arg_LIBS} parley_settings)
endfunction()

# parley_fuzzer(NAME json_fuzz SOURCES json_fuzz.cpp [LIBS parley::wire])
# A libFuzzer target in the fuzz preset. In the other presets the same code replays its corpus,
# tests/fuzz/corpus/<NAME>, as a test: what a fuzzer once found stays found.
function(parley_fuzzer)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;TIMEOUT" "SOURCES;LIBS;TAGS")
  _parley_check_arguments(parley_fuzzer)
  add_executable(${arg_NAME} ${arg_SOURCES})
  target_link_libraries(${arg_NAME} PRIVATE ${arg_LIBS} parley_settings)
  if(PARLEY_FUZZ)
    target_link_options(${arg_NAME} PRIVATE -fsanitize=fuzzer)
    _parley_add_to_list(fuzzers ${arg_NAME} $<TARGET_FILE:${arg_NAME}>)
  else()
    target_sources(${arg_NAME} PRIVATE ${PROJECT_SOURCE_DIR}/tests/fuzz/replay_main.cpp)
    target_compile_definitions(${arg_NAME} PRIVATE PARLEY_FUZZER_NAME="${arg_NAME}")
    _parley_add_suite(tap $<TARGET_FILE:${arg_NAME}>)
  endif()
endfunction()

# parley_bench(NAME parley-bench-wire SOURCES ... [LIBS ...])
# Benchmarks are no part of the default build; the target parley_benches builds all of them.
function(parley_bench)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME" "SOURCES;LIBS")
  _parley_check_arguments(parley_bench)
  add_executable(${arg_NAME} EXCLUDE_FROM_ALL ${arg_SOURCES})
  target_link_libraries(${arg_NAME} PRIVATE ${arg_LIBS} parley_settings)
  add_dependencies(parley_benches ${arg_NAME})
  _parley_add_to_list(benches ${arg_NAME} $<TARGET_FILE:${arg_NAME}>)
endfunction()

# parley_script_bench(NAME parley-bench-headers SCRIPT headers_bench.sh)
# An executable script instead of a program.
function(parley_script_bench)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;SCRIPT" "")
  _parley_check_arguments(parley_script_bench)
  _parley_add_to_list(benches ${arg_NAME} ${CMAKE_CURRENT_SOURCE_DIR}/${arg_SCRIPT})
endfunction()

add_custom_target(parley_benches)

# The root calls this once, after all declarations.
function(parley_write_lists)
  foreach(list tests fuzzers benches)
    get_property(content GLOBAL PROPERTY PARLEY_LIST_${list})
    file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/${list}.list CONTENT "${content}")
  endforeach()
endfunction()

# The headers of the SDK cost a compiler two seconds and more, and nearly every program of the tree
# starts with them. They are compiled once and loaded by all programs with parley_precompile(target).
# Libraries are left alone: who builds only them has nothing to share.

# Clang is used for the fuzzers alone, which need few headers.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_executable(parley_precompiled EXCLUDE_FROM_ALL ${PROJECT_SOURCE_DIR}/cmake/precompiled.cpp)
  target_link_libraries(parley_precompiled PRIVATE parley_settings)
  target_include_directories(parley_precompiled PRIVATE ${PROJECT_BINARY_DIR}/include)
  target_precompile_headers(parley_precompiled PRIVATE ${PROJECT_SOURCE_DIR}/client/client.hpp)
endif()

function(parley_precompile target)
  if(TARGET parley_precompiled)
    target_precompile_headers(${target} REUSE_FROM parley_precompiled)
  endif()
endfunction()

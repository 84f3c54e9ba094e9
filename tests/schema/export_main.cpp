// Writes the exported schemas into the folder given: tests/schema/export FOLDER.
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "wire/schema_export.hpp"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
    return 2;
  }
  for (const parley::SchemaFile& file : parley::exported_schemas()) {
    const std::filesystem::path path = std::filesystem::path(argv[1]) / file.name;
    std::ofstream out(path, std::ios::binary);
    out << file.schema.dump(1) << '\n';
    if (!out.flush()) {
      std::fprintf(stderr, "cannot write %s\n", path.c_str());
      return 1;
    }
  }
}

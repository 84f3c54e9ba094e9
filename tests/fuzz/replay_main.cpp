// Runs a fuzzer's entry point over its corpus, for compilers without libFuzzer: the corpus then is
// a regression test in every preset.
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

void replay(const std::string& input) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
}

}  // namespace

int main() {
  const char* source = std::getenv("PARLEY_SOURCE_DIR");
  const std::filesystem::path corpus =
      std::filesystem::path(source ? source : ".") / "fuzz" / "corpus" / PARLEY_FUZZER_NAME;
  replay("");
  std::size_t inputs = 1;
  if (std::filesystem::is_directory(corpus)) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(corpus)) {
      if (!entry.is_regular_file()) continue;
      std::cout << entry.path().filename().string() << std::endl;  // Named before it can crash.
      std::ifstream file(entry.path(), std::ios::binary);
      replay({std::istreambuf_iterator<char>(file), {}});
      ++inputs;
    }
  }
  std::cout << "replayed " << inputs << " inputs\n";
}

#include "server_config.hpp"

#include "../tables/catalog.hpp"

namespace parley::detail {

Result<McpServerConfig> decode_server_config(std::string_view json) {
  McpServerConfig config;
  const auto read = [](JsonReader& reader, void* out, DecodeFailure& failure) {
    return TableCodec<McpServerConfig>::read(reader, *static_cast<McpServerConfig*>(out), failure);
  };
  if (auto decoded = decode_with(read, &config, json); !decoded) return decoded.error();
  return config;
}

}  // namespace parley::detail

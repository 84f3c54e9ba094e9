// Field tables of wire/messages/stamped.hpp.
#pragma once

#include "../codec/codec.hpp"
#include "../messages/stamped.hpp"

namespace parley {

constexpr auto parley_fields(Tag<Stamped>) {
  return make_table<Stamped>("Stamped", field("uuid", &Stamped::uuid).lenient(),
                             field("session_id", &Stamped::session_id).lenient());
}

}  // namespace parley

// Field tables of wire/messages/stamped.hpp.
#pragma once

#include "../codec/codec.hpp"
#include "../messages/stamped.hpp"

namespace parley {

PARLEY_OFFSETS_BEGIN

constexpr auto parley_fields(Tag<Stamped>) {
  return make_table<Stamped>("Stamped", PARLEY_FIELD(Stamped, uuid).lenient(),
                             PARLEY_FIELD(Stamped, session_id).lenient().alias("sessionId"));
}

PARLEY_OFFSETS_END

}  // namespace parley

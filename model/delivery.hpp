// Gives an answer to a client, with the delays and faults of its turn.
#pragma once

#include <memory>

#include "../http/exchange.hpp"
#include "answer.hpp"

namespace parley::model {

/// Returns at once; the rest happens on the server's thread, until it is done or the client goes.
void deliver(const std::shared_ptr<http::Exchange>& exchange, Turn turn, AnswerHead head,
             bool streamed);

}  // namespace parley::model

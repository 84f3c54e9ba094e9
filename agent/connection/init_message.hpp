// What the agent says about itself: at the start of every turn, and in answer to `initialize`.
#pragma once

#include "../../wire/control/control.hpp"
#include "../session/session.hpp"

namespace parley::agent {

[[nodiscard]] SystemInit init_message(const Session& session);
[[nodiscard]] control::InitializeReply initialize_reply(const Session& session);
/// The models that list_models and `initialize` offer.
[[nodiscard]] std::vector<parley::ModelInfo> model_list();

}  // namespace parley::agent

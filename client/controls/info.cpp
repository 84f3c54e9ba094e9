#include "client/controls/info.hpp"

#include "client/session/typed_request.hpp"

namespace parley {

using detail::part_of;
using detail::typed_request;

Result<control::GetContextUsageReply> SessionInfo::context_usage() {
  return typed_request(*impl_, control::GetContextUsage{});
}

Result<control::GetUsageReply> SessionInfo::usage() {
  return typed_request(*impl_, control::GetUsage{});
}

Result<std::string> SessionInfo::cost() {
  return part_of(typed_request(*impl_, control::GetSessionCost{}),
                 &control::GetSessionCostReply::text);
}

Result<std::vector<ModelInfo>> SessionInfo::models() {
  return part_of(typed_request(*impl_, control::ListModels{}), &control::ListModelsReply::models);
}

Result<std::vector<AgentInfo>> SessionInfo::agents() {
  const auto reply = impl_->with_state([](const auto& impl) { return impl.init_reply(); });
  if (!reply) return Error(ErrorCode::invalid, "the session is not connected");
  return reply->agents.value_or(std::vector<AgentInfo>{});
}

Result<AccountInfo> SessionInfo::account() {
  const auto reply = impl_->with_state([](const auto& impl) { return impl.init_reply(); });
  if (!reply) return Error(ErrorCode::invalid, "the session is not connected");
  return reply->account.value_or(AccountInfo{});
}

Result<std::string> SessionInfo::cli_version() {
  const auto reply = impl_->with_state([](const auto& impl) { return impl.init_reply(); });
  if (reply && reply->claude_code_version) return *reply->claude_code_version;
  return part_of(typed_request(*impl_, control::GetBinaryVersion{}),
                 &control::GetBinaryVersionReply::version);
}

}  // namespace parley

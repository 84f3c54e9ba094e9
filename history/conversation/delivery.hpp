// Marks what a reader of the conversation must know about single lines: prompts that were queued
// and then delivered, and slash commands that ran without the model.
#pragma once

#include <vector>

#include "conversation.hpp"

namespace parley::history {

/// Sets completed_command on the lines that record a local slash command and its output.
void mark_commands(const std::vector<Node>& nodes, std::vector<Step>& steps);

enum class TranscriptKind { main, subagent };

/// Sets from_queue on queued prompts that reached the model: an answer follows them, or the queue
/// says so, or they are among the steps from `waiting` on. `nodes` are those the steps index.
void mark_delivered(const std::vector<Node>& nodes, std::vector<Step>& steps, std::size_t waiting,
                    TranscriptKind kind);

}  // namespace parley::history

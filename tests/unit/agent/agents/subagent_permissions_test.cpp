// The permission mode of a subagent: what its kind asks for, within what the session allows.
#include <gtest/gtest.h>

#include "agent/agents/subagent_parts.hpp"

namespace parley::agent {
namespace {

using Mode = PermissionMode;

/// The mode of an agent whose kind asks for `wanted`, in a session of the mode `session`.
Enum<Mode> mode_of(Mode session, Mode wanted, bool of_project) {
  Permissions::Setup setup;
  setup.start_folder = setup.home = setup.config_folder = "/nowhere";
  Permissions permissions(setup);
  EXPECT_TRUE(permissions.set_mode(session));
  SubagentIdentity identity;
  identity.kind.definition.permissionMode = wanted;
  identity.kind.of_project = of_project;
  return SubagentPermissions(permissions, identity).mode();
}

TEST(SubagentPermissions, WhoStartedTheSessionMayGiveAnAgentMoreFreedom) {
  EXPECT_EQ(mode_of(Mode::default_, Mode::acceptEdits, false), Mode::acceptEdits);
}

TEST(SubagentPermissions, AFileOfTheFolderMayNot) {
  EXPECT_EQ(mode_of(Mode::default_, Mode::acceptEdits, true), Mode::default_);
}

TEST(SubagentPermissions, NobodyLeavesPlanModeByAnAgent) {
  for (const bool of_project : {false, true}) {
    EXPECT_EQ(mode_of(Mode::plan, Mode::acceptEdits, of_project), Mode::plan);
    EXPECT_EQ(mode_of(Mode::plan, Mode::default_, of_project), Mode::plan);
    EXPECT_EQ(mode_of(Mode::dontAsk, Mode::acceptEdits, of_project), Mode::dontAsk);
  }
}

TEST(SubagentPermissions, LessFreedomIsAlwaysGranted) {
  for (const bool of_project : {false, true}) {
    EXPECT_EQ(mode_of(Mode::default_, Mode::plan, of_project), Mode::plan);
    EXPECT_EQ(mode_of(Mode::default_, Mode::dontAsk, of_project), Mode::dontAsk);
  }
}

TEST(SubagentPermissions, WhatIsNotAllowedIsNotGranted) {
  EXPECT_EQ(mode_of(Mode::default_, Mode::bypassPermissions, false), Mode::default_);
}

TEST(SubagentPermissions, ASessionThatAsksLessStaysInCharge) {
  EXPECT_EQ(mode_of(Mode::acceptEdits, Mode::plan, false), Mode::acceptEdits);
}

}  // namespace
}  // namespace parley::agent

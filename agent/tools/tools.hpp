// Who makes the tools. One function per file; toolbox.cpp calls them all.
#pragma once

#include <memory>

#include "tool.hpp"

namespace parley::agent {

std::unique_ptr<Tool> make_ask_user_question();
std::unique_ptr<Tool> make_bash();
std::unique_ptr<Tool> make_edit();
std::unique_ptr<Tool> make_enter_plan_mode();
std::unique_ptr<Tool> make_exit_plan_mode();
std::unique_ptr<Tool> make_glob();
std::unique_ptr<Tool> make_grep();
std::unique_ptr<Tool> make_ls();
std::unique_ptr<Tool> make_multi_edit();
std::unique_ptr<Tool> make_notebook_edit();
std::unique_ptr<Tool> make_read();
std::unique_ptr<Tool> make_task_create();
std::unique_ptr<Tool> make_task_get();
std::unique_ptr<Tool> make_task_list();
std::unique_ptr<Tool> make_task_output();
std::unique_ptr<Tool> make_task_stop();
std::unique_ptr<Tool> make_task_update();
std::unique_ptr<Tool> make_todo_write();
std::unique_ptr<Tool> make_web_fetch();
std::unique_ptr<Tool> make_write();

}  // namespace parley::agent

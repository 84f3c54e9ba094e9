// parley: one program, one subcommand per file. This file only puts them together.
#include <CLI/CLI.hpp>
#include <iostream>

#include "apps/parley/commands.hpp"

int main(int argc, char** argv) {
  CLI::App app("Talk to agent command lines, and look after what they leave behind.", "parley");
  app.set_version_flag("--version", std::string("parley ") + PARLEY_VERSION);
  app.require_subcommand(1);
  app.failure_message(CLI::FailureMessage::simple);

  int exit_code = parley::app::kSuccess;
  parley::app::add_run(app, exit_code);
  parley::app::add_serve(app, exit_code);
  parley::app::add_sessions(app, exit_code);
  parley::app::add_record(app, exit_code);
  parley::app::add_replay(app, exit_code);
  parley::app::add_model(app, exit_code);
  parley::app::add_doctor(app, exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // CLI11 has a number for each kind of mistake; scripts expect 2 for all of them.
    return app.exit(error) == 0 ? parley::app::kSuccess : parley::app::kUsage;
  } catch (const std::exception& error) {
    std::cerr << "parley: " << error.what() << '\n';
    return parley::app::kFailure;
  }
  std::cout.flush();
  return std::cout ? exit_code : parley::app::kFailure;
}

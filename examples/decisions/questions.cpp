// Answers the questions that the agent asks with choices. A real program would show them.
#include <iostream>
#include <parley/client/handlers/questions.hpp>
#include <parley/client/session.hpp>

int main() try {
  parley::Options options;
  options.on_question = [](const parley::QuestionAsk& ask) {
    parley::QuestionAnswers answers(ask);
    for (std::size_t i = 0; i < ask.questions.size(); ++i) {
      const auto& choices = ask.questions[i].options;
      std::cout << ask.questions[i].question << std::endl;
      for (const auto& choice : choices) std::cout << "  - " << choice.label << std::endl;
      answers.choose(i, choices.empty() ? "You decide." : choices.front().label);
    }
    return answers;
  };
  parley::Session session(options);
  session.connect().value();
  std::cout << session.ask("Set up a project.").answer().value() << "\n";
} catch (const parley::Error& error) {
  std::cerr << error.what() << "\n";
  return 1;
}

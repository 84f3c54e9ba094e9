// Gets the answer as data: the schema comes from a struct, and so does the decoding.
#include <iostream>
#include <parley/client/handlers/tools.hpp>
#include <parley/client/session.hpp>
#include <parley/wire/codec/codec.hpp>

struct Country {
  std::string name;
  std::int64_t population = 0;
};
PARLEY_FIELDS(Country, name, population)

int main() try {
  parley::Options options;
  options.output_schema = parley::RawJson(parley::schema_of<Country>().dump());
  parley::Session session(options);
  session.connect().value();
  const parley::ResultMessage result =
      session.ask("The largest country of Europe?").result().value();
  if (!result.structured_output) {
    std::cerr << "The agent gave no structured answer.\n";
    return 1;
  }
  const auto country = result.structured_output->as<Country>().value();
  std::cout << country.name << " has " << country.population << " people\n";
} catch (const parley::Error& error) {
  std::cerr << error.what() << "\n";
  return 1;
}

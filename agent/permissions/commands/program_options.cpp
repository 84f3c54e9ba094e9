#include "agent/permissions/commands/program_options.hpp"

#include <algorithm>

#include "support/text/text.hpp"

namespace parley::agent {
namespace {

using shell::Word;

class Reader {
 public:
  Reader(const OptionTable& table, const Words& words, std::size_t from)
      : table_(table), words_(words), at_(from) {}

  std::optional<Arguments> read() {
    bool options = true;
    for (; at_ < words_.size(); ++at_) {
      const Word& word = words_[at_];
      if (word.variable || word.substitution || word.braces) return std::nullopt;
      if (!options || word.text.size() < 2 || word.text[0] != '-' ||
          (word.pattern && word.fixed == 0)) {
        out_.operands.push_back({&word, !options});
      } else if (word.text == "--") {
        options = false;
      } else if (!(word.text[1] == '-' ? long_option(word) : short_options(word))) {
        return std::nullopt;
      }
    }
    return std::move(out_);
  }

 private:
  bool long_option(const Word& word) {
    const auto text = std::string_view(word.text).substr(2);
    const auto equals = text.find('=');
    const auto name = text.substr(0, equals);
    // Whatever a pattern in the value becomes, the option stays the same.
    if (word.pattern && (equals == std::string_view::npos || word.fixed < equals + 3 ||
                         !has_word(table_.pattern_names, name))) {
      return false;
    }
    out_.options.push_back(name);
    if (has_word(table_.optional_names, name)) {
      if (equals != std::string_view::npos) out_.values.push_back({name, text.substr(equals + 1)});
      return true;
    }
    if (has_word(table_.names, name)) return equals == std::string_view::npos;
    if (!has_word(table_.valued_names, name)) return false;
    if (equals == std::string_view::npos) return next_is_value(name);
    out_.values.push_back({name, text.substr(equals + 1)});
    return true;
  }

  bool short_options(const Word& word) {
    const auto text = std::string_view(word.text).substr(1);
    if (word.pattern) return false;
    if (table_.number && text.find_first_not_of("0123456789") == std::string_view::npos)
      return true;
    for (std::size_t i = 0; i < text.size(); ++i) {
      const auto letter = text.substr(i, 1);
      out_.options.push_back(letter);
      if (table_.letters.find(letter) != std::string_view::npos) continue;
      if (table_.numbered_letters.find(letter) != std::string_view::npos) {
        return text.find_first_not_of("0123456789%", i + 1) == std::string_view::npos;
      }
      if (table_.apart_letters.find(letter) != std::string_view::npos) {
        if (i + 1 == text.size()) return next_is_value(letter);
        return text.find_first_not_of("0123456789", i + 1) == std::string_view::npos;
      }
      if (table_.valued_letters.find(letter) == std::string_view::npos) return false;
      if (i + 1 == text.size()) return next_is_value(letter);
      out_.values.push_back({letter, text.substr(i + 1)});
      return true;
    }
    return true;
  }

  /// A pattern there could become several words, and the second of them anything.
  bool next_is_value(std::string_view option) {
    if (at_ + 1 >= words_.size() || !words_[at_ + 1].literal()) return false;
    out_.values.push_back({option, words_[++at_].text});
    out_.separate_values.push_back(&words_[at_]);
    return true;
  }

  const OptionTable& table_;
  const Words& words_;
  std::size_t at_;
  Arguments out_;
};

}  // namespace

bool Arguments::has(std::string_view option) const {
  return std::find(options.begin(), options.end(), option) != options.end();
}

std::optional<Arguments> read_arguments(const OptionTable& table, const Words& words,
                                        std::size_t from) {
  return Reader(table, words, from).read();
}

}  // namespace parley::agent

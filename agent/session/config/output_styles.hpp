// How the model is to answer, by the user's wish: a file in `output-styles`.
#pragma once

#include <string>
#include <vector>

#include "../../settings/settings.hpp"

namespace parley::agent {

struct OutputStyle {
  std::string name = "default";
  std::string text;  ///< For the model; empty of the default.
};

/// The style of that name, as it is on disk now; the default one if there is none, which is said on
/// stderr.
[[nodiscard]] OutputStyle find_output_style(const Settings::Sources& sources,
                                            const std::string& wanted);
[[nodiscard]] std::vector<std::string> output_style_names(const Settings::Sources& sources);

}  // namespace parley::agent

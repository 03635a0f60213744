// The one compilation of toml++ (its declarations alone are included elsewhere).
#define TOML_IMPLEMENTATION
#include <toml++/toml.h>

// The one compilation of toml++ (its declarations alone are included elsewhere). Numbers by <charconv>: the
// library's other way is a string stream, which brings locales into the program.
#define TOML_IMPLEMENTATION
#define TOML_FLOAT_CHARCONV 1
#include <toml++/toml.h>

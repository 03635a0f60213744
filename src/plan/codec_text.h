// Bytes as JSON strings and back; codec.h says how.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace paddock {

// Always well-formed UTF-8.
std::string json_text_of(std::string_view bytes);

// Nothing unless `text` is what json_text_of makes of the bytes. `text` is well-formed UTF-8.
std::optional<std::string> bytes_of_json_text(std::string_view text);

}  // namespace paddock

#include <fmt/core.h>

#include "plan/codec.h"
#include "plan/codec_fields.h"
#include "plan/codec_json.h"
#include "plan/codec_text.h"
#include "plan/codec_words.h"

namespace paddock::codec {
namespace {

class Writer {
 public:
  Json take() && { return std::move(object_); }

  void field(const char* name, const auto& value) { object_[name] = json(value); }
  void bytes(const char* name, const std::string& value) { object_[name] = json(value); }
  void octal(const char* name, std::uint32_t mode) { object_[name] = fmt::format("{:04o}", mode); }
  void constant(const char* name, int value) { object_[name] = value; }
  void list(const char* name, const auto& values, std::size_t) { object_[name] = json(values); }

  void text_or_null(const char* name, const std::string& value, bool is_text) {
    if (is_text) object_[name] = json(value);
    else object_[name] = nullptr;
  }

  template <typename T>
  static Json json(const T& value) {
    if constexpr (std::same_as<T, std::string>) {
      return json_text_of(value);
    } else if constexpr (std::same_as<T, Guarantee>) {
      return name_of(value);
    } else if constexpr (std::is_enum_v<T>) {
      return word_of(value);
    } else if constexpr (std::is_arithmetic_v<T>) {
      return value;
    } else {
      Writer inner;
      fields(inner, value);
      return std::move(inner).take();
    }
  }

  template <typename T>
  static Json json(const std::vector<T>& values) {
    Json array = Json::array();
    for (const T& value : values) array.push_back(json(value));
    return array;
  }

 private:
  Json object_ = Json::object();
};

}  // namespace

Json json_of(const Plan& plan) { return Writer::json(plan); }
Json json_of(const std::vector<Relaxation>& relaxations) { return Writer::json(relaxations); }
Json json_of(const Guarantees& guarantees) { return Writer::json(guarantees); }

}  // namespace paddock::codec

namespace paddock {

std::string write_plan(const Plan& plan) { return codec::json_of(plan).dump(); }

}  // namespace paddock

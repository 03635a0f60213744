// Errors as values. A fallible function returns Result<T>; TRY hands an error to the caller.
// Never throws by itself, never logs, never prints.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace paddock {

// What kind of failure it is; the command line maps each to one exit code (see cli/exit_code.h).
enum class ErrorCode {
  usage,           // the command line or a file named in it is wrong: exit 2
  cannot_start,    // machine, backend or policy do not allow the start as asked: exit 125
  not_executable,  // the command was found but cannot be executed: exit 126
  not_found,       // the command does not exist, or not inside the sandbox: exit 127
  answer_no,       // a question was answered, and the answer is no: exit 1
};

// What failed (message), why (trail, innermost first) and one thing that helps (hint, may be empty).
// Texts may hold paths of the user's; whoever prints them escapes control characters.
struct Error {
  ErrorCode code = ErrorCode::cannot_start;
  std::string message;
  std::string hint;
  std::string trail;

  // Says what was being done when the error came up: "reading the profile: <message>".
  [[nodiscard]] Error context(std::string_view doing) && {
    message = std::string(doing) + ": " + message;
    return std::move(*this);
  }
};

// Errors are rare: `cold` keeps the making of one, with its words, out of the way of what runs.
[[nodiscard, gnu::cold]] Error error(ErrorCode code, std::string message, std::string hint = {});

// What TRY returns: the same error.
[[nodiscard, gnu::cold]] Error handed_on(Error&& failure);

// "<doing>: <strerror(number)>". `number` is an errno value.
[[nodiscard, gnu::cold]] Error system_error(std::string_view doing, int number,
                                 ErrorCode code = ErrorCode::cannot_start);

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error failure) : state_(std::in_place_index<1>, std::move(failure)) {}

  [[nodiscard]] bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  // The value; only when ok().
  T& value() & { return *std::get_if<0>(&state_); }
  const T& value() const& { return *std::get_if<0>(&state_); }
  T&& value() && { return std::move(*std::get_if<0>(&state_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  // The error; only when not ok().
  Error& failure() & { return *std::get_if<1>(&state_); }
  const Error& failure() const& { return *std::get_if<1>(&state_); }
  Error&& failure() && { return std::move(*std::get_if<1>(&state_)); }

  [[nodiscard]] Result context(std::string_view doing) && {
    if (ok()) return std::move(*this);
    return std::move(*this).failure().context(doing);
  }

 private:
  std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error failure) : failure_(std::move(failure)) {}

  [[nodiscard]] bool ok() const { return !failure_.has_value(); }
  explicit operator bool() const { return ok(); }
  void value() const {}
  Error& failure() & { return *failure_; }
  const Error& failure() const& { return *failure_; }
  Error&& failure() && { return std::move(*failure_); }

  [[nodiscard]] Result context(std::string_view doing) && {
    if (ok()) return std::move(*this);
    return std::move(*this).failure().context(doing);
  }

 private:
  std::optional<Error> failure_;
};

// `T x = TRY(f());` or `TRY(g());`: the value, or return the error from the enclosing function.
#define TRY(...)                                                          \
  ({                                                                      \
    auto try_result_ = (__VA_ARGS__);                                     \
    if (!try_result_.ok()) return ::paddock::handed_on(std::move(try_result_).failure()); \
    std::move(try_result_).value();                                       \
  })

}  // namespace paddock

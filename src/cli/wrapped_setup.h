// From a wrap request to everything that a plan is made from: the same when the command is wrapped and each
// time that it is started, whatever surrounds that start.
#pragma once

#include <memory>

#include "cli/setup.h"
#include "wrap/request.h"
#include "wrap/wrapped.h"

namespace paddock {

// A process's surroundings as they were when a command was wrapped.
class WrapContext {
 public:
  // `environment`: of wrapped.h's plan_environment(). `outer`: this process's own, for its programs and colours.
  WrapContext(const Context& outer, std::map<std::string, std::string> environment, std::string directory);

  [[nodiscard]] const Context& get() const { return context_; }
  [[nodiscard]] RealHost& host() const { return *host_; }

 private:
  std::unique_ptr<std::map<std::string, std::string>> environment_;  // at one place: the host view refers to it
  std::unique_ptr<RealHost> host_;
  Context context_;
};

// What plans of this request are made from: of the host's environment, and of the request's own.
std::map<std::string, std::string> wrap_environment(const std::map<std::string, std::string>& host, const WrapRequest& request);

struct WrappedSetup {
  Setup setup;
  std::vector<std::string> breaches;  // of the machine's ceiling, in words; none: it may be
};

// Errors: the user's settings cannot be read.
Result<WrappedSetup> wrapped_setup(const Context& context, const WrapRequest& request, std::vector<std::string> command);

}  // namespace paddock

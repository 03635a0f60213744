#include "cli/preflight.h"

#include <unistd.h>

#include <algorithm>
#include <functional>

#include <fmt/core.h>

#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "cli/messages.h"
#include "cli/preflight_key.h"
#include "cli/program_identity.h"
#include "harness/answer.h"
#include "sandbox/capture.h"

namespace paddock {
namespace {

constexpr std::size_t kept_bytes_max = 8192;

// Two numbers of 64 bits as text: an accident alone could make two of them the same, and would cost a question.
std::string fingerprint(std::string text) {
  const std::size_t first = std::hash<std::string>{}(text);
  text += '#';
  return fmt::format("{:016x}{:016x}", first, std::hash<std::string>{}(text));
}

struct Asking {
  const Context& context;
  const Setup& setup;
  const ChosenBackend& chosen;
  std::string place;  // of what is kept
  std::string key;

  Result<void> operator()(const Plan& plan) const {
    Plan question = plan;
    question.command.resize(1);
    const std::vector<std::string>& words = setup.harness->preflight.arguments;
    question.command.insert(question.command.end(), words.begin(), words.end());
    if (::isatty(2) == 1) print_note(fmt::format("asking {} for its version in this sandbox, once", setup.harness->display), context.colour ? Colour::yes : Colour::no);
    CaptureRequest request{&question, chosen.backend, &chosen.probe, context.warden, context.directories.state, setup.harness->preflight.timeout_s * 1000, context.environment, setup.given};
    Result<Captured> said = capture(request);
    // A sandbox that does not come up is the run's to tell, which comes next.
    if (!said && said.failure().code == ErrorCode::cannot_start) return {};
    if (!said) return could_not_start(said.failure());
    if (said->too_slow) return too_slow(*said);
    if (said->exit_code != 0) return fault(*said);
    keep();
    return {};
  }

 private:
  std::string question() const { return shell_words(setup.harness->preflight.arguments); }

  std::string below(const std::string& text) const {
    const std::string tail = tail_of(text);
    return tail.empty() ? std::string() : "\n" + tail;
  }

  Error could_not_start(const Error& failure) const {
    const bool is_absent = failure.code == ErrorCode::not_found;
    return error(failure.code, fmt::format("{} cannot be started in this sandbox: {}", setup.harness->display, is_absent ? "its program or that program's interpreter is not inside" : failure.message),
                 "paddock harness check " + setup.harness->id);
  }

  Error too_slow(const Captured& said) const {
    return error(ErrorCode::cannot_start, fmt::format("{} did not answer {} within {} s in this sandbox{}", setup.harness->display, question(), setup.harness->preflight.timeout_s, below(said.text)),
                 "start it again when the machine is idle; [preflight] in its manifest says how it is asked");
  }

  Error fault(const Captured& said) const {
    const AnswerFault found = fault_of_answer(said.text, said.exit_code);
    return error(found.is_absent ? ErrorCode::not_found : ErrorCode::cannot_start, fmt::format("{} does not run in this sandbox ({}): {}{}", setup.harness->display, question(), found.why, below(said.text)),
                 found.fix.empty() ? "paddock harness check " + setup.harness->id : found.fix);
  }

  // The newest first; best effort: what cannot be kept is asked again.
  void keep() const {
    const auto before = read_file_if_any(place, kept_bytes_max);
    std::vector<std::string> keys{key};
    for (const std::string& line : before && *before ? split(**before, '\n') : std::vector<std::string>{}) {
      if (!line.empty() && line != key && keys.size() < preflights_kept_max) keys.push_back(line);
    }
    if (make_private_directories(context.directories.state).ok()) (void)write_file(place, join(keys, "\n") + "\n").ok();
  }
};

bool is_kept(const std::string& place, const std::string& key) {
  const auto text = read_file_if_any(place, kept_bytes_max);
  return text && *text && ("\n" + **text).find("\n" + key + "\n") != std::string::npos;
}

}  // namespace

std::function<Result<void>(const Plan&)> needed_preflight(const Context& context, const Setup& setup, const ChosenBackend& chosen, const Plan& plan, const Executable& program) {
  const Manifest& harness = *setup.harness;
  if (harness.bins.empty() || harness.preflight.arguments.empty() || plan.command.empty()) return {};
  const std::string key = fingerprint(fmt::format("paddock {} preflight 1\n{}{}\n{} {} {}\n{}", PADDOCK_VERSION, chain_identity(program), shell_words(harness.preflight.arguments), chosen.backend->name,
                                                  chosen.probe.program_identity.device, chosen.probe.program_identity.inode, sandbox_kind(plan)));
  const std::string place = path::join(context.directories.state, "preflight-" + harness.id);
  if (is_kept(place, key)) return {};
  return Asking{context, setup, chosen, place, key};
}

}  // namespace paddock

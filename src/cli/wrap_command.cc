#include <unistd.h>

#include <fmt/core.h>

#include "base/file.h"
#include "base/path.h"
#include "base/random.h"
#include "base/text.h"
#include "cli/ask_backends.h"
#include "cli/command.h"
#include "cli/messages.h"
#include "cli/wrapped_setup.h"
#include "plan/codec_text.h"
#include "plan/reach.h"
#include "wrap/reply.h"
#include "wrap/store.h"

namespace paddock {
namespace {

// The answer is no, or nothing could be asked: the same object's `error`, and words for a person.
int refuse(const Context& context, WrapError failure, int code) {
  print_out(write_reply(failure));
  print_error(error(ErrorCode::cannot_start, failure.message, failure.hint), context.colour ? Colour::yes : Colour::no);
  return code;
}

Result<std::string> request_text(const Context& context, const Arguments& arguments) {
  if (!arguments.rest.empty()) return error(ErrorCode::usage, "wrap takes no arguments: the request is read from stdin", "or name its file: --request FILE");
  if (!arguments.has("--request")) return read_all(0, wrap_request_bytes_max).context("reading the request");
  return read_file(path::normal(arguments.value_of("--request"), context.directory), wrap_request_bytes_max).context("reading the request");
}

WrapError refusal_of(Error failure, WrapRefusal kind) { return {kind, std::move(failure.message), std::move(failure.hint), {}, {}}; }

// An agent must not be able to put another program in the place of the one that confines it.
Result<void> check_own_programs(const Context& context, const Plan& plan) {
  for (const std::string& program : {context.own_program, context.warden}) {
    if (can_be_replaced(plan, *context.host, program)) {
      return error(ErrorCode::cannot_start, fmt::format("{} lies where the command could replace it", visible(program)), "install paddock outside the writable roots");
    }
  }
  const std::string stored = wrapped_directory(context.directories.state);
  if (!is_visible_inside(plan, stored)) return {};
  return error(ErrorCode::cannot_start, visible(stored) + " would be visible to the command", "move the state directory: XDG_STATE_HOME");
}

// What stands in the reply as it is, byte for byte, has to be text.
Result<void> check_text(const std::string& path) {
  if (json_text_of(path) == path) return {};
  return error(ErrorCode::cannot_start, visible(path) + " cannot be written in JSON: it is not UTF-8", "move it to a directory with a plain name");
}

Result<std::string> random_marker() { return fmt::format("paddock: not run [{}]", TRY(random_hex(16))); }

Result<WrapReply> reply_for(const Context& context, const WrapRequest& request, const Wrapped& wrapped) {
  const StoredPlace stored = TRY(store_wrapped(context.directories.state, write_wrapped(wrapped)));
  TRY(check_text(context.own_program));
  TRY(check_text(stored.path));
  WrapReply reply;
  reply.marker = TRY(random_marker());
  reply.argv = {context.own_program, "exec-plan", "--marker", reply.marker, stored.path, "--"};
  reply.argv.insert(reply.argv.end(), request.command.begin(), request.command.end());
  reply.signatures = denial_signatures(request);
  reply.expires_at = stored.expires_at;
  reply.findings = findings_of(stored.path);
  return reply;
}

Result<int> answer(const WrapReply& reply) {
  print_out(write_reply(reply));
  return 0;
}

// Whether a plan that could not be made can be made without the ceiling, which is then gone from the setup.
bool is_against_ceiling(const Context& context, Setup& setup) {
  setup.tiers->tiers.ceiling = {};
  return make_plan(context, setup).ok();
}

WrapError forbidden(std::vector<std::string> breaches) {
  return {WrapRefusal::forbidden, "the machine's ceiling forbids what is asked", "ask for less, or have the ceiling changed by who keeps this machine", {}, std::move(breaches)};
}

Result<int> wrap_confined(const Context& context, const WrapRequest& request, Setup& setup, Wrapped wrapped) {
  auto made = make_plan(context, setup);
  if (!made && is_against_ceiling(context, setup)) return refuse(context, forbidden({made.failure().message}), 1);
  if (!made) return refuse(context, refusal_of(std::move(made).failure(), WrapRefusal::unsupported), 1);
  const Plan& plan = *made;
  if (auto own = check_own_programs(context, plan); !own) return refuse(context, refusal_of(std::move(own).failure(), WrapRefusal::unsupported), 1);
  AskedBackends asked = ask_backends(context, setup, plan);
  if (!asked.chosen) {
    WrapError failure{WrapRefusal::unsupported, "no backend can hold what is asked, and nothing runs with less", "mend one of the reasons, or ask for less", std::move(asked.refused), {}};
    return refuse(context, std::move(failure), 1);
  }
  record_plan(wrapped, plan);
  WrapReply reply = TRY(reply_for(context, request, wrapped));
  reply.backend = asked.chosen->name;
  reply.guarantees = plan.required;
  reply.relaxations = plan.relaxations;
  reply.notes = plan.notes;
  return answer(reply);
}

Result<int> wrap_unconfined(const Context& context, const WrapRequest& request, const Wrapped& wrapped) {
  WrapReply reply = TRY(reply_for(context, request, wrapped));
  reply.confined = false;
  reply.backend = "none";
  reply.relaxations = {{"no_sandbox", "the command has everything that you have", {OriginKind::flag, "the request's mode"}}};
  return answer(reply);
}

Result<int> wrap(const Context& outer, const WrapRequest& request) {
  Wrapped wrapped;
  wrapped.request = request;
  wrapped.request.command.clear();
  wrapped.environment = wrap_environment(outer.environment, request);
  wrapped.uid = ::geteuid();
  const WrapContext surroundings(outer, wrapped.environment, request.cwd);
  const Context& context = surroundings.get();
  // The directory that no plan may show exists before a plan is made.
  TRY(make_private_directories(wrapped_directory(context.directories.state)));
  WrappedSetup setup = TRY(wrapped_setup(context, request, request.command));
  if (!setup.breaches.empty()) return refuse(context, forbidden(std::move(setup.breaches)), 1);
  if (!setup.setup.sandboxed) return wrap_unconfined(context, request, wrapped);
  return wrap_confined(context, request, setup.setup, std::move(wrapped));
}

}  // namespace

Result<int> wrap_command(const Context& context, const Arguments& arguments) {
  auto text = request_text(context, arguments);
  if (!text) return refuse(context, refusal_of(std::move(text).failure(), WrapRefusal::invalid), 2);
  auto request = read_wrap_request(*text);
  if (!request) return refuse(context, refusal_of(std::move(request).failure(), WrapRefusal::invalid), 2);
  auto code = wrap(context, *request);
  if (!code) return refuse(context, refusal_of(std::move(code).failure(), WrapRefusal::failed), 125);
  return code;
}

}  // namespace paddock

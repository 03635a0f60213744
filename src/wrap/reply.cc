#include "wrap/reply.h"

#include "base/text.h"
#include "plan/codec_json.h"

namespace paddock {
namespace {

using codec::Json;

std::string_view name_of(WrapRefusal kind) {
  switch (kind) {
    case WrapRefusal::invalid: return "invalid";
    case WrapRefusal::unsupported: return "unsupported";
    case WrapRefusal::forbidden: return "forbidden";
    case WrapRefusal::failed: return "failed";
  }
  return "failed";
}

Json texts(const std::vector<std::string>& all) {
  Json array = Json::array();
  for (const std::string& text : all) array.push_back(visible(text));
  return array;
}

Json empty_reply() {
  Json json = Json::object();
  json["schema"] = wrap_schema;
  for (const char* key : {"argv", "enforcement", "backend", "guarantees", "denial_signatures", "runner_failure", "expires_at", "findings", "relaxations", "notes", "error"}) {
    json[key] = nullptr;
  }
  return json;
}

// Everything but the argument vector has been made visible; that one is well-formed or was refused.
std::string line_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n"; }

Json signatures_of(const std::vector<DenialSignature>& all) {
  Json array = Json::array();
  for (const DenialSignature& one : all) array.push_back({{"of", one.of}, {"errno", one.error}, {"text", one.text}});
  return array;
}

Json backends_of(const std::vector<BackendFacts>& all) {
  Json array = Json::array();
  for (const BackendFacts& backend : all) {
    Json reasons = Json::array();
    for (const BackendLack& lack : backend.unmet) reasons.push_back({{"what", visible(lack.what)}, {"why", visible(lack.why)}, {"fix", visible(lack.fix)}});
    array.push_back({{"name", backend.name}, {"reasons", std::move(reasons)}});
  }
  return array;
}

}  // namespace

std::vector<DenialSignature> denial_signatures(const WrapRequest& request) {
  std::vector<DenialSignature> all;
  if (confines_nothing(request)) return all;
  if (request.mode != WrapMode::unrestricted) all.push_back({"write", "EROFS", "Read-only file system"});
  all.push_back({"write", "EACCES", "Permission denied"});
  all.push_back({"call", "EPERM", "Operation not permitted"});
  if (!request.mask_paths.empty()) all.push_back({"mask", "ENOENT", "No such file or directory"});
  if (request.network == NetworkMode::on) return all;
  all.push_back({"network", "ENETUNREACH", "Network is unreachable"});
  all.push_back({"network", "ECONNREFUSED", "Connection refused"});
  all.push_back({"network", "EAI_AGAIN", "Temporary failure in name resolution"});
  return all;
}

std::string write_reply(const WrapReply& reply) {
  Json json = empty_reply();
  json["argv"] = reply.argv;
  json["enforcement"] = reply.confined ? "full" : "none";
  json["backend"] = reply.backend;
  json["guarantees"] = codec::json_of(reply.guarantees);
  json["denial_signatures"] = signatures_of(reply.signatures);
  json["runner_failure"] = {{"exit_codes", {125, 126, 127}}, {"stderr_line_begins_with", reply.marker}};
  json["expires_at"] = reply.expires_at;
  json["findings"] = reply.findings;
  json["relaxations"] = Json::array();
  for (const Relaxation& relaxation : reply.relaxations) json["relaxations"].push_back({{"name", relaxation.name}, {"reason", visible(relaxation.reason)}});
  json["notes"] = texts(reply.notes);
  return line_of(json);
}

std::string write_finding(std::uint64_t time_s, std::string_view text) {
  Json json = Json::object();
  json["time"] = time_s;
  json["finding"] = visible(text);
  return line_of(json);
}

std::string write_reply(const WrapError& failure) {
  Json json = empty_reply();
  json["error"] = {{"kind", name_of(failure.kind)},
                   {"message", visible(failure.message)},
                   {"hint", visible(failure.hint)},
                   {"backends", backends_of(failure.backends)},
                   {"breaches", texts(failure.breaches)}};
  return line_of(json);
}

}  // namespace paddock

#include <algorithm>

#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "doctor/gather.h"

namespace paddock::doctor {
namespace {

constexpr std::string_view bundles[] = {
    "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem", "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
};
constexpr std::string_view certificate_variables[] = {
    "SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "GIT_SSL_CAINFO", "AWS_CA_BUNDLE", "PIP_CERT", "DENO_CERT", "CARGO_HTTP_CAINFO",
};
constexpr std::string_view proxy_variables[] = {"http_proxy", "https_proxy", "all_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"};

constexpr std::size_t resolver_bytes_max = 65536;
constexpr std::size_t servers_max = 8;

bool is_passed(const Plan* plan, std::string_view name) { return plan != nullptr && std::ranges::find(plan->environment, name, &Variable::name) != plan->environment.end(); }

// The deepest mount decides.
bool is_visible(const Plan* plan, const std::string& file) {
  if (plan == nullptr) return false;
  const Mount* holder = nullptr;
  for (const Mount& mount : plan->mounts) {
    if (path::is_within(file, mount.target)) holder = &mount;
  }
  return holder != nullptr && holder->kind == MountKind::bind;
}

std::vector<std::string> name_servers_of(std::string_view text) {
  std::vector<std::string> servers;
  for (const std::string& line : split(text, '\n')) {
    constexpr std::string_view keyword = "nameserver";
    if (!line.starts_with(keyword) || servers.size() == servers_max) continue;
    std::string address(trim(std::string_view(line).substr(keyword.size())));
    if (!address.empty()) servers.push_back(std::move(address));
  }
  return servers;
}

}  // namespace

NetworkFacts network_facts(const HostView& host, const Environment& environment, const Plan* plan) {
  NetworkFacts facts;
  for (const std::string_view bundle : bundles) {
    if (host.real_path(std::string(bundle))) facts.bundles.emplace_back(bundle);
  }
  for (const std::string_view name : certificate_variables) {
    const auto set = environment.find(std::string(name));
    if (set == environment.end() || set->second.empty()) continue;
    const auto real = host.real_path(path::normal(set->second));
    facts.certificates.push_back({std::string(name), set->second, real.has_value(), real && is_visible(plan, *real), is_passed(plan, name)});
  }
  facts.resolver = host.real_path("/etc/resolv.conf").value_or("");
  if (!facts.resolver.empty()) {
    const auto text = read_file_if_any(facts.resolver, resolver_bytes_max);
    if (text && *text) facts.name_servers = name_servers_of(**text);
  }
  for (const std::string_view name : proxy_variables) {
    const auto set = environment.find(std::string(name));
    if (set != environment.end() && !set->second.empty()) facts.proxies.emplace_back(name, is_passed(plan, name));
  }
  return facts;
}

}  // namespace paddock::doctor

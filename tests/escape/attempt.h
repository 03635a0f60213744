// What every attack program shares: one attempt runs in a child of its own, so that a filter may
// kill it, and gives one line: `ok NAME` (it was refused), `ESCAPED NAME detail`, `skip NAME reason`.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace attack {

enum class End { held, escaped, skipped };

struct Outcome {
  End end = End::held;
  std::string detail;
};

inline Outcome held() { return {}; }
inline Outcome escaped(std::string detail) { return {End::escaped, std::move(detail)}; }
inline Outcome skipped(std::string reason) { return {End::skipped, std::move(reason)}; }
// Escaped when `happened`, with errno's name otherwise unused.
inline Outcome escaped_if(bool happened, std::string detail) { return happened ? escaped(std::move(detail)) : held(); }

// Runs `body` in a child and prints its line. A child that dies of SIGSYS was refused; one that dies
// of anything else, or takes longer than 20 s, is `broken`: the attempt showed nothing.
void attempt(std::string_view name, const std::function<Outcome()>& body);

// The same in a user namespace of its own with every id that can be mapped, as its root. `ok` where
// no such namespace can be made. `also` are further CLONE_NEW* flags for that unshare.
void attempt_nested(std::string_view name, const std::function<Outcome()>& body, int also = 0);

// Words of the command line: `secret=PATH` may come more than once.
class Options {
 public:
  Options(int argc, char** argv);
  std::string one(std::string_view name, std::string_view otherwise = "") const;
  std::vector<std::string> all(std::string_view name) const;
  long number(std::string_view name, long otherwise = 0) const;

 private:
  std::vector<std::string> words_;
};

// Into a new user namespace as its root; false where refused.
bool enter_user_namespace(int also = 0);

// Up to `bytes_max` of a file; empty where it cannot be read.
std::string read_file(const std::string& path, std::size_t bytes_max = 1 << 20);
bool write_file(const std::string& path, std::string_view text, int flags, int mode = 0644);
std::vector<std::string> entries_of(const std::string& directory);
std::vector<int> visible_pids();
std::string errno_name();

// The programs, one a file; each returns nothing and prints its lines.
void pid1(const Options& options);
void procsys(const Options& options);
void sysnum(const Options& options);
void suidcap(const Options& options);
void names(const Options& options);
void maskback(const Options& options);
void fdreopen(const Options& options);
void sockets(const Options& options);
void tty(const Options& options);
void limits(const Options& options);
void nested(const Options& options);
void neighbour(const Options& options);

}  // namespace attack

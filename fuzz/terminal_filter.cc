// The output filter on hostile bytes. Invariants: nothing forbidden comes out when read independently
// (terminal_scan.h), however the input was split; the output grows by no more than the named factor; and
// what undoes the changes passes the same reading. The first byte chooses the options.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "../fuzz/terminal_scan.h"
#include "terminal/output_filter.h"

namespace {

using namespace paddock::terminal;

FilterOptions options_of(unsigned byte) {
  return {.encoding = (byte & 1) != 0 ? Encoding::bytes : Encoding::utf8,
          .queries = (byte & 2) != 0 ? Queries::drop : Queries::pass,
          .clipboard_write = (byte & 4) != 0 ? ClipboardWrite::pass : ClipboardWrite::drop,
          .notifications = (byte & 8) != 0 ? Notifications::pass : Notifications::drop,
          .hyperlinks = (byte & 16) != 0 ? Hyperlinks::drop : Hyperlinks::web};
}

std::string feed_in_pieces(OutputFilter& filter, std::string_view input, std::size_t piece) {
  std::string out;
  for (; !input.empty(); input.remove_prefix(std::min(piece, input.size()))) filter.feed(input.substr(0, piece), out);
  return out;
}

// The first fault that was seen; empty while everything holds.
class Fault {
 public:
  void require(bool holds, const std::string& what) {
    if (!holds && first_.empty()) first_ = what;
  }
  void require_harmless(std::string_view output, bool bytes) {
    const std::string found = paddock::fuzz::TerminalScan(output, bytes).fault();
    require(found.empty(), found);
  }
  const std::string& first() const { return first_; }

 private:
  std::string first_;
};

// What the filter does wrong with this input; empty when nothing is.
std::string fault_of(std::string_view data) {
  if (data.empty() || data.size() > 65536) return {};
  const auto first = static_cast<unsigned char>(data[0]);
  const FilterOptions options = options_of(first);
  const bool bytes = options.encoding == Encoding::bytes;
  const std::string_view input = data.substr(1);
  OutputFilter whole(options);
  OutputFilter split(options);
  const std::string output = feed_in_pieces(whole, input, input.size() + 1);
  Fault fault;
  fault.require_harmless(output, bytes);
  fault.require(output == feed_in_pieces(split, input, 1 + (first >> 5)), "the output depends on the split");
  fault.require(whole.payload() == split.payload() && whole.counts() == split.counts(), "the state depends on the split");
  fault.require(output.size() <= filter_growth_max * input.size() + filter_slack_bytes, "the output is too large");
  fault.require(whole.reset_sequence().size() <= undo_bytes_max, "the reset sequence is too long");
  fault.require(whole.restore_sequence().size() <= undo_bytes_max, "the restore sequence is too long");
  fault.require_harmless(whole.reset_sequence() + whole.restore_sequence(), bytes);
  return fault.first();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string fault = fault_of(std::string_view(reinterpret_cast<const char*>(data), size));
  if (fault.empty()) return 0;
  std::fprintf(stderr, "%s\n", fault.c_str());
  std::abort();
}

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

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

void require_harmless(std::string_view output, bool bytes) {
  const std::string fault = paddock::fuzz::TerminalScan(output, bytes).fault();
  require(fault.empty(), fault.c_str());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0 || size > 65536) return 0;
  const FilterOptions options = options_of(data[0]);
  const bool bytes = options.encoding == Encoding::bytes;
  const std::string_view input(reinterpret_cast<const char*>(data) + 1, size - 1);
  OutputFilter whole(options);
  OutputFilter split(options);
  const std::string output = feed_in_pieces(whole, input, input.size() + 1);
  require_harmless(output, bytes);
  require(output == feed_in_pieces(split, input, 1 + (data[0] >> 5)), "the output depends on the split");
  require(whole.payload() == split.payload() && whole.counts() == split.counts(), "the state depends on the split");
  require(output.size() <= filter_growth_max * input.size() + filter_slack_bytes, "the output is too large");
  require(whole.reset_sequence().size() <= undo_bytes_max, "the reset sequence is too long");
  require(whole.restore_sequence().size() <= undo_bytes_max, "the restore sequence is too long");
  require_harmless(whole.reset_sequence() + whole.restore_sequence(), bytes);
  return 0;
}

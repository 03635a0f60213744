#include "terminal/output_filter.h"

#include "terminal/csi_filter.h"
#include "terminal/escape_filter.h"
#include "terminal/osc_filter.h"

namespace paddock::terminal {

void OutputFilter::feed(std::string_view bytes, std::string& out) {
  for (Token token = parser_.next(bytes); token.kind != TokenKind::none; token = parser_.next(bytes)) {
    switch (token.kind) {
      case TokenKind::none: break;
      case TokenKind::text: out += token.bytes; break;
      case TokenKind::control: filter_control(token.bytes.front(), state_, out); break;
      case TokenKind::escape: filter_escape(token.bytes, state_, out); break;
      case TokenKind::csi: filter_csi(token.bytes, state_, out); break;
      case TokenKind::osc: filter_osc(token.bytes, token.end, state_, out); break;
      case TokenKind::dropped: ++state_.counts.dropped; break;
    }
  }
}

}  // namespace paddock::terminal

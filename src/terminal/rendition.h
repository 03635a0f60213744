// What an SGR sequence leaves set. Pure. Source: ECMA-48 §8.3.117, XTerm Control Sequences "CSI Pm m".
#pragma once

#include <cstdint>

#include "terminal/csi_sequence.h"

namespace paddock::terminal {

// `set` (bits of enum Rendition) after `sequence`, which is an SGR.
std::uint16_t rendition_after(std::uint16_t set, const CsiSequence& sequence);

}  // namespace paddock::terminal

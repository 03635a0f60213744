// Manual pages in the man macros of roff (groff_man(7), mandoc's man(7)), made from the tables (cli/offers.h).
#pragma once

#include <string>

#include "cli/command.h"

namespace paddock {

std::string manual();                           // paddock(1)
std::string manual_of(const CommandRow& command);  // paddock-COMMAND(1)

}  // namespace paddock

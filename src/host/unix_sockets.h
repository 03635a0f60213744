// Sockets of the file system on this machine: which are listened at, and whether one is answered.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace paddock {

// Of the text of /proc/net/unix (unix(7); the flag of a listening socket is __SO_ACCEPTCON, 0x10000): the paths
// of stream sockets that accept connections and of bound datagram sockets. Sorted, each once. Pure.
std::vector<std::string> listening_paths(std::string_view text);

// Of this machine; empty where the kernel does not tell.
std::vector<std::string> find_listening_sockets();

// connect(2) without waiting: a full queue is an answer, a socket that nobody holds is none.
bool socket_answers(const std::string& path);

}  // namespace paddock

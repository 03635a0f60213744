// An empty C++ program, linked as paddock is: the floor of its start.
#include <string>

int main(int argc, char** argv) { return std::string(argv[0]).size() > 100'000 ? argc : 0; }

// An independent reading of what the output filter lets out: much simpler than the filter's own parser,
// and strict, since only whole 7-bit sequences may come. Shares no code and no table with it.
#pragma once

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>

namespace paddock::fuzz {

// Nothing if `output` is harmless, else what is wrong with it. `bytes`: not UTF-8.
class TerminalScan {
 public:
  TerminalScan(std::string_view output, bool bytes) : rest_(output), bytes_(bytes) {}

  std::string fault() {
    while (!rest_.empty()) {
      const std::string fault = rest_[0] == '\x1b' ? sequence() : character();
      if (!fault.empty()) return fault + " before: " + std::string(rest_.substr(0, 20));
    }
    return {};
  }

 private:
  void take(std::size_t count) { rest_.remove_prefix(count); }

  std::string character() {
    const auto c = static_cast<unsigned char>(rest_[0]);
    if (c < 0x20 && std::strchr("\a\b\t\n\v\f\r\x0e\x0f", c) == nullptr) return "control character";
    if (c == 0 || c == 0x7f) return "NUL or DEL";
    if (c < 0x80) return take(1), "";
    if (bytes_) return c < 0xa0 ? "C1 control" : (take(1), "");
    return utf8(c);
  }

  std::string utf8(unsigned char first) {
    const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 0;
    if (length == 0 || rest_.size() < length) return "not UTF-8";
    for (std::size_t i = 1; i < length; ++i) {
      if ((rest_[i] & 0xc0) != 0x80) return "not UTF-8";
    }
    if (first == 0xc2 && static_cast<unsigned char>(rest_[1]) < 0xa0) return "C1 control";
    take(length);
    return "";
  }

  std::string sequence() {
    if (rest_.size() < 2) return "lone ESC";
    if (rest_[1] == '[') return csi();
    if (rest_[1] == ']') return osc();
    if (std::strchr("P^_Xk\\Z%< ", rest_[1]) != nullptr) return "forbidden escape sequence";
    take(1);
    while (!rest_.empty() && rest_[0] >= 0x20 && rest_[0] < 0x30) take(1);
    if (rest_.empty() || rest_[0] < 0x30 || rest_[0] > 0x7e) return "unfinished escape sequence";
    take(1);
    return "";
  }

  std::string csi() {
    std::size_t end = 2;
    while (end < rest_.size() && rest_[end] >= 0x20 && rest_[end] < 0x40) ++end;
    if (end == rest_.size() || rest_[end] < 0x40 || rest_[end] > 0x7e) return "unfinished CSI";
    const std::string body(rest_.substr(2, end - 1));
    if (!csi_allowed(body)) return "CSI " + body;
    take(end + 1);
    return "";
  }

  // Parameters are digits and ';' (and ':' in SGR); what stands around them is one of a few words.
  static bool csi_allowed(const std::string& body) {
    std::string numbers;
    std::string frame;
    for (const char c : body) (std::strchr("0123456789;:", c) != nullptr ? numbers : frame) += c;
    if (frame.size() > 1 && frame.find_first_of("<=>?") != std::string::npos && frame[0] != body[0]) return false;
    if (body.find(numbers) == std::string::npos) return false;
    if (numbers.find(':') != std::string::npos && frame != "m") return false;
    const auto is_one_of = [](const std::string& word, const char* words) {
      return std::strstr(words, (" " + word + " ").c_str()) != nullptr;
    };
    if (is_one_of(frame, " c >c =c ")) return numbers.find_first_not_of('0') == std::string::npos;
    if (frame == "n") return numbers == "5" || numbers == "6";
    if (frame == "?n") return numbers == "6" || numbers == "996";
    if (frame == "t")
      return is_one_of(numbers.substr(0, 2), " 14 16 18 22 23 ") && (numbers.size() < 3 || numbers[2] == ';');
    if (frame == "?h" || frame == "?l") return !sets_forbidden_mode(";" + numbers + ";");
    if (is_one_of(frame, " ?J ?K ?W ?m ?u $p ?$p >m >q >u <u =u !p \"q #p #q #{ #} $r $t $v $x $z ${ *x '} '~ "))
      return true;
    if (frame == " q" || frame == " @" || frame == " A") return true;
    return frame.size() == 1 && std::strchr("@ABCDEFGHIJKLMPSTXZ`abdefghlmrsu", frame[0]) != nullptr;
  }

  static bool sets_forbidden_mode(const std::string& list) {
    for (const char* mode : {";2;", ";3;", ";38;", ";1001;"}) {
      if (list.find(mode) != std::string::npos) return true;
    }
    return false;
  }

  static bool osc_allowed(const std::string& content) {
    const std::string number = content.substr(0, content.find(';'));
    const std::string rest = content.substr(std::min(number.size() + 1, content.size()));
    if (number == "52") return rest.find('?') == std::string::npos;
    if (number == "9")
      return rest.empty() || std::strchr("0123456789", rest[0]) == nullptr || rest.rfind("4;", 0) == 0 ||
             rest.find_first_not_of("0123456789") != rest.find(';');
    if (number == "8") return rest.find(';') != std::string::npos && rest.find(";file:") != rest.find(';');
    if (number == "99") {
      const std::string asked = ":" + rest.substr(0, rest.find(';'));
      return asked.find(":a=") == std::string::npos && asked.find(":c=") == std::string::npos &&
             asked.find(":p=?") == std::string::npos;
    }
    for (const char* allowed : {"0", "1", "2", "4", "104", "777"}) {
      if (number == allowed) return true;
    }
    return (number.size() == 2 && number[0] == '1') || (number.size() == 3 && number.rfind("11", 0) == 0);
  }

  std::string osc() {
    const std::size_t end = rest_.find_first_of("\a\x1b", 2);
    if (end == std::string_view::npos) return "unfinished OSC";
    const std::size_t past = rest_[end] == '\a' ? end + 1 : end + 2;
    if (rest_[end] == '\x1b' && (past > rest_.size() || rest_[end + 1] != '\\')) return "OSC cut by ESC";
    const std::string content(rest_.substr(2, end - 2));
    for (const char c : content) {
      if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) return "control in OSC";
    }
    if (!bytes_ && !TerminalScan(content, false).fault().empty()) return "text of OSC";
    if (!osc_allowed(content)) return "OSC " + content.substr(0, 40);
    take(past);
    return "";
  }

  std::string_view rest_;
  bool bytes_;
};

}  // namespace paddock::fuzz

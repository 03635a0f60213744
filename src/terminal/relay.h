// Relay carries bytes between the user's terminal and the master of the sandbox's pty, as one part of a
// poll(2) loop that also serves other descriptors: prepare(), poll, handle(), until finished().
//
//   master ──► OutputFilter ──► the user's terminal            the user's terminal ──► master
//
// The slave is open somewhere inside from before the first poll until the payload ends: a master whose
// slave nobody holds is at its end (EIO). It never blocks (on non-blocking descriptors: see
// find_user_terminal), holds a bounded amount in each direction and stops reading a side whose other side
// does not take it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <poll.h>

#include "base/result.h"
#include "terminal/output_filter.h"
#include "terminal/status_answers.h"

namespace paddock::terminal {

inline constexpr std::size_t relay_chunk_bytes = std::size_t{16} << 10;           // of one read
inline constexpr std::size_t output_pending_bytes_max = std::size_t{64} << 10;    // no more is read beyond
inline constexpr std::size_t input_pending_bytes_max = std::size_t{16} << 10;
inline constexpr std::size_t blocking_write_bytes_max = 256;                      // to a terminal that may block
inline constexpr std::size_t final_output_bytes_max = std::size_t{1} << 20;       // after begin_finish()

// The most that the relay holds for the user's terminal at any time; written bytes are given up at
// the latest when they are output_pending_bytes_max.
inline constexpr std::size_t output_held_bytes_max =
    2 * output_pending_bytes_max + filter_growth_max * relay_chunk_bytes + osc_bytes_max + filter_slack_bytes;

// Borrowed; they outlive the relay. -1: that side does not exist. Without `output` what the payload
// writes to its terminal is read and let go; without `input` queries do not pass.
struct RelayEnds {
  int master = -1;
  int input = -1;
  int output = -1;
};

enum class InputFlow { paused, open };

class Relay {
 public:
  // Makes the master non-blocking. It is alone in that: nobody else shares its description.
  static Result<Relay> create(RelayEnds ends, FilterOptions options);

  // Appends what this side waits for; handle() takes the same vector after poll(2), with its entries at
  // the same places.
  void prepare(std::vector<pollfd>& polls);
  void handle(const std::vector<pollfd>& polls);

  // Whether input is read. Paused while the job is in the background; the relay pauses itself when
  // reading fails with EIO, which is how the kernel says so. Queries pass only while it is open.
  void set_input(InputFlow flow);
  [[nodiscard]] InputFlow input_flow() const { return input_flow_; }

  // The payload has ended: what its terminal still holds is the rest. finished() then comes true
  // without the end of the master, which leftover processes may hold open.
  void begin_finish();
  // Carries what the stopped payload has written over to the user's terminal, which gets `wait_ms` to
  // take it.
  void settle(int wait_ms);
  // Nothing more will come, and all of it has been written (or cannot be).
  [[nodiscard]] bool finished() const;
  // The user's terminal has hung up. The rest of the output is read and let go.
  [[nodiscard]] bool terminal_gone() const { return terminal_gone_; }

  // Input that somebody else has read from the user's terminal; what does not fit is let go.
  void deliver_input(std::string_view bytes);

  OutputFilter& filter() { return filter_; }
  [[nodiscard]] const OutputFilter& filter() const { return filter_; }
  // Answers to DSR 5 that the payload asked for and that have not come.
  [[nodiscard]] std::uint64_t status_answers_owed() const;

 private:
  Relay(RelayEnds ends, FilterOptions options) : ends_(ends), filter_(options) {}

  [[nodiscard]] short events_of(const std::vector<pollfd>& polls, std::optional<std::size_t> entry) const;
  [[nodiscard]] bool wants_output() const;
  [[nodiscard]] bool wants_input() const;
  [[nodiscard]] bool output_flushed() const { return to_output_.size() == written_; }
  bool read_master();
  void read_all_of_master();
  void write_output();
  void read_input(short events);
  void write_master();
  void end_of_input_line();
  void lose_terminal();

  RelayEnds ends_;
  OutputFilter filter_;
  StatusAnswers answers_;
  std::string to_output_;        // what lies before written_ is written
  std::size_t written_ = 0;
  std::string to_master_;
  std::size_t output_piece_ = 0;  // the most that one write to the terminal may hold
  std::size_t final_bytes_ = 0;   // read since begin_finish()
  InputFlow input_flow_ = InputFlow::open;
  bool finishing_ = false;
  bool master_dry_ = false;       // while finishing: it had nothing more, or too much
  bool master_ended_ = false;
  bool terminal_gone_ = false;
  std::optional<std::size_t> master_entry_;
  std::optional<std::size_t> input_entry_;
  std::optional<std::size_t> output_entry_;
};

}  // namespace paddock::terminal

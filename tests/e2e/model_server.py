#!/usr/bin/env python3
"""A scripted model for end-to-end tests with real agents.

It stands in for a model service on loopback, so that an unmodified agent can be driven through a known series of
tool calls. It speaks as much as the agents need of four protocols: Anthropic Messages, OpenAI Responses, OpenAI
chat completions and Gemini generateContent, all streaming; side requests of the last two in one piece too.

    model_server.py SCRIPT [--log FILE] [--dump DIRECTORY] [--lifetime SECONDS]

Prints its port as one line, then serves until SIGTERM, the end of its standard input, or the lifetime.

The script is a JSON list of turns, or an object {"turns": [...]}:

    {"tool": "shell", "command": "make test"}                     the agent's own shell tool is asked to run this
    {"tool": "write", "path": "/a/b", "content": "..."}           the agent's own file-writing tool (or a shell line)
    {"text": "Done."}                                             an answer, which ends the agent's turn
    {"error": 400, "message": "..."}                              the service refuses the request

Progress is never kept here: the turn to play is read from the conversation that the agent sends, as the number of
tool results plus the number of finished answers in it. So a run that continues an earlier conversation gets the
turns after it, in any process and in any order of runs, and a retried request gets the same turn again. Beyond
the last turn the answer is "(end of script)".

The log has one JSON object a line for each request: what it was ("main", "side", "other"), the turn played, the
number of user messages, and each tool result with its text.
"""

import argparse
import http.server
import json
import os
import signal
import sys
import threading

from model_protocols import PROTOCOLS, WHOLE, protocol_of

REQUEST_BYTES_MAX = 32 * 1024 * 1024
LOG_BYTES_MAX = 64 * 1024 * 1024
SOCKET_TIMEOUT_S = 60
LIFETIME_S = 1800

END_OF_SCRIPT = {"text": "(end of script)"}
SIDE_ANSWER = {"text": "scripted conversation"}


# --- HTTP -----------------------------------------------------------------------------------------------------------


class Journal:
    """The log: one object a line, whole lines only, bounded."""

    def __init__(self, path):
        self.file_ = open(path, "a", encoding="utf-8") if path else None
        self.lock_ = threading.Lock()
        self.bytes_ = 0

    def write(self, record):
        line = json.dumps(record) + "\n"
        with self.lock_:
            self.bytes_ += len(line)
            if self.file_ and self.bytes_ <= LOG_BYTES_MAX:
                self.file_.write(line)
                self.file_.flush()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = SOCKET_TIMEOUT_S
    server_version = "scripted-model"

    def log_message(self, *_):
        pass

    def send_json(self, status, value):
        payload = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(payload)))
        self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(payload)
        self.close_connection = True

    def refuse(self, status, message):
        self.send_json(status, {"type": "error", "error": {
            "type": "invalid_request_error", "code": "scripted", "message": message}})

    def note(self, **record):
        self.server.journal.write(dict({"method": self.command, "path": self.path}, **record))

    def do_HEAD(self):
        self.note(kind="other")
        self.send_json(200, {})

    def do_GET(self):
        self.note(kind="other")
        if self.headers.get("Upgrade"):
            self.refuse(426, "use the streaming request instead")
        elif self.path.split("?")[0] == "/v1/models":
            self.send_json(200, {"object": "list", "data": [], "models": []})
        else:
            self.refuse(404, "no such path")

    def do_POST(self):
        path = self.path.split("?")[0].rstrip("/")
        length = int(self.headers.get("Content-Length") or 0)
        if length > REQUEST_BYTES_MAX:
            return self.refuse(413, "request too large")
        raw = self.rfile.read(length)
        if path == "/v1/messages/count_tokens":
            self.note(kind="other")
            return self.send_json(200, {"input_tokens": max(1, len(raw) // 4)})
        path = protocol_of(path)
        if path == ":countTokens":
            self.note(kind="other")
            return self.send_json(200, {"totalTokens": max(1, len(raw) // 4)})
        if path not in PROTOCOLS and path not in WHOLE:
            self.note(kind="other")
            return self.refuse(404, "no such path")
        try:
            body = json.loads(raw)
        except ValueError:
            return self.refuse(400, "the body is not JSON")
        self.answer(path, body, len(raw))

    def answer(self, path, body, size):
        in_one_piece = path not in PROTOCOLS or (path in WHOLE and not body.get("stream"))
        read, write = (WHOLE if in_one_piece else PROTOCOLS)[path]
        conversation = read(body)
        self.server.dump(body)
        side = conversation.is_side_request
        turns = self.server.turns
        turn = SIDE_ANSWER if side else turns[conversation.turn] if conversation.turn < len(turns) else END_OF_SCRIPT
        self.note(kind="side" if side else "main", model=body.get("model"), bytes=size, turn=conversation.turn,
                  played=turn, user_messages=conversation.user_messages, answers=conversation.answers,
                  results=conversation.results, tools=sorted(conversation.tools))
        if "error" in turn:
            return self.refuse(turn["error"], turn.get("message", "refused by the script"))
        if in_one_piece:
            return self.send_json(200, write(turn, conversation, body))
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Cache-Control", "no-cache")
        self.send_header("Connection", "close")
        self.end_headers()
        for frame in write(turn, conversation, body):
            self.wfile.write(frame.encode())
        self.wfile.flush()
        self.close_connection = True


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, turns, journal, dump_directory):
        super().__init__(("127.0.0.1", 0), Handler)
        self.turns = turns
        self.journal = journal
        self.dump_directory_ = dump_directory
        self.lock_ = threading.Lock()
        self.requests_ = 0

    def dump(self, body):
        """Counts a request; keeps its body where asked, for a person who adapts this server to a new agent."""
        with self.lock_:
            self.requests_ += 1
            number = self.requests_
        if self.dump_directory_:
            with open(os.path.join(self.dump_directory_, "%04d.json" % number), "w", encoding="utf-8") as file:
                json.dump(body, file, indent=1)
        return number

    def handle_error(self, request, client_address):
        """A client that hangs up in the middle of an answer is normal: agents cancel requests when they end."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)


def load_script(path):
    with open(path, encoding="utf-8") as file:
        script = json.load(file)
    turns = script["turns"] if isinstance(script, dict) else script
    for number, turn in enumerate(turns):
        known = (("tool" in turn and turn["tool"] in ("shell", "write")) or "text" in turn or "error" in turn)
        if not known:
            raise SystemExit("%s: turn %d is none of shell, write, text, error" % (path, number))
    return turns


def main():
    parser = argparse.ArgumentParser(description="A scripted model server on loopback.")
    parser.add_argument("script")
    parser.add_argument("--log", help="JSON lines, one a request")
    parser.add_argument("--dump", help="a directory for the bodies of all requests")
    parser.add_argument("--lifetime", type=float, default=LIFETIME_S, help="seconds after which it ends by itself")
    options = parser.parse_args()

    server = Server(load_script(options.script), Journal(options.log), options.dump)
    over = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: over.set())
    signal.signal(signal.SIGINT, lambda *_: over.set())

    def watch_stdin():
        while sys.stdin.buffer.read(4096):
            pass
        over.set()

    threading.Thread(target=watch_stdin, daemon=True).start()
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.1}, daemon=True).start()
    print(server.server_address[1], flush=True)
    over.wait(options.lifetime)
    server.shutdown()
    server.server_close()
    os._exit(0)  # threads of open connections may still wait for their clients


if __name__ == "__main__":
    main()

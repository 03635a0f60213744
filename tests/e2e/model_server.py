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
import base64
import http.server
import json
import os
import shlex
import signal
import sys
import threading

REQUEST_BYTES_MAX = 32 * 1024 * 1024
LOG_BYTES_MAX = 64 * 1024 * 1024
RESULT_CHARACTERS_MAX = 64 * 1024
SOCKET_TIMEOUT_S = 60
LIFETIME_S = 1800

END_OF_SCRIPT = {"text": "(end of script)"}
# What some agents put into the model's mouth before the conversation begins: no answer of ours.
ACKNOWLEDGEMENT = "Got it. Thanks for the context!"
SIDE_ANSWER = {"text": "scripted conversation"}


# --- What a conversation says, whichever protocol it came in -------------------------------------------------------


class Conversation:
    """A request, read: the tools on offer and how far the conversation has come."""

    def __init__(self, tools, user_messages, results, answers):
        self.tools = tools                  # name -> input schema (or {} where none is given)
        self.user_messages = user_messages  # number of messages written by the user (context blocks included)
        self.results = results              # list of {"id", "text"}
        self.answers = answers              # number of finished answers of the model

    @property
    def turn(self):
        return len(self.results) + self.answers

    @property
    def is_side_request(self):
        """Titles, summaries and quota probes come without any tool that could act."""
        return shell_tool(self.tools) is None


def shell_tool(tools):
    for name in ("Bash", "bash", "exec_command", "shell_command", "run_shell_command", "shell", "local_shell",
                 "container.exec", "exec", "Execute"):
        if name in tools:
            return name
    return None


def text_of(content):
    """The text in a content field: a string, or a list of blocks that may nest."""
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if isinstance(content, dict):
        return text_of(content.get("text", content.get("content", content.get("output"))))
    return "".join(text_of(block) for block in content)


def result(identifier, content):
    return {"id": identifier, "text": text_of(content)[:RESULT_CHARACTERS_MAX]}


def read_messages(body):
    """Anthropic Messages: tool results are blocks inside user messages."""
    results, user_messages, answers = [], 0, 0
    for message in body.get("messages", []):
        content = message.get("content")
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else (content or [])
        kinds = [block.get("type") for block in blocks]
        if message.get("role") == "user":
            results += [result(block.get("tool_use_id"), block.get("content"))
                        for block in blocks if block.get("type") == "tool_result"]
            user_messages += "tool_result" not in kinds
        elif message.get("role") == "assistant":
            answers += "text" in kinds and "tool_use" not in kinds
    tools = {tool["name"]: tool.get("input_schema", {}) for tool in body.get("tools", []) if "name" in tool}
    return Conversation(tools, user_messages, results, answers)


def read_responses(body):
    """OpenAI Responses: a flat list of items."""
    results, user_messages, answers = [], 0, 0
    items = body.get("input", [])
    if isinstance(items, str):
        items = [{"type": "message", "role": "user", "content": items}]
    for item in items:
        kind, role = item.get("type", "message"), item.get("role")
        if kind in ("function_call_output", "custom_tool_call_output", "local_shell_call_output"):
            results.append(result(item.get("call_id"), item.get("output")))
        elif kind == "message" and role == "user":
            user_messages += 1
        elif kind == "message" and role == "assistant":
            answers += 1
    offered = list(body.get("tools", []))
    for item in items:
        offered += item.get("tools", []) if item.get("type") == "additional_tools" else []
    tools = {}
    for tool, namespace in with_namespace(offered):
        schema = dict(tool.get("parameters") or {})
        schema.update(free_form=tool.get("type") == "custom", namespace=namespace)
        tools[tool.get("name") or tool.get("type")] = schema
    return Conversation(tools, user_messages, results, answers)


def with_namespace(offered):
    """Tools may come in named groups; a call has to repeat the name of the group."""
    for tool in offered:
        if tool.get("type") == "namespace":
            for inner in tool.get("tools", []):
                yield inner, tool.get("name")
        else:
            yield tool, None


def read_chat(body):
    """OpenAI chat completions: tool results are messages of their own role."""
    results, user_messages, answers = [], 0, 0
    for message in body.get("messages", []):
        role = message.get("role")
        if role == "tool":
            results.append(result(message.get("tool_call_id"), message.get("content")))
        elif role == "user":
            user_messages += 1
        elif role == "assistant" and not message.get("tool_calls"):
            answers += text_of(message.get("content")) != ACKNOWLEDGEMENT
    functions = [tool["function"] for tool in body.get("tools", []) if "function" in tool]
    tools = {function["name"]: function.get("parameters", {}) for function in functions}
    return Conversation(tools, user_messages, results, answers)


def read_gemini(body):
    """Gemini generateContent: results are functionResponse parts of the user's."""
    results, user_messages, answers = [], 0, 0
    for content in body.get("contents", []):
        parts = content.get("parts") or []
        responses = [part["functionResponse"] for part in parts if "functionResponse" in part]
        results += [result(response.get("id") or response.get("name"), response.get("response")) for response in responses]
        if content.get("role") == "model":
            answers += not any("functionCall" in part for part in parts) and text_of(parts) != ACKNOWLEDGEMENT
        else:
            user_messages += not responses
    declared = [one for tool in body.get("tools") or [] for one in tool.get("functionDeclarations") or []]
    tools = {one["name"]: one.get("parametersJsonSchema") or one.get("parameters") or {} for one in declared}
    return Conversation(tools, user_messages, results, answers)


# --- From an abstract turn to a call of the agent's own tool --------------------------------------------------------


def call_for(turn, tools):
    """(tool name, arguments) in the words of this agent. A dict of arguments, or a string for a free-form tool."""
    if turn["tool"] == "write":
        if "Write" in tools:
            return "Write", {"file_path": turn["path"], "content": turn["content"]}
        if "write" in tools:
            return "write", {"filePath": turn["path"], "content": turn["content"]}
        if "write_file" in tools and "file_path" in tools["write_file"].get("properties", {}):
            return "write_file", {"file_path": turn["path"], "content": turn["content"]}
        if "create" in tools:
            return "create", {"path": turn["path"], "file_text": turn["content"]}
        if "Create" in tools:
            return "Create", {"file_path": turn["path"], "content": turn["content"]}
        if tools.get("exec", {}).get("free_form"):
            return "exec", "text(await tools.apply_patch(%s));" % json.dumps(patch_that_adds(turn))
        encoded = base64.b64encode(turn["content"].encode()).decode()
        turn = {"command": "echo %s | base64 -d > %s" % (encoded, shlex.quote(turn["path"]))}

    command = turn["command"]
    name = shell_tool(tools)
    properties = tools[name].get("properties", {})
    if tools[name].get("free_form"):
        # The tool takes a program that calls the real tools. Anything but plain output is the agent's own framing.
        return name, ("const r = await tools.exec_command({cmd: %s, yield_time_ms: 30000});\n"
                      "text(r.output + '\\n[exit code ' + r.exit_code + ']');" % json.dumps(command))
    if "cmd" in properties:
        return name, {"cmd": command}
    if properties.get("command", {}).get("type") == "array":
        return name, {"command": ["bash", "-c", command]}
    arguments = {"command": command}
    for given, value in (("description", "A step of the script"), ("summary", "A step of the script"),
                         ("is_background", False), ("riskLevel", "low"), ("riskLevelReason", "It is a test")):
        if given in properties:
            arguments[given] = value
    return name, arguments


def patch_that_adds(turn):
    lines = "".join("+%s\n" % line for line in turn["content"].splitlines())
    return "*** Begin Patch\n*** Add File: %s\n%s*** End Patch\n" % (turn["path"], lines)


# --- Streaming answers ----------------------------------------------------------------------------------------------
# Identifiers carry the number of the turn, so they stay unique within a conversation however many servers it met.


def events_messages(turn, conversation, body):
    yield "message_start", {"message": {
        "id": "msg_%04d" % conversation.turn, "type": "message", "role": "assistant",
        "model": body.get("model", "scripted"), "content": [], "stop_reason": None, "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1}}}
    if "tool" in turn:
        name, arguments = call_for(turn, conversation.tools)
        yield "content_block_start", {"index": 0, "content_block": {
            "type": "tool_use", "id": "toolu_%04d" % conversation.turn, "name": name, "input": {}}}
        yield "content_block_delta", {"index": 0, "delta": {
            "type": "input_json_delta", "partial_json": json.dumps(arguments)}}
    else:
        yield "content_block_start", {"index": 0, "content_block": {"type": "text", "text": ""}}
        yield "content_block_delta", {"index": 0, "delta": {"type": "text_delta", "text": turn["text"]}}
    yield "content_block_stop", {"index": 0}
    yield "message_delta", {
        "delta": {"stop_reason": "tool_use" if "tool" in turn else "end_turn", "stop_sequence": None},
        "usage": {"output_tokens": 1}}
    yield "message_stop", {}


def events_responses(turn, conversation, body):
    response = {"id": "resp_%04d" % conversation.turn, "object": "response", "status": "in_progress",
                "model": body.get("model", "scripted"), "output": []}
    yield "response.created", {"response": response}
    if "tool" in turn:
        name, arguments = call_for(turn, conversation.tools)
        item = {"id": "item_%04d" % conversation.turn, "call_id": "call_%04d" % conversation.turn, "name": name,
                "status": "completed"}
        if isinstance(arguments, str):
            item.update({"type": "custom_tool_call", "input": arguments})
        else:
            item.update({"type": "function_call", "arguments": json.dumps(arguments)})
        if conversation.tools[name]["namespace"]:
            item["namespace"] = conversation.tools[name]["namespace"]
    else:
        item = {"id": "item_%04d" % conversation.turn, "type": "message", "role": "assistant", "status": "completed",
                "content": [{"type": "output_text", "text": turn["text"], "annotations": []}]}
    yield "response.output_item.added", {"output_index": 0, "item": item}
    if "text" in turn:
        yield "response.output_text.delta", {
            "item_id": item["id"], "output_index": 0, "content_index": 0, "delta": turn["text"]}
    yield "response.output_item.done", {"output_index": 0, "item": item}
    usage = {"input_tokens": 1, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": 1,
             "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 2}
    yield "response.completed", {"response": dict(response, status="completed", output=[item], usage=usage)}


def chunks_chat(turn, conversation, body):
    def chunk(delta, reason=None, **more):
        return dict({"id": "chat_%04d" % conversation.turn, "object": "chat.completion.chunk", "created": 0,
                     "model": body.get("model", "scripted"),
                     "choices": [{"index": 0, "delta": delta, "finish_reason": reason}]}, **more)

    if "tool" in turn:
        name, arguments = call_for(turn, conversation.tools)
        yield chunk({"role": "assistant", "content": None, "tool_calls": [{
            "index": 0, "id": "call_%04d" % conversation.turn, "type": "function",
            "function": {"name": name, "arguments": json.dumps(arguments)}}]})
    else:
        yield chunk({"role": "assistant", "content": turn["text"]})
    yield chunk({}, "tool_calls" if "tool" in turn else "stop",
                usage={"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2})


def whole_chat(turn, conversation, body):
    """A side request that does not stream."""
    return {"id": "chat_%04d" % conversation.turn, "object": "chat.completion", "created": 0,
            "model": body.get("model", "scripted"),
            "choices": [{"index": 0, "finish_reason": "stop",
                         "message": {"role": "assistant", "content": turn["text"]}}],
            "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}}


def whole_gemini(turn, conversation, body):
    if "tool" in turn:
        name, arguments = call_for(turn, conversation.tools)
        part = {"functionCall": {"id": "call_%04d" % conversation.turn, "name": name, "args": arguments}}
    else:
        part = {"text": turn["text"]}
    return {"candidates": [{"index": 0, "finishReason": "STOP", "content": {"role": "model", "parts": [part]}}],
            "usageMetadata": {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2},
            "modelVersion": "scripted", "responseId": "resp_%04d" % conversation.turn}


def frames_gemini(*arguments):
    yield "data: %s\n\n" % json.dumps(whole_gemini(*arguments))


def frames_messages(*arguments):
    for name, data in events_messages(*arguments):
        yield "event: %s\ndata: %s\n\n" % (name, json.dumps(dict(data, type=name)))


def frames_responses(*arguments):
    for number, (name, data) in enumerate(events_responses(*arguments)):
        yield "event: %s\ndata: %s\n\n" % (name, json.dumps(dict(data, type=name, sequence_number=number)))


def frames_chat(*arguments):
    for chunk in chunks_chat(*arguments):
        yield "data: %s\n\n" % json.dumps(chunk)
    yield "data: [DONE]\n\n"


PROTOCOLS = {
    "/v1/messages": (read_messages, frames_messages),
    "/v1/responses": (read_responses, frames_responses),
    "/v1/chat/completions": (read_chat, frames_chat),
    ":streamGenerateContent": (read_gemini, frames_gemini),
}
# Only ever for a side request: an agent's own turns are streamed.
WHOLE = {"/v1/chat/completions": (read_chat, whole_chat), ":generateContent": (read_gemini, whole_gemini)}


def protocol_of(path):
    """Gemini's path ends in the method behind the name of the model."""
    return ":" + path.rsplit(":", 1)[1] if path.startswith("/v1beta/models/") and ":" in path else path


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

"""The protocols of the scripted model: what a request says about its conversation, and a turn of the script as an answer in
the words of the agent that asks. Pure: model_server.py does the talking.
"""

import base64
import json
import shlex

RESULT_CHARACTERS_MAX = 64 * 1024
# What some agents put into the model's mouth before the conversation begins: no answer of ours.
ACKNOWLEDGEMENT = "Got it. Thanks for the context!"


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

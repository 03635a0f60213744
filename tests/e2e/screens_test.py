#!/usr/bin/env python3
"""The full-screen programs of the real agents in a terminal: the first start comes up without a question, an answer of
the model is on the screen, and the terminal is as before when it has ended.

    screens_test.py --paddock PATH [--agents DIRECTORY] [--agent NAME]... [--identity root|ordinary|both]
"""

import argparse
import os
import shutil
import subprocess
import sys
import time

import agents

START_TIMEOUT_S = 90

# What stands on the screen when it takes a prompt, and how it is left.
READY = {"claude": ("bypass permissions on",), "codex": ("YOLO mode", "context left", "gpt-"), "opencode": ("Ask anything",)}
LEAVE = {"claude": ("C-c", "C-c"), "codex": ("C-c", "C-c"), "opencode": ("C-c", "C-c")}
# Of dialogs that a first start may show.
QUESTIONS = ("trust this folder", "trust the files", "Choose the text style", "Select login method", "Sign in with",
             "Bypass Permissions mode", "Do you trust", "API key found", "Detected a custom API key")


class Screen:
    """A tmux server of its own with one window, which belongs to the identity."""

    def __init__(self, identity, home, project, environment):
        self.identity, self.socket = identity, os.path.join(home, "tmux")
        self.environment = environment
        self.tmux("new-session", "-d", "-x", "110", "-y", "36", "-c", project, "env PS1='PROMPT> ' sh")

    def tmux(self, *words):
        return self.identity.run(["tmux", "-S", self.socket, "-f", "/dev/null", *words], os.path.dirname(self.socket), "/",
                                 {**self.environment, "TERM": "xterm-256color"}).stdout

    def text(self):
        return self.tmux("capture-pane", "-p")

    def keys(self, *keys):
        self.tmux("send-keys", *keys)

    def line(self, text):
        self.tmux("send-keys", "-l", text)
        time.sleep(0.3)
        self.keys("Enter")

    def wait(self, holds, timeout):
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            text = self.text()
            if holds(text):
                return True, text
            time.sleep(0.5)
        return False, self.text()

    def close(self):
        self.tmux("kill-server")


def scenario(agent, identity, base, home, paddock, report):
    project = os.path.join(home, "project")
    made = identity.run(["sh", "-c", agents.SETUP], home, home, {"KEY_CANARY": "k", "OTHER_CANARY": "o"})
    if made.returncode != 0:
        raise RuntimeError(made.stderr)
    with agents.model([agents.shell("echo on-the-$(echo disk) > made.txt"), {"text": "ALL-" + "STEPS-DONE"}], base, "screen") as (port, _):
        agent.set_up(port, home, identity)
        screen = Screen(identity, home, project, agent.environment(port))
        try:
            before = None
            screen.line("stty -a > %s/stty-before" % home)
            words = [paddock, "run", agent.name, *agent.options(port)]
            screen.line(" ".join(agents.quoted(word) for word in words))
            ready = lambda text: any(mark in text for mark in READY[agent.name])
            asked = lambda text: any(question in text for question in QUESTIONS)
            came, text = screen.wait(lambda text: ready(text) or asked(text), START_TIMEOUT_S)
            report.check(came and not asked(text), "the first start comes up without a question", text)
            if not came or asked(text):
                return
            time.sleep(2)
            screen.line("Do the step.")
            done, text = screen.wait(lambda text: "ALL-STEPS-DONE" in text, START_TIMEOUT_S)
            report.check(done, "an answer is on the screen", text)
            report.check(agents.text_or_none(project + "/made.txt") == "on-the-disk\n", "its work is on disk")
            for key in LEAVE[agent.name]:
                screen.keys(key)
                time.sleep(0.4)
            left, text = screen.wait(lambda text: text.rstrip().endswith("PROMPT>"), 30)
            if not left:
                screen.keys("C-d")
                left, text = screen.wait(lambda text: text.rstrip().endswith("PROMPT>"), 20)
            report.check(left, "it can be left", text)
            screen.line("echo LEFT-$?; stty -a > %s/stty-after" % home)
            screen.wait(lambda text: os.path.exists(home + "/stty-after"), 10)
            before, after = (agents.text_or_none(home + "/stty-" + when) for when in ("before", "after"))
            report.check(before == after, "the terminal's settings are as before", "%s\n%s" % (before, after))
            flags = screen.tmux("display-message", "-p", "#{alternate_on}#{mouse_any_flag}#{cursor_flag}#{keypad_cursor_flag}")
            report.check(flags.strip() == "0010", "no mode of the screen is left on", flags)
        finally:
            screen.close()


def main():
    parser = argparse.ArgumentParser(description="The agents' screens.")
    parser.add_argument("--paddock", required=True)
    parser.add_argument("--agents", default=agents.default_agents_directory())
    parser.add_argument("--agent", action="append", choices=sorted(READY))
    parser.add_argument("--identity", choices=["root", "ordinary", "both"], default="ordinary")
    options = parser.parse_args()
    if not shutil.which("tmux"):
        raise agents.Skip("tmux is not installed")
    return agents.each(options, os.path.abspath(options.paddock), scenario, sorted(READY))


if __name__ == "__main__":
    try:
        sys.exit(main())
    except agents.Skip as reason:
        print("skip: %s" % reason)
        sys.exit(agents.SKIPPED)

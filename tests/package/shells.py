"""What each shell offers at the end of a command line, asked of the real shells."""

import os
import pty
import select
import shutil
import signal
import subprocess
import tempfile
import time

WAIT_S = 60


class Shell:
    """`directory` holds the program `paddock`; `script` is what `paddock completion NAME` printed."""

    def __init__(self, script, directory, home):
        self.script, self.home = script, home
        self.environment = {"PATH": directory + ":/usr/local/bin:/usr/bin:/bin", "HOME": home, "TERM": "dumb", "LANG": "C.UTF-8"}

    def close(self):
        pass

    def execute(self, argv, **how):
        return subprocess.run(argv, env=self.environment, cwd=self.home, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=WAIT_S, text=True, errors="replace", **how).stdout


class Bash(Shell):
    name = "bash"

    # What readline does: words, with "=" one of its own, then the function; files are its own answer to nothing.
    ASK = r"""
source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
compopt() { options="$options $*"; }
_paddock
printf '%s\n' "${COMPREPLY[@]}"
case $options in
  *"-o dirnames"*) compgen -d -- "${COMP_WORDS[COMP_CWORD]}" ;;
  *"+o default"*) ;;
  *) compgen -f -- "${COMP_WORDS[COMP_CWORD]}" ;;
esac
"""

    def offers(self, line):
        words = []
        for word in line.split(" "):
            if word.startswith("--") and "=" in word:
                flag, _, value = word.partition("=")
                words += [flag, "="] + ([value] if value else [])
            else:
                words.append(word)
        return set(self.execute(["bash", "--norc", "-c", self.ASK, "bash", self.script, *words]).split("\n")) - {""}


class Fish(Shell):
    name = "fish"

    def offers(self, line):
        said = self.execute(["fish", "--no-config", "-c", "source $argv[1]; complete -C $argv[2]", self.script, line])
        word = line.split(" ")[-1]
        before = word.partition("=")[0] + "=" if word.startswith("--") and "=" in word else ""
        return {offer.split("\t")[0].removeprefix(before) for offer in said.splitlines()} - {""}


class Typing(Shell):
    """A program under a terminal, typed to."""

    def __init__(self, argv, directory, home, more=None):
        super().__init__(None, directory, home)
        self.seen = ""
        self.pid, self.master = pty.fork()
        if self.pid == 0:
            try:
                os.chdir(home)
                os.execvpe(argv[0], argv, {**self.environment, **(more or {})})
            finally:
                os._exit(127)

    def type(self, what):
        os.write(self.master, what.encode())

    def read(self):
        if select.select([self.master], [], [], 0.02)[0]:
            self.seen += os.read(self.master, 65536).decode(errors="replace")

    def expect(self, text):
        until = time.monotonic() + WAIT_S
        while text not in self.seen and time.monotonic() < until:
            self.read()
        return text in self.seen

    def close(self):
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.master)


class Zsh(Shell):
    """One interactive zsh under a terminal; compadd writes what would be listed into a file."""

    name = "zsh"
    SETUP = r"""
fpath=($FUNCTIONS $fpath)
autoload -Uz compinit && compinit -u -D
compadd() {
  if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then builtin compadd "$@"; return $?; fi
  local -a hits
  builtin compadd -A hits "$@"
  (( $#hits )) && print -rl -- $hits >> $OFFERS
  builtin compadd "$@"
}
asked() { zle expand-or-complete; print -r -- END >> $OFFERS }
zle -N asked
bindkey '^I' asked
bindkey '^U' kill-whole-line
setopt no_beep no_auto_menu no_list_ambiguous
LISTMAX=100000
PS1=
print -r -- UP >> $OFFERS
"""

    def __init__(self, script, directory, home):
        super().__init__(script, directory, home)
        self.place = tempfile.mkdtemp(prefix="zsh-", dir=home)
        shutil.copy(script, os.path.join(self.place, "_paddock"))
        self.file = os.path.join(self.place, "offers")
        open(self.file, "w").close()
        setup = os.path.join(self.place, "setup")
        with open(setup, "w") as out:
            out.write(self.SETUP)
        self.typing = Typing(["zsh", "-f", "-i"], directory, home, {"FUNCTIONS": self.place, "OFFERS": self.file})
        self.typing.type("source %s\n" % setup)
        self.wait_for("UP")

    def wait_for(self, mark):
        until = time.monotonic() + WAIT_S
        while time.monotonic() < until:
            self.typing.read()
            lines = open(self.file, errors="replace").read().splitlines()
            if lines and lines[-1] == mark:
                return lines
        raise TimeoutError("zsh did not answer: %r" % self.typing.seen[-500:])

    def offers(self, line):
        open(self.file, "w").close()
        self.typing.type(line + "\t")
        lines = self.wait_for("END")
        self.typing.type("\x15")
        return {offer.removesuffix("=") for offer in lines} - {"END", ""}

    def close(self):
        self.typing.close()
        shutil.rmtree(self.place)


SHELLS = {shell.name: shell for shell in (Bash, Zsh, Fish)}

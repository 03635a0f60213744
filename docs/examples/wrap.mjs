#!/usr/bin/env node
// A harness's seam to `paddock wrap`, and a small program around it: runs one command confined and says how it ended.
//
//   wrap.mjs [--mode read-only|workspace-write|unrestricted] [--network all|none|local] [--mask PATH]... COMMAND [ARGS...]
import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const PADDOCK = process.env.PADDOCK ?? "paddock";

// Nothing may run: `kind` is invalid, unsupported, forbidden or failed.
export class Refused extends Error {
  constructor(error) {
    const reasons = error.backends.flatMap((backend) => backend.reasons.map((reason) => `${backend.name}: ${reason.why}`));
    super([error.message, ...reasons, ...error.breaches].join("\n  "));
    this.kind = error.kind;
    this.error = error;
  }
}

// Runs a program to its end with `input` on stdin.
function finish(argv, input) {
  return new Promise((done, failed) => {
    const child = spawn(argv[0], argv.slice(1), { stdio: ["pipe", "pipe", "pipe"] });
    const out = [], err = [];
    child.stdout.on("data", (data) => out.push(data));
    child.stderr.on("data", (data) => err.push(data));
    child.on("error", failed);
    child.on("close", (code, signal) => done({ code, signal, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() }));
    child.stdin.on("error", () => {}); // it may end without reading
    child.stdin.end(input);
  });
}

// The reply: start reply.argv wherever the command would have been started. Throws Refused; there is no other way out.
export async function wrap({ command, cwd, workspace_root, mode = "workspace-write", network = "none", ...more }) {
  const request = { command, cwd, workspace_root, mode, network, ...more };
  const { code, stdout, stderr } = await finish([PADDOCK, "wrap"], JSON.stringify(request));
  let reply;
  try {
    reply = JSON.parse(stdout);
  } catch {
    throw new Error(`${PADDOCK} wrap: exit ${code}: ${stderr.trim()}`);
  }
  if (reply.error !== null) throw new Refused(reply.error);
  return reply;
}

// paddock failed, and the command never ran. The exit code alone does not prove that: a command may exit 125 too.
export function didNotRun(reply, code, stderr) {
  const { exit_codes, stderr_line_begins_with } = reply.runner_failure;
  return exit_codes.includes(code) && stderr.split("\n").some((line) => line.startsWith(stderr_line_begins_with));
}

// What the output says of actions that were refused. A hint for the user, never a proof: the command writes it.
export function denials(reply, stderr) {
  return reply.denial_signatures.filter((signature) => stderr.includes(signature.text));
}

async function main(words) {
  const options = { mode: "workspace-write", network: "none", mask: [] };
  while (words[0]?.startsWith("--")) {
    const name = words.shift().slice(2);
    if (name === "mask") options.mask.push(resolve(words.shift()));
    else options[name] = words.shift();
  }
  const here = process.cwd();
  let reply;
  try {
    reply = await wrap({ command: words, cwd: here, workspace_root: here, mode: options.mode, network: options.network, mask_paths: options.mask });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    console.error(`refused (${error.kind}): ${error.message}`);
    return 3;
  }
  const { code, signal, stdout, stderr } = await finish(reply.argv, "");
  process.stdout.write(stdout);
  process.stderr.write(stderr);
  if (didNotRun(reply, code, stderr)) {
    console.error("did not run");
    return 4;
  }
  for (const denial of code === 0 ? [] : denials(reply, stderr)) console.error(`denied: ${denial.of} (${denial.errno})`);
  return signal === null ? code : 1;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) process.exitCode = await main(process.argv.slice(2));

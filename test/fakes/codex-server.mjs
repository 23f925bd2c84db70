// Stands in for `codex app-server` as far as a bridge sees it: a program with that word among its arguments that runs the
// bridge as its child. `node queue …`, run in this folder, is its `codex queue`. Lines go through unchanged.
// Usage: node codex-server.mjs app-server COMMAND [ARG …]
// It holds the files of threads open that the folder `threads` names, as codex does from the first turn of each.
import { spawn } from "node:child_process";
import { existsSync, openSync, readdirSync } from "node:fs";

if (existsSync("threads")) for (const name of readdirSync("threads")) openSync(`threads/${name}`, "a");

const [command = "", ...args] = process.argv.slice(3);
const bridge = spawn(command, args, { stdio: ["pipe", "inherit", "inherit"] });
process.stdin.pipe(bridge.stdin);
bridge.on("close", (code) => process.exit(code ?? 1));

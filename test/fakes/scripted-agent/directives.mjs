// What a scripted agent does is written in its prompt, as `!word argument`, several one after the other if need be.
import { spawn } from "node:child_process";
import { appendFileSync, closeSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * How the agent's guise (ACP, a headless CLI, a screen) does each thing.
 * @typedef {object} Voice
 * @property {(text: string) => void | Promise<void>} say
 * @property {(text: string) => void | Promise<void>} think
 * @property {() => Promise<string>} askPermission  what was answered
 * @property {(name: string, input: unknown) => Promise<string>} callTool  a tool of its MCP server
 * @property {Record<string, (argument: string) => unknown>} own  directives that only this guise knows
 * @property {readonly string[]} history  earlier prompts of the session
 * @property {AbortSignal} cancelled
 */

/** @param {string} prompt @param {Voice} voice */
export async function obey(prompt, voice) {
  for (const [, word = "", argument = ""] of prompt.matchAll(/!([a-z-]+) ?([^!\n]*)/g)) {
    if (voice.cancelled.aborted) return;
    await obeyOne(word, argument.trim(), voice);
  }
}

/**
 * What a script says for a prompt, as `[word, argument]` one after the other: of the keys the first that the prompt has.
 * @param {Record<string, [string, string?][]>} script @param {string} prompt @param {Voice} voice
 */
export async function perform(script, prompt, voice) {
  const [, acts] = Object.entries(script).find(([key]) => prompt.includes(key)) ?? [];
  if (acts === undefined) return obey(prompt, voice);
  for (const [word, argument = ""] of acts) {
    if (voice.cancelled.aborted) return;
    await obeyOne(word, argument, voice);
  }
}

/**
 * The agent's own word that a turn came to its end, where a test reads it: the prompt, as a line of $SCRIPTED_HOME/ended.
 * @param {string} prompt
 */
export function noteEnd(prompt) {
  const home = process.env["SCRIPTED_HOME"];
  if (home !== undefined) appendFileSync(join(home, "ended"), `${JSON.stringify(prompt)}\n`);
}

/** @param {string} word @param {string} argument @param {Voice} voice */
async function obeyOne(word, argument, voice) {
  switch (word) {
    case "say":
      return voice.say(argument);
    case "think":
      return voice.think(argument);
    case "pause":
      return sleep(Number(argument), undefined, { signal: voice.cancelled }).catch(() => {});
    case "repeat": {
      // So many letters, in pieces of 1,000.
      for (let left = Number(argument); left > 0; left -= 1000)
        await voice.say("x".repeat(Math.min(left, 1000)));
      return;
    }
    case "pour":
      // So many pieces of 20,000 letters, about 60 a second.
      for (let left = Number(argument); left > 0 && !voice.cancelled.aborted; left -= 1) {
        await voice.say("x".repeat(20_000));
        await sleep(15);
      }
      return;
    case "stream":
      return stream(Number(argument), voice);
    case "permission":
      return voice.say(`permission: ${await voice.askPermission()}`);
    case "tool": {
      const space = `${argument} `.indexOf(" ");
      const input = /** @type {unknown} */ (JSON.parse(argument.slice(space).trim() || "{}"));
      return voice.say(await voice.callTool(argument.slice(0, space), input));
    }
    case "recall":
      return voice.say(JSON.stringify(voice.history));
    case "environment":
      return voice.say(JSON.stringify(process.env));
    case "exit":
      process.stderr.write("the script says exit\n");
      return process.exit(Number(argument));
    case "gate":
      // Says nothing until this file is there, and does not heed a cancel.
      while (!existsSync(argument)) await sleep(20);
      return;
    case "await":
      // The same, and heeds a cancel.
      while (!existsSync(argument) && !voice.cancelled.aborted) await sleep(20);
      return;
    case "exit-unless":
      if (existsSync(argument)) return;
      process.stderr.write("the script says exit\n");
      return process.exit(1);
    case "hang":
      return new Promise(() => setInterval(() => {}, 1000));
    case "deaf":
      for (const name of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(name, () => {});
      setInterval(() => {}, 1000);
      return;
    case "tidy":
      // Told to end, it takes its time, writes this file and ends.
      for (const name of ["SIGHUP", "SIGTERM"])
        process.on(name, () => {
          setTimeout(() => {
            writeFileSync(argument, "tidied");
            process.exit(0);
          }, 1500);
        });
      setInterval(() => {}, 1000);
      return;
    case "close-input":
      closeSync(0);
      return;
    case "put": {
      // A file below the folder that it works in.
      const space = `${argument} `.indexOf(" ");
      return writeFileSync(
        join(process.cwd(), argument.slice(0, space)),
        `${argument.slice(space).trim()}\n`,
      );
    }
    case "family":
      return voice.say(`family: ${JSON.stringify(await beginFamily())}`);
    default: {
      const own = voice.own[word];
      if (own === undefined) return voice.say(`no directive ${word}`);
      await own(argument);
    }
  }
}

/** @param {number} count @param {Voice} voice */
async function stream(count, voice) {
  for (let tick = 1; tick <= count && !voice.cancelled.aborted; tick += 1) {
    await voice.say(`tick ${tick} `);
    await new Promise((done) => setTimeout(done, 20));
  }
}

const sleeper = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log('up')";

/** Processes that ignore SIGTERM: one of the same group, one in a session of its own. */
async function beginFamily() {
  const pids = [process.pid];
  for (const detached of [false, true]) {
    const child = spawn(process.execPath, ["-e", sleeper], { detached, stdio: ["ignore", "pipe", "ignore"] });
    await new Promise((up) => child.stdout.once("data", up));
    pids.push(child.pid ?? 0);
  }
  return pids;
}

import { spawn } from "node:child_process";
import { HubError } from "../../model/errors.js";
import { ringBell } from "../announce.js";
import type { CliContext } from "../context.js";
import { escapeLine } from "../escape-text.js";
import { EXIT_INTERRUPTED, EXIT_OK } from "../exit-codes.js";
import { stopAfter } from "../stop-after.js";
import { actOnNeed, replySender } from "./act-on-need.js";
import { followHub, readOverview } from "./follow-hub.js";
import { followOutput } from "./follow-output.js";
import type { Key } from "./keys.js";
import { type Effect, pressKey } from "./press-key.js";
import { type Frame, renderFrame } from "./render-frame.js";
import { openTerminal } from "./terminal.js";
import {
  chosenAgent,
  markNeed,
  type Need,
  openTop,
  type TopState,
  takeAgents,
  takeNeeds,
} from "./top-state.js";

/** Ages are told in seconds. */
const TICK_MS = 1000;
/** News that comes faster than this is drawn together. */
const DRAW_MS = 50;

/** The terminal view, from the first frame until the person leaves it. */
export async function runTop(cli: CliContext): Promise<number> {
  const { io, output } = cli;
  // What is wrong with the hub is said before the screen is taken.
  const found = await readOverview(await cli.client());
  const { signal, isTimeUp, end } = stopAfter(cli);
  const over = new AbortController();
  const leave = () => over.abort();
  signal.addEventListener("abort", leave, { once: true });
  if (signal.aborted) leave();

  let state: TopState = openTop(found);
  let code = EXIT_INTERRUPTED;
  let planned: NodeJS.Timeout | undefined;
  const look = () => ({ now: io.now(), colors: output.colors, home: io.home });
  let frame: Frame = renderFrame(state, look(), { columns: 0, rows: 0 });
  const sendReply = replySender();
  const selected = followOutput(cli, (about, text) => change({ ...state, output: { about, text } }));
  const terminal = openTerminal(io, { keys: press, resize: draw });

  function draw(): void {
    clearTimeout(planned);
    planned = undefined;
    frame = renderFrame(state, look(), terminal.size());
    terminal.draw(frame.lines);
    selected.choose(chosenAgent(state));
  }

  function change(next: TopState): void {
    state = next;
    planned ??= setTimeout(draw, DRAW_MS);
  }

  /** All keys of one chunk were pressed in sight of the same frame. */
  function press(keys: readonly Key[]): void {
    const { shown } = frame;
    for (const key of keys) {
      const pressed = pressKey(state, shown, key, io.now());
      state = pressed.state;
      if (pressed.effect !== undefined) perform(pressed.effect);
    }
    draw();
  }

  function perform(effect: Effect): void {
    switch (effect.kind) {
      case "quit":
        code = EXIT_OK;
        leave();
        break;
      case "interrupt":
        leave();
        break;
      case "suspend":
        terminal.suspend();
        break;
      case "redraw":
        terminal.forget();
        break;
      case "attach":
        void attach(effect.agent);
        break;
      case "act": {
        const { need, action } = effect;
        void answer(need, async () => actOnNeed(await cli.client(), need, action));
        break;
      }
      case "reply": {
        const { need, text } = effect;
        void answer(need, async () => sendReply(await cli.client(), need, text), text);
      }
    }
  }

  async function answer(need: Need, act: () => Promise<string>, draft?: string): Promise<void> {
    state = markNeed(state, need.id, "working");
    try {
      const text = await act();
      change({ ...markNeed(state, need.id, "settled"), notice: { tone: "good", text } });
    } catch (error) {
      const failed: TopState = {
        ...markNeed(state, need.id, "open"),
        notice: { tone: "bad", text: sayWhy(error) },
      };
      change(draft === undefined ? failed : { ...failed, drafts: { ...failed.drafts, [need.id]: draft } });
    }
  }

  async function attach(agent: string): Promise<void> {
    const attached = await terminal.lend(() => runProgram([...io.self, "attach", agent], io.env));
    if (attached.code !== 0)
      state = {
        ...state,
        notice: { tone: "bad", text: attached.said || `huddle attach ended with ${attached.code}` },
      };
    terminal.forget();
    draw();
  }

  const tick = setInterval(draw, TICK_MS);
  try {
    draw();
    await followHub(
      cli,
      {
        agents: (rows) => change(takeAgents(state, rows)),
        traffic: (traffic) => change({ ...state, traffic }),
        needs(items) {
          const isNew = items.some(({ id }) => !state.needs.some(({ need }) => need.id === id));
          change(takeNeeds(state, items));
          if (isNew) ringBell(cli);
        },
        link({ kind }) {
          if (kind === "live") {
            if (state.link.kind === "away") selected.again();
            change({ ...state, link: { kind: "live" } });
          } else if (state.link.kind !== "away")
            change({ ...state, link: { kind: "away", since: io.now() } });
        },
      },
      over.signal,
    );
  } finally {
    clearInterval(tick);
    clearTimeout(planned);
    selected.stop();
    terminal.close();
    signal.removeEventListener("abort", leave);
    end();
  }
  return isTimeUp() ? EXIT_OK : code;
}

function sayWhy(error: unknown): string {
  if (error instanceof HubError) {
    const { hint } = error.details;
    return escapeLine(typeof hint === "string" ? `${error.message}. ${hint}` : error.message);
  }
  return escapeLine(error instanceof Error ? error.message : String(error));
}

/** A program that has the terminal until it ends; what it said when it failed is said on our screen. */
function runProgram(
  [program = "", ...args]: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<{ code: number; said: string }> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: ["inherit", "inherit", "pipe"], env: { ...env } });
    let said = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      said = (said + text).slice(-1000);
    });
    child.once("error", (error) => resolve({ code: 1, said: escapeLine(error.message) }));
    child.once("close", (code) => resolve({ code: code ?? 1, said: escapeLine(said.split("\n")[0] ?? "") }));
  });
}

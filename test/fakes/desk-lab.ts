import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Browser,
  type BrowserContext,
  type ConsoleMessage,
  chromium,
  type Page,
  type Request,
  type WebSocket,
} from "playwright-core";
import { onTestFinished, vi } from "vitest";
import { type DeskPlace, deskLink, loginLink } from "../../src/model/desk-link.js";
import { findChromium } from "./find-chromium.js";
import type { HubProcess } from "./hub-process.js";
import { PATIENCE_MS } from "./patience.js";

/*
 * The desk of a real hub in a real Chromium: one browser for each process of tests, as files of a lane share processes. A desk has a context
 * (storage, tabs) for itself. When its test is over the context is emptied and serves the next desk, as a new one and its first page cost more
 * than most tests. A test fails at its end if the page had problems that it did not expect.
 */

type DeskOptions = {
  /** Where it opens; the beginning unless given. */
  place?: DeskPlace;
  /** Logged in by a code, as `huddle ui` does it; false: as somebody who typed the address. */
  login?: boolean;
  theme?: "dark" | "light";
  width?: number;
  height?: number;
  /** A further tab of this one's browser. */
  beside?: Desk;
};

type Desk = {
  hub: HubProcess;
  page: Page;
  context: BrowserContext;
  /** Errors in the console, failures of scripts, what the policy forbade, requests to other origins. */
  problems: string[];
  /** With which a desk can be opened once. */
  newCode(): Promise<string>;
  /** Problems like this one are part of the test. */
  expectProblem(pattern: RegExp): void;
  /** Into the folder that HUDDLE_SHOTS names; without one, nothing. */
  shoot(name: string): Promise<void>;
};

type DeskLab = {
  openDesk(hub: HubProcess, options?: DeskOptions): Promise<Desk>;
  /** Closes the browser now, for a file whose lane has no other use for it. */
  clear(): Promise<void>;
};

/** Of a laptop's window. */
const WIDTH = 1280;
const HEIGHT = 800;

/*
 * There is no GPU, and to pretend one costs a process. A renderer that stays for the next desk knows the scripts of the page already: a desk
 * that is opened costs 0.6 s of CPU in place of 1.0.
 */
const FLAGS = [
  "--disable-gpu",
  "--renderer-process-limit=1",
  "--disable-site-isolation-trials",
  "--num-raster-threads=1",
];

let browser: Promise<Browser> | undefined;
let home: string | undefined;
const free: Page[] = [];

function launchBrowser(): Promise<Browser> {
  // Chromium leaves files in the home of whoever runs it.
  home = mkdtempSync(join(tmpdir(), "desk-"));
  atEndOfProcess(closeBrowser);
  const { PATH = "", TMPDIR = tmpdir() } = process.env;
  return chromium.launch({
    executablePath: findChromium(),
    chromiumSandbox: false,
    args: FLAGS,
    env: { PATH, TMPDIR, HOME: home },
    timeout: 2 * PATIENCE_MS,
  });
}

async function closeBrowser(): Promise<void> {
  await (await browser)?.close();
  browser = undefined;
  free.length = 0;
  if (home !== undefined) rmSync(home, { recursive: true, force: true });
}

/** Vitest has no hook for the end of a process that several files share, except the one that its own environments use. */
function atEndOfProcess(close: () => Promise<void>): void {
  const { __vitest_worker__: worker } = globalThis as unknown as {
    __vitest_worker__: { onCleanup(listener: () => Promise<void>): void };
  };
  worker.onCleanup(close);
}

async function openPage(): Promise<Page> {
  browser ??= launchBrowser();
  const context = await (await browser).newContext();
  context.setDefaultTimeout(PATIENCE_MS);
  return context.newPage();
}

export function createDeskLab(): DeskLab {
  /** Of a context that nobody else has, until the test is over. */
  async function takePage({ theme = "dark", width = WIDTH, height = HEIGHT }: DeskOptions): Promise<Page> {
    const page = free.pop() ?? (await openPage());
    onTestFinished(async () => {
      if (await isEmptied(page)) free.push(page);
      else await page.context().close();
    });
    await page.setViewportSize({ width, height });
    // Nothing that moves has to be waited for.
    await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
    return page;
  }

  return {
    async openDesk(hub, options = {}) {
      const { place, login = true, beside } = options;
      const page = beside === undefined ? await takePage(options) : await beside.context.newPage();
      const context = page.context();
      const problems: string[] = [];
      const expected: RegExp[] = [];
      const unwatch = watchPage(page, hub.url, problems);
      // Run before the page is emptied: the last in is the first out.
      onTestFinished(() => {
        unwatch();
        const left = problems.filter((problem) => !expected.some((pattern) => pattern.test(problem)));
        if (left.length > 0) throw new Error(`The page had problems:\n${left.join("\n")}`);
      });
      if (login) {
        await page.goto(loginLink(hub.url, await newCode(hub), place));
        // The desk takes the code out of its address when it has its token.
        await page.waitForURL((url) => !url.hash.includes("code="));
        // Asked from outside: what waits inside of a page uses eval, which its policy refuses.
        await vi.waitUntil(() => page.evaluate<boolean>("sessionStorage.length > 0"), {
          timeout: PATIENCE_MS,
        });
      } else {
        await page.goto(place === undefined ? hub.url : deskLink(hub.url, place));
      }
      return {
        hub,
        page,
        context,
        problems,
        newCode: () => newCode(hub),
        expectProblem: (pattern) => void expected.push(pattern),
        async shoot(name) {
          const folder = process.env["HUDDLE_SHOTS"];
          if (folder === undefined) return;
          mkdirSync(folder, { recursive: true });
          await page.screenshot({ path: join(folder, `${name}.png`) });
        },
      };
    },
    clear: closeBrowser,
  };
}

async function newCode(hub: HubProcess): Promise<string> {
  const { json } = await hub.http.call("POST", "/auth/code", { token: hub.operator });
  return String(json["code"]);
}

/** Whether nothing is left of a desk: neither other tabs, nor what it stored, nor what the test changed of it. */
async function isEmptied(page: Page): Promise<boolean> {
  const context = page.context();
  try {
    const others = context.pages().filter((one) => one !== page);
    await Promise.all(others.map((one) => one.close()));
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await page.evaluate("localStorage.clear(), sessionStorage.clear()");
    await page.goto("about:blank");
    await context.clearCookies();
    await context.clearPermissions();
    return true;
  } catch {
    // It crashed, or was closed.
    return false;
  }
}

/** An agent may leave between an event about it and the question that the page then asks about it: the page takes 410 for that. */
function asksForWhoLeft(text: string, where: string): boolean {
  return text.includes("410 (Gone)") && /^\/api\/agents\/[^/]+(\/\w+)?$/.test(new URL(where).pathname);
}

/** What Chromium forbids by the policy is an error in the console, too. */
function watchPage(page: Page, url: string, problems: string[]): () => void {
  const own = new URL(url).host;
  const onConsole = (message: ConsoleMessage) => {
    if (message.type() !== "error") return;
    const { url: where, lineNumber } = message.location();
    if (asksForWhoLeft(message.text(), where)) return;
    problems.push(`console: ${message.text()} (${where}:${lineNumber})`);
  };
  const onError = (error: Error) => problems.push(`script: ${error.stack ?? error.message}`);
  const onCrash = () => problems.push("the page crashed");
  const onRequest = (request: Request) => {
    const { protocol, host } = new URL(request.url());
    if (host !== own && protocol !== "data:" && protocol !== "blob:")
      problems.push(`request to another origin: ${request.url()}`);
  };
  const onSocket = (socket: WebSocket) => {
    if (new URL(socket.url()).host !== own) problems.push(`socket to another origin: ${socket.url()}`);
  };
  page.on("console", onConsole).on("pageerror", onError).on("crash", onCrash);
  page.on("request", onRequest).on("websocket", onSocket);
  return () => {
    page.off("console", onConsole).off("pageerror", onError).off("crash", onCrash);
    page.off("request", onRequest).off("websocket", onSocket);
  };
}

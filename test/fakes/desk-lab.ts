import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { onTestFinished, vi } from "vitest";
import { type DeskPlace, deskLink, loginLink } from "../../src/model/desk-link.js";
import { findChromium } from "./find-chromium.js";
import type { HubProcess } from "./hub-process.js";

/*
 * The desk of a real hub in a real Chromium: one browser for each test file, a new context (its own storage, its own tabs) for
 * each desk. A test fails at its end if the page had problems that it did not expect.
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
  clear(): Promise<void>;
};

/** Of a laptop's window. */
const WIDTH = 1280;
const HEIGHT = 800;

export function createDeskLab(): DeskLab {
  let browser: Promise<Browser> | undefined;
  let home: string | undefined;

  /** Chromium leaves files in the home of whoever runs it. */
  function launch(): Promise<Browser> {
    home = mkdtempSync(join(tmpdir(), "desk-"));
    const { PATH = "", TMPDIR = tmpdir() } = process.env;
    return chromium.launch({
      executablePath: findChromium(),
      chromiumSandbox: false,
      env: { PATH, TMPDIR, HOME: home },
    });
  }

  async function newContext({ theme = "dark", width = WIDTH, height = HEIGHT }: DeskOptions) {
    browser ??= launch();
    const context = await (await browser).newContext({
      colorScheme: theme,
      viewport: { width, height },
      // Nothing that moves has to be waited for.
      reducedMotion: "reduce",
    });
    onTestFinished(() => context.close());
    return context;
  }

  return {
    async openDesk(hub, options = {}) {
      const { place, login = true, beside } = options;
      const context = beside?.context ?? (await newContext(options));
      const page = await context.newPage();
      const problems: string[] = [];
      const expected: RegExp[] = [];
      watchPage(page, hub.url, problems);
      // Run before the context closes: the last in is the first out.
      onTestFinished(() => {
        const left = problems.filter((problem) => !expected.some((pattern) => pattern.test(problem)));
        if (left.length > 0) throw new Error(`The page had problems:\n${left.join("\n")}`);
      });
      if (login) {
        await page.goto(loginLink(hub.url, await newCode(hub), place));
        // The desk takes the code out of its address when it has its token.
        await page.waitForURL((url) => !url.hash.includes("code="));
        // Asked from outside: what waits inside of a page uses eval, which its policy refuses.
        await vi.waitUntil(() => page.evaluate<boolean>("sessionStorage.length > 0"), { timeout: 30_000 });
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
    async clear() {
      await (await browser)?.close();
      browser = undefined;
      if (home !== undefined) rmSync(home, { recursive: true, force: true });
    },
  };
}

async function newCode(hub: HubProcess): Promise<string> {
  const { json } = await hub.http.call("POST", "/auth/code", { token: hub.operator });
  return String(json["code"]);
}

/** What Chromium forbids by the policy is an error in the console, too. */
function watchPage(page: Page, url: string, problems: string[]): void {
  const own = new URL(url).host;
  page.on("console", (message) => {
    if (message.type() !== "error") return;
    const { url: where, lineNumber } = message.location();
    problems.push(`console: ${message.text()} (${where}:${lineNumber})`);
  });
  page.on("pageerror", (error) => problems.push(`script: ${error.stack ?? error.message}`));
  page.on("crash", () => problems.push("the page crashed"));
  page.on("request", (request) => {
    const { protocol, host } = new URL(request.url());
    if (host !== own && protocol !== "data:" && protocol !== "blob:")
      problems.push(`request to another origin: ${request.url()}`);
  });
  page.on("websocket", (socket) => {
    if (new URL(socket.url()).host !== own) problems.push(`socket to another origin: ${socket.url()}`);
  });
}

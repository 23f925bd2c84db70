import { registerAgent } from "../../fakes/member.js";
import { PACE_MS } from "../echo.js";
import type { BenchHub } from "../lab.js";
import type { Measurement } from "../row.js";
import { median, type Pair, summarize } from "../statistics.js";
import { openBrowser, openDeskPage } from "./desk-page.js";

/** From the start of a send until the message stands in the open chat of the one that it is for. */
export const deskMessage: Measurement = {
  name: "desk-message",
  async run(lab) {
    const hub = await lab.hub({ set: ["inbox.cap=1000000"] });
    await registerAgent(hub.http, hub.join, { name: "bob" });
    const { port } = (await lab.child("ws-echo")).greeting as { port: number };
    const browser = await openBrowser(lab);
    const blank = await browser.newPage();
    const desk = await openDeskPage(browser, hub, { page: "agent", name: "bob" });
    // In front: a page behind another draws nothing.
    await desk.bringToFront();
    for (let i = 0; i < 20; i++) await desk.evaluate(sendAndLook(hub, `warm-up-${i}.`));

    const pairs: Pair[] = [];
    for (let round = 0; round < (lab.quick ? 3 : 7); round++) {
      const times = { echo: [] as number[], frame: [] as number[], ours: [] as number[] };
      for (let i = 0; i < (lab.quick ? 20 : 50); i++) {
        times.echo.push(Number(await blank.evaluate(echoOnce(port))));
        times.frame.push(Number(await desk.evaluate(oneFrame)));
        times.ours.push(Number(await desk.evaluate(sendAndLook(hub, `message-${round}-${i}.`))));
      }
      pairs.push({ anchor: 3 * median(times.echo) + median(times.frame), ours: median(times.ours) });
    }
    return [
      {
        what: "Send until the message stands in the open chat of a desk, p50",
        against: "three WebSocket echoes in that browser and one frame",
        unit: "ms",
        ...summarize(pairs),
        limit: { on: "ratio", is: "at most", bound: 1 },
      },
    ];
  },
};

/* What runs in a page is text here: it knows a browser's globals, which the rest of this program does not have. */

const oneFrame =
  "new Promise((done) => requestAnimationFrame((start) => requestAnimationFrame((end) => done(end - start))))";

function echoOnce(port: number): string {
  return `(async () => {
    const socket = await (window.echo ??= new Promise((opened) => {
      const made = new WebSocket("ws://127.0.0.1:${port}");
      made.onopen = () => opened(made);
    }));
    await new Promise((done) => setTimeout(done, ${PACE_MS}));
    const start = performance.now();
    await new Promise((back) => {
      socket.onmessage = back;
      socket.send("x".repeat(200));
    });
    return performance.now() - start;
  })()`;
}

function sendAndLook(hub: BenchHub, text: string): string {
  return `(async () => {
    const headers = { "content-type": "application/json", authorization: "Bearer ${hub.operator}" };
    const shown = new Promise((done, fail) => {
      const giveUp = setTimeout(() => fail(new Error("it never stood there: ${text}")), 10000);
      const observer = new MutationObserver((changes) => {
        const isThere = changes.some(({ target }) => target.textContent.includes("${text}"));
        if (!isThere) return;
        clearTimeout(giveUp);
        observer.disconnect();
        requestAnimationFrame(() => done(performance.now()));
      });
      observer.observe(document.body, { subtree: true, childList: true, characterData: true });
    });
    await new Promise((done) => setTimeout(done, ${PACE_MS}));
    const start = performance.now();
    const body = JSON.stringify({ message: "${text}" });
    const answer = await fetch("/api/agents/bob/messages", { method: "POST", headers, body });
    if (!answer.ok) throw new Error(await answer.text());
    return (await shown) - start;
  })()`;
}

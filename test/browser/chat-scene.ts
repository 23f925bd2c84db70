import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import type { Answer, CallOptions } from "../fakes/http-call.js";
import type { HubProcess } from "../fakes/hub-process.js";
import { type Member, registerAgent } from "../fakes/member.js";

/* What the tests of the chat have in common: people who write, and where their words stand. */

export type Person = {
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  /** Gives the id of the message. */
  send(to: string, message: string, fields?: Record<string, unknown>): Promise<string>;
};

/** The person, over plain HTTP. */
export function personAt(hub: HubProcess): Person {
  const call = (method: string, path: string, options: CallOptions = {}) =>
    hub.http.call(method, path, { token: hub.operator, ...options });
  return {
    call,
    async send(to, message, fields = {}) {
      const answer = await call("POST", `/api/agents/${to}/messages`, { body: { message, ...fields } });
      return idOf(answer);
    },
  };
}

export function joinAs(hub: HubProcess, name: string, fields: Record<string, unknown> = {}): Promise<Member> {
  return registerAgent(hub.http, hub.join, { name, ...fields });
}

export function idOf({ status, text, json }: Answer): string {
  if (status !== 202) throw new Error(`not sent: ${status} ${text}`);
  return String(json["message_id"]);
}

/** The bubble of a message. */
export function bubbleOf(page: Page, id: string) {
  return page.locator(`[data-message="${id}"]`);
}

export function composerOf(page: Page) {
  return page.getByRole("textbox", { name: /^Message to/ });
}

/** Until then a key is a key of the page. */
export async function hasFocus(field: Locator): Promise<void> {
  await expect.poll(() => field.evaluate((element) => element.matches(":focus"))).toBe(true);
}

/** How far the reading column is from its end, in pixels. */
export function distanceFromEnd(page: Page): Promise<number> {
  return page
    .locator(".reading-column")
    .evaluate((column) => column.scrollHeight - column.scrollTop - column.clientHeight);
}

import { expect, test } from "vitest";
import type { Caller } from "./auth.js";
import { createTickets } from "./tickets.js";

const operator: Caller = { kind: "operator" };
const join: Caller = { kind: "join" };

function openTickets() {
  const clock = { now: 0 };
  return { clock, tickets: createTickets(1000, () => clock.now) };
}

test("a ticket stands for its caller, once", () => {
  const { tickets } = openTickets();
  const [first, second] = [tickets.issue(operator), tickets.issue(join)];

  expect(second).not.toBe(first);
  expect(first.length).toBeGreaterThanOrEqual(32);
  expect(tickets.redeem(second)).toBe(join);
  expect(tickets.redeem(first)).toBe(operator);
  expect(tickets.redeem(first)).toBeUndefined();
  expect(tickets.redeem("invented")).toBeUndefined();
});

test("a ticket lasts for its time, and not a moment longer", () => {
  const { clock, tickets } = openTickets();
  const [early, late] = [tickets.issue(operator), tickets.issue(operator)];

  clock.now = 999;
  expect(tickets.redeem(early)).toBe(operator);
  clock.now = 1000;
  expect(tickets.redeem(late)).toBeUndefined();
});

test("issuing more leaves those that are still good alone", () => {
  const { clock, tickets } = openTickets();
  const old = tickets.issue(operator);
  clock.now = 500;
  const young = tickets.issue(join);
  clock.now = 1200;
  tickets.issue(operator);

  expect(tickets.redeem(young)).toBe(join);
  expect(tickets.redeem(old)).toBeUndefined();
});

test("of more than a thousand of one caller the oldest go first, and nobody else's", () => {
  const { tickets } = openTickets();
  const other = tickets.issue(join);
  const issued = Array.from({ length: 1001 }, () => tickets.issue(operator));

  expect(tickets.redeem(other)).toBe(join);
  expect(tickets.redeem(issued[0] ?? "")).toBeUndefined();
  expect(tickets.redeem(issued[1] ?? "")).toBe(operator);
});

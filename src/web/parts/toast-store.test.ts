import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { showToast, useToasts } from "./toast-store.js";

const titles = () => useToasts.getState().toasts.map(({ title }) => title);

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  useToasts.setState({ toasts: [] });
});

test("a toast goes after six seconds, one of a failure stays", () => {
  showToast({ tone: "done", title: "sent" });
  showToast({ tone: "failed", title: "not sent" });
  vi.advanceTimersByTime(5999);
  expect(titles()).toEqual(["sent", "not sent"]);
  vi.advanceTimersByTime(1);
  expect(titles()).toEqual(["not sent"]);
});

test("there are at most three, and failures go last", () => {
  showToast({ tone: "failed", title: "1" });
  showToast({ tone: "done", title: "2" });
  showToast({ tone: "done", title: "3" });
  showToast({ tone: "done", title: "4" });
  expect(titles()).toEqual(["1", "3", "4"]);
});

test("what showed it can close it", () => {
  const close = showToast({ tone: "held", title: "paused" });
  close();
  close();
  expect(titles()).toEqual([]);
});

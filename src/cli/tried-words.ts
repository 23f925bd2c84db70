import { nearest } from "../model/nearest.js";
import { commandTable } from "./command-table.js";

/** What people type because other programs call it so, and what it is called here. */
const calledHere: Readonly<Record<string, string>> = {
  ls: "agents",
  list: "agents",
  ps: "agents",
  who: "agents",
  htop: "top",
  dashboard: "top",
  monitor: "top",
  search: "log",
  find: "log",
  grep: "log",
  history: "log",
  watch: "tail",
  logs: "tail",
  follow: "tail",
  events: "tail",
  thread: "transcript",
  show: "transcript",
  start: "up",
  serve: "up",
  run: "spawn",
  new: "spawn",
  create: "spawn",
  open: "ui",
  web: "ui",
  desk: "ui",
  join: "connect",
  install: "connect",
  setup: "connect",
  check: "doctor",
  diagnose: "doctor",
  delete: "remove",
  deregister: "remove",
  end: "shutdown",
  allow: "approve",
  yes: "approve",
  reject: "deny",
  no: "deny",
  answer: "reply",
  mail: "inbox",
  messages: "inbox",
  say: "send",
  tell: "send",
  msg: "send",
  all: "broadcast",
  settings: "config",
  completions: "completion",
  restore: "backup",
};

/** The command that somebody may have meant by this word. */
export function meantCommand(word: string): string | undefined {
  const names = commandTable.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
  const known = Object.hasOwn(calledHere, word) ? calledHere[word] : undefined;
  // Not every version has every command.
  if (known !== undefined && names.includes(known.split(" ")[0] ?? "")) return known;
  return nearest(word, names);
}

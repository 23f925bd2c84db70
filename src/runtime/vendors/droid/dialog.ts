import { actOf, type Choice, type Dialog, plainRow, plainRows } from "../../tmux/dialog.js";
import type { Screen } from "../../tmux/screen.js";
import { lastRowMatching, textAt } from "../../tmux/screen-rule.js";
import { serverName } from "../vendor.js";

/** The last box, with an option in each row and a footer of its own; what it is about stands above. */
function findOptions(screen: Screen): { top: number; bottom: number } | undefined {
  const bottom = lastRowMatching(screen, /^╰─{10,}╯\s*$/u);
  const top = lastRowMatching(screen, /^╭─{10,}╮\s*$/u, bottom);
  if (top < 0 || !/^ {2}↑↓ navigate {2,}Enter select {2,}Esc cancel/u.test(textAt(screen, bottom + 1)))
    return undefined;
  return { top, bottom };
}

export function readDialog(screen: Screen): Dialog | undefined {
  const box = findOptions(screen);
  if (box === undefined) return undefined;
  const labels = plainRows(screen, box.top + 1, box.bottom);
  // What an agent wrote can look like a heading: the topmost since it last spoke is the dialog's.
  const spoke = lastRowMatching(screen, /^⛬ {2}/u, box.top);
  let heading = -1;
  for (let row = box.top - 1; row > spoke; row--)
    if (/^ {2}\S.* to approve · |^\S.*: \((?:[+-]\d+|no changes)/u.test(textAt(screen, row))) heading = row;
  if (heading < 0 || !labels.includes("Yes, allow") || !labels.includes("No, cancel")) return undefined;
  const [head = "", ...said] = plainRows(screen, heading, box.top);
  const what = said[0]?.startsWith("↳ ") === true ? said[0].slice(2) : undefined;
  return {
    tool: head.replace(/ (?:to approve )?·.*$|: \(.*$/u, ""),
    title: what ?? head,
    act: actOf(head),
    words: [head, ...said, ...labels].join("\n"),
    options: labels.flatMap((label, at) => {
      const granted = grants(label);
      return granted === undefined ? [] : [{ label, grants: granted, at }];
    }),
    ...(labels.includes(`Always allow all "${serverName}" tools`) ? { ownTool: true } : {}),
  };
}

/** The chosen one is bold. */
export function readChoice(screen: Screen): Choice | undefined {
  const box = findOptions(screen);
  if (box === undefined) return undefined;
  const chosen = screen.rows
    .slice(box.top + 1, box.bottom)
    .findIndex(({ cells }) => cells.some(({ char, bold }) => bold && plainRow(char) !== ""));
  return chosen < 0 ? undefined : { at: chosen, forward: "Down", back: "Up" };
}

function grants(label: string) {
  if (label === "Yes, allow") return "once";
  if (label === "No, cancel") return "deny";
  if (/^Yes, and always allow .* commands\b/u.test(label)) return "session";
  return /^Always allow (?!all )/u.test(label) ? "always" : undefined;
}

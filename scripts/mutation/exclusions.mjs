// Mutants that are not counted, each with the reason why no test could, or should, tell them from the code.

/** @typedef {import("./mutants.mjs").Mutant} Mutant */

/** @type {{ reason: string, matches: (mutant: Mutant) => boolean }[]} */
const rules = [
  {
    reason: "how early a copy is flushed changes only how long others wait for the disk",
    matches: ({ file, text }) =>
      file === "src/journal/backup.ts" &&
      [
        "const isAhead = () => sizeOf(partial) - flushed >= FLUSH_BYTES;",
        "if (flushing !== undefined || !isAhead()) return;",
        "await db.backup(partial, () => flushing !== undefined && isAhead());",
        "function sizeOf(file: string): number {",
        "return statSync(file, { throwIfNoEntry: false })?.size ?? 0;",
      ].includes(text),
  },
  {
    reason: "for how long commands gather changes only how many share a commit",
    matches: ({ file, text }) =>
      file === "src/journal/group-commit.ts" &&
      (text.startsWith("const isGathering =") || text.startsWith("if (isGathering &&")),
  },
  {
    reason: "how many rows go at a time changes nothing of which do",
    matches: ({ file, text }) =>
      file === "src/journal/prune.ts" &&
      ["if (chunk.length < SLICE) continue;", "if (chunk.length > 0) yield chunk;"].includes(text),
  },
  {
    reason: "wording for people, or SQL, which fails at once when it is empty",
    matches: ({ operator, original }) => operator === "StringLiteral" && /\s/.test(original),
  },
];

/**
 * Single ones: the file, the text of the line, what it was changed to, and why that changes nothing.
 * @type {{ file: string, text: string, replacement: string, reason: string }[]}
 */
const equivalent = [
  {
    file: "src/journal/event-store.ts",
    text: "const most = bytes === undefined ? limit : countWithin(sizes.all(seq, limit), bytes);",
    replacement: "false",
    reason: "no sum is greater than undefined, so all of them fit",
  },
  {
    file: "src/journal/group-commit.ts",
    text: "if (queue.length > 0) schedule();",
    replacement: "queue.length >= 0",
    reason: "what is scheduled for an empty queue does nothing",
  },
  {
    file: "src/journal/checkpointer.ts",
    text: 'if (waiting() > limits.soft) start("passive");',
    replacement: "waiting() >= limits.soft",
    reason: "a log of exactly that size is written back now or after the next commit",
  },
  {
    file: "src/model/mail-visibility.ts",
    text: 'return type === "broadcast" && !(to.length === 1 && to[0]?.name === toName);',
    replacement: "to[0].name",
    reason: "there is one at that point",
  },
  {
    file: "src/surface/caller/auth.ts",
    text: 'return (authorization = "") => {',
    replacement: '"Stryker was here!"',
    reason: "that is no token either, and is refused with the same words",
  },
  ...["MessagesOffered", "MessagesInjected", "MessagesSeen", "MessagesFinished", "MessagesReturned"].map(
    (type) => ({
      file: "src/model/visibility.ts",
      text: `case "${type}": {`,
      replacement: `case "${type}":`,
      reason: "it falls through to the next case, which does the same; TypeScript wants each by itself",
    }),
  ),
  {
    file: "src/hub/commands/answer-request.ts",
    text: 'const attention = attentionOf(sender, undefined, "response");',
    replacement: '""',
    reason: 'attentionOf only asks whether the type is "status"',
  },
];

/** @param {Mutant} mutant @returns {string | undefined} the reason */
export function whyExcluded(mutant) {
  const rule = rules.find(({ matches }) => matches(mutant));
  if (rule !== undefined) return rule.reason;
  return equivalent.find(
    ({ file, text, replacement }) =>
      file === mutant.file && text === mutant.text && replacement === mutant.replacement,
  )?.reason;
}

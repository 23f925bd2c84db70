import type { PlantedFault } from "./planted-fault.js";

/* What is stored: promises 1, 2, 6, 7 and 8. */

const kills = { file: "test/e2e-long/accepted-is-on-disk.test.ts", test: "kills lose nothing" };
const order = { file: kills.file, test: "the journal is written, then flushed" };
const failing = {
  file: "test/e2e-long/honest-failure.test.ts",
  test: "nothing accepted is lost, what failed is stored once",
};
const removed = { file: "test/e2e-long/storage-fails.test.ts", test: "refuses all mail, says why and ends" };
const jumps = { file: "test/clock-jumps.test.ts", test: "reorder nothing and expire nothing early" };
const secondHubs = { file: "test/e2e-long/one-hub-per-directory.test.ts", test: "second hubs are refused" };

const groupCommit = "src/journal/group-commit.ts";
const failedCommit = "        failure = commitError(error);\n        rollBack();";

export const journalFaults: readonly PlantedFault[] = [
  {
    name: "it answers, and commits a moment later",
    promise: 1,
    edits: [
      {
        file: groupCommit,
        find: "        commit.run();\n",
        put: "        setTimeout(() => db.inTransaction && commit.run(), 5);\n",
      },
      {
        file: groupCommit,
        find: "      begin.run();\n",
        put: "      if (db.inTransaction) commit.run();\n      begin.run();\n",
      },
      {
        file: "src/journal/checkpointer.ts",
        find: "  function waiting(): number {\n",
        put: "  function waiting(): number {\n    if (db.inTransaction) return 0;\n",
      },
    ],
    guard: kills,
    says: /is lost|and again as/,
  },
  {
    name: "it does not wait for the disk",
    promise: 1,
    edits: [
      { file: "src/journal/open-database.ts", find: '"synchronous = FULL"', put: '"synchronous = NORMAL"' },
    ],
    guard: order,
    says: /was answered with (written, not flushed|nothing written)/,
  },
  {
    name: "a repeated id is stored again",
    promise: 2,
    edits: [
      {
        file: "src/hub/commands/send-message.ts",
        find: "if (earlier !== undefined) return repeat(earlier, input, context);",
        put: "",
      },
    ],
    guard: kills,
    says: /is duplicated|and again as|there again|with another body/,
  },
  {
    name: "a repeated id of a thousand events ago is stored again",
    promise: 2,
    edits: [
      {
        file: "src/views/messages.ts",
        find: "      const seq = places.get(id, sender);\n",
        put: "      const seq = places.unstored(id).get(sender);\n",
      },
    ],
    guard: kills,
    says: /is duplicated|and again as|there again|with another body/,
  },
  {
    name: "a repeated id with other words is taken for the same message",
    promise: 2,
    edits: [
      {
        file: "src/hub/rules/same-message.ts",
        find: "    sameText(message, input.content) &&\n",
        put: "",
      },
    ],
    guard: { file: "test/e2e-long/bad-bodies.test.ts", test: "used again with the same body" },
    says: /409/,
  },
  {
    name: "a commit that failed is answered as accepted",
    promise: 6,
    edits: [
      {
        file: groupCommit,
        find: failedCommit,
        put: "        void commitError(error);\n        rollBack();",
      },
    ],
    guard: failing,
    says: /is lost|went on after an input\/output error|nobody was told/,
  },
  {
    name: "a refused message is stored all the same",
    promise: 6,
    edits: [
      {
        file: groupCommit,
        find: "    } else {\n      for (const command of taken) command.reject(failure);\n    }",
        put: "    } else {\n      for (const command of taken) command.reject(failure);\n      queue.push(...taken);\n    }",
      },
    ],
    guard: failing,
    says: /was refused, and yet/,
  },
  {
    name: "after an input/output error it goes on",
    promise: 6,
    edits: [
      {
        file: "src/journal/storage-error.ts",
        find: 'code === "OUTCOME_UNKNOWN" || code === "DATA_UNUSABLE"',
        put: 'code === "DATA_UNUSABLE"',
      },
    ],
    guard: failing,
    says: /went on after an input\/output error/,
  },
  {
    name: "files that are gone are written to",
    promise: 6,
    edits: [
      {
        file: "src/journal/journal.ts",
        find: "    checkRoom() {\n      files.look(BEFORE_COMMIT_MS);\n",
        put: "    checkRoom() {\n",
      },
    ],
    guard: removed,
    says: /DATA_UNUSABLE/,
  },
  {
    name: "a damaged page is not looked for",
    promise: 6,
    edits: [
      {
        file: "src/journal/check-pages.ts",
        find: "found === null ? resolve()",
        put: "true ? resolve()",
      },
    ],
    guard: {
      file: "test/e2e-long/damaged-journal.test.ts",
      test: "a view is found at the start, by the check alone",
    },
    says: /this never came to be: the damage of a view is found/,
  },
  {
    name: "deadlines go by the clock on the wall",
    promise: 7,
    edits: [
      {
        file: "src/journal/hub-time.ts",
        find: "anchor + Math.floor(clock.monotonic() - started)",
        put: "clock.wall()",
      },
    ],
    guard: jumps,
    says: /expired early|should have expired|offered again early/,
  },
  {
    name: "time goes back with the clock on the wall",
    promise: 7,
    edits: [
      {
        file: "src/journal/hub-time.ts",
        find: "Math.max(last, anchor + Math.floor(clock.monotonic() - started))",
        put: "clock.wall()",
      },
    ],
    guard: jumps,
    says: /hub time goes on|expired early|should have expired|offered again early|Rate limited/,
  },
  {
    name: "nothing locks the data folder",
    promise: 8,
    edits: [{ file: "src/daemon/lock.ts", find: '    db.exec("BEGIN IMMEDIATE");\n', put: "" }],
    guard: secondHubs,
    says: /the second hub runs/,
  },
  {
    name: "the second hub does not say who holds the folder",
    promise: 8,
    edits: [
      {
        file: "src/daemon/lock.ts",
        find: "throw hubRunning(dirname(file), holder, hubFile);",
        put: "throw hubRunning(dirname(file), undefined, hubFile);",
      },
    ],
    guard: secondHubs,
    says: /it named another|it said/,
  },
];

import type { PlantedFault } from "./planted-fault.js";

/* What becomes of mail and requests: promises 3, 4, 11 and 14. */

const pairs = { file: "test/fifo-per-pair.test.ts", test: "mail is first in, first out per pair" };
const claims = { file: "test/e2e-long/claims.test.ts", test: "no claim has two winners" };
const crowd = {
  file: "test/e2e-long/crowd.test.ts",
  test: "fifty agents that do too much are told so",
};
const bodies = "test/e2e-long/bad-bodies.test.ts";

const offerMessages = "src/hub/commands/offer-messages.ts";
const unread = "  const unread = unreadBy(views, wanted, most + 1);\n";

export const mailFaults: readonly PlantedFault[] = [
  {
    name: "two messages of a pair change places when three are unread",
    promise: 3,
    edits: [
      {
        file: offerMessages,
        find: unread,
        put: `${unread}  if (unread.length > 2) unread.unshift(...unread.splice(1, 1));\n`,
      },
    ],
    guard: pairs,
    says: /order|before|overt/i,
  },
  {
    name: "what does not fit into a read is handed out first",
    promise: 3,
    edits: [
      {
        file: offerMessages,
        find: unread,
        put: "  const unread = unreadBy(views, wanted, 1000).slice(-most - 1);\n",
      },
    ],
    guard: pairs,
    says: /order|before|overt/i,
  },
  {
    name: "mail overtakes what its sender has held",
    promise: 3,
    edits: [
      {
        file: "src/views/inbox.ts",
        find: "const isInFront = `(passes = 1 OR",
        put: "const isInFront = `(1 = 1 OR",
      },
    ],
    guard: {
      file: "src/hub/held-first.test.ts",
      test: "what its sender sends after a message that waits for the person waits behind it",
    },
    says: /expected/,
  },
  {
    name: "a second claimer of a request wins, too",
    promise: 4,
    edits: [
      {
        file: "src/hub/commands/claim-request.ts",
        find: 'if (request.state.kind !== "open") {',
        put: 'if (request.state.kind !== "open" && request.state.kind !== "claimed") {',
      },
    ],
    guard: { file: claims.file, test: "of hundreds of agents that claim one request at the same moment" },
    says: /length of 1|to deeply equal/,
  },
  {
    name: "one in a hundred second claimers wins, too",
    promise: 4,
    edits: [
      {
        file: "src/hub/commands/claim-request.ts",
        find: 'if (request.state.kind !== "open") {',
        put: 'if (request.state.kind !== "open" && (request.state.kind !== "claimed" || Math.random() > 0.01)) {',
      },
    ],
    guard: claims,
    says: /winner|explain|order|won/,
  },
  {
    name: "a second claimer of a task wins, too",
    promise: 4,
    edits: [
      {
        file: "src/hub/rules/decide-claim.ts",
        find: "  if (held !== undefined && held.owner !== agent.id) return { events: [], ok: false, owner: held };\n  if (held === undefined) checkClaims",
        put: "  if (held === undefined) checkClaims",
      },
    ],
    guard: claims,
    says: /winner|explain|order|won/,
  },
  {
    name: "an inbox has no cap",
    promise: 11,
    edits: [
      {
        file: "src/hub/rules/inbox-room.ts",
        find: "if (views.inbox.depth(target) < limits.inboxCap) return false;",
        put: "if (views.inbox.depth(target) >= 0) return false;",
      },
    ],
    guard: crowd,
    says: /INBOX_FULL/,
  },
  {
    name: "open requests have no cap",
    promise: 11,
    edits: [
      {
        file: "src/hub/rules/request-limits.ts",
        find: "openCount() - openCountOf(HUMAN_ID) - openCountFrom() >= limits.requestOpenCap",
        put: "openCount() < 0",
      },
    ],
    guard: crowd,
    says: /REQUESTS_FULL/,
  },
  {
    name: "a body has no cap",
    promise: 11,
    edits: [
      {
        file: "src/decoding/read-body.ts",
        find: "if (size > limit) reject(tooLarge(limit));",
        put: "if (size < 0) reject(tooLarge(limit));",
      },
    ],
    guard: { file: bodies, test: "by one byte answers 413" },
    says: /413/,
  },
  {
    name: "the write-ahead log grows for ever",
    promise: 11,
    edits: [
      {
        file: "src/journal/checkpointer.ts",
        find: "if (bytes > limits.cap && spared === 0) {",
        put: "if (bytes < 0) {",
      },
      {
        file: "src/journal/checkpointer.ts",
        find: "if (waiting() > limits.soft) start(",
        put: "if (waiting() < 0) start(",
      },
    ],
    guard: {
      file: "src/journal/checkpointer.test.ts",
      test: "under saturation the write-ahead log stays near its cap",
    },
    says: /less than/,
  },
  {
    name: "a body that is not JSON is answered with 500",
    promise: 14,
    edits: [
      {
        file: "src/decoding/strict-json.ts",
        find: "throw bad(`The body is not JSON: ",
        put: "throw new Error(`The body is not JSON: ",
      },
    ],
    guard: { file: bodies, test: "a truncated object answers 400 BAD_JSON" },
    says: /500/,
  },
  {
    name: "a field that the contract does not allow is answered with 500",
    promise: 14,
    edits: [
      {
        file: "src/decoding/decode.ts",
        find: 'throw new HubError("INVALID_INPUT", issues.map(({ problem }) => problem).join("; "), { issues });',
        put: "throw result.error;",
      },
    ],
    guard: { file: bodies, test: "an empty message answers 400 INVALID_INPUT" },
    says: /500/,
  },
  {
    name: "one odd key of a body is answered with 500",
    promise: 14,
    edits: [
      {
        file: "src/decoding/decode.ts",
        find: '  if (issue.code === "unrecognized_keys") {\n',
        put: '  if (issue.code === "unrecognized_keys") {\n    if (issue.keys.includes("constructor")) throw new Error("odd");\n',
      },
    ],
    guard: { file: "test/e2e-long/fuzz.test.ts", test: "mutated requests to every route get no 5xx" },
    says: /500/,
  },
];

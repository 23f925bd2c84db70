/** How a document's commands are run: what must be there first, what stands for something else, and what is left out and why. */
export type DocWorld = {
  /** Run before the first command, in a shell of the person. */
  before?: string;
  /** In their place: the beginning of a line, and what is run instead. */
  instead?: Readonly<Record<string, string>>;
  /** The beginning of a line, and why it is not run. */
  left?: Readonly<Record<string, string>>;
};

/** Those that do not disturb each other are run one after the other, in one home. */
export const together: readonly (readonly string[])[] = [
  ["README.md", "docs/quick-start.md"],
  [
    "docs/connecting.md",
    "docs/delivery.md",
    "docs/desk.md",
    "docs/peers.md",
    "docs/fabric.md",
    "docs/security.md",
  ],
];

const installs = "scripts/try-packed.mjs installs Huddle with npm, in the soak";
const long = "it is what runs this test, or takes minutes";
const settings =
  "it changes the settings of the CLIs of a person: the tests of connect run it in homes of their own";
const machine = "it needs another machine";
const waits = "it needs a conversation that waits: test/e2e/pacing.test.ts has one";
const asks = "it needs an agent that asks: src/cli/commands/hosting.test.ts answers one";

const people: DocWorld = {
  left: {
    "huddle demo": "test/e2e-long/packed.test.ts runs it, from a tarball",
    "npm ci": installs,
    "npm install -g": installs,
    "npm test": long,
    "npm run": long,
    "huddle connect": settings,
    "huddle uninstall": settings,
    "huddle service":
      "it changes what starts when somebody logs in: test/e2e-long/service.test.ts has a systemd of its own",
    "huddle top": "it needs a terminal: test/e2e-long/top.test.ts has one",
    "huddle doctor": "what it finds depends on the machine: its own tests run it",
  },
};

/** Not the whole review: what reads its output needs one step of that name. The example itself is run by workflow-files. */
const review = "name: Review\\nsteps:\\n  - {name: merge, agent: codex, prompt: merge}\\n";

const worlds: Readonly<Record<string, DocWorld>> = {
  "docs/selftest.md": {
    left: {
      "huddle selftest":
        "it takes minutes, and needs the vendors' CLIs: test/e2e-long/selftest.test.ts has one of its own",
    },
  },
  "docs/quick-start.md": {
    left: {
      "huddle approve ann": asks,
      "huddle deny ann": asks,
      "huddle spawn claude-code --name ann": "README.md has begun it",
      "huddle spawn codex --name bob": "README.md has begun it",
    },
  },
  "docs/desk.md": { left: { "ssh ": machine } },
  "docs/peers.md": {
    left: {
      "huddle peers join": "it needs another hub: test/e2e-long/peers.test.ts has two",
      "huddle peers ping": "it needs another hub: test/e2e-long/peers.test.ts has two",
      "huddle send bob@mini": "it needs another hub: test/e2e-long/peers.test.ts has two",
      "huddle requests post": "it needs another hub: test/e2e-long/across-hubs.test.ts has two",
      "huddle claims claim": "it needs another hub: test/e2e-long/across-hubs.test.ts has two",
      "huddle handoff": "it needs another hub: test/e2e-long/across-hubs.test.ts has two",
    },
  },
  "docs/fabric.md": {
    instead: { "huddle fabric init --host 127.0.0.1": "huddle fabric init --host 127.0.0.1 --port 14999" },
    left: {
      "huddle fabric init --host fabric": "a fabric is there by then",
      "huddle fabric init --host a.":
        "a fabric is there by then: test/e2e-long/fabric-cluster.test.ts has one",
      "scp ": machine,
      "ssh ": machine,
      "huddle fabric up": "it runs until it is ended: test/e2e-long/fabric.test.ts has one",
      "huddle fabric request |": "it needs the server: test/e2e-long/fabric.test.ts has one",
      "huddle fabric status": "it needs the server: test/e2e-long/fabric.test.ts has one",
      "huddle fabric admit": "it needs another hub: test/e2e-long/fabric.test.ts has two",
      "huddle fabric join": "it needs another hub: test/e2e-long/fabric.test.ts has two",
      "huddle send bob@laptop": "it needs another hub: test/e2e-long/fabric.test.ts has two",
      docker: "it needs Docker",
    },
  },
  "docs/command-line.md": {
    before: [
      "huddle up; huddle spawn codex --name ann --message hello; huddle identity bob",
      "identity=~/.local/share/huddle/identities/bob.json",
      `HUDDLE_TOKEN=$(node -pe "JSON.parse(fs.readFileSync('$identity')).token") huddle send user 'A or B?'`,
    ].join("\n"),
    left: {
      "huddle approve ann": asks,
      "huddle deny ann": asks,
      "huddle inbox --ack": "it needs several messages: the tests of inbox have them",
      "huddle conversations continue": waits,
    },
  },
  "docs/connecting.md": {
    before: "huddle up",
    left: { huddle: settings },
  },
  "docs/operating.md": {
    before: "huddle up; huddle identity ann; huddle identity ben",
    instead: {
      "huddle secret set agent-comms  ": "printf 0123456789abcdef | huddle secret set agent-comms",
      // What stands before it stopped the hub.
      "huddle backup ~/huddle-before.db": "huddle up; huddle backup ~/huddle-before.db",
    },
    left: {
      "ssh ": machine,
      "HUDDLE_URL=": machine,
      "npm install -g better-sqlite3": "npm run test:better-sqlite3 runs the tests with it",
      "huddle worktree diff": "it needs work that an agent left: test/e2e-long/worktrees.test.ts has some",
      "huddle worktree merge": "it needs work that an agent left: test/e2e-long/worktrees.test.ts has some",
      "huddle worktree rm": "it needs work that an agent left: test/e2e-long/worktrees.test.ts has some",
      "huddle conversations continue": waits,
      "huddle conversations freeze": waits,
    },
  },
  "docs/tour.md": {
    before: 'cd "$REPOSITORY"; export HUDDLE_HOME="$HOME/tour"; huddle up --port 0',
    instead: {
      "export HUDDLE_HOME=":
        "export HUB=$(node -pe \"JSON.parse(fs.readFileSync(process.env.HUDDLE_HOME + '/hub.json')).url\")",
    },
  },
  "docs/workflows.md": {
    before: `printf '${review}' >review.yaml`,
    left: {
      "huddle workflow approve": "it needs a step that waits: test/e2e-long/workflow-files.test.ts has one",
      "huddle workflow reject": "it needs a step that waits: test/e2e-long/workflow-files.test.ts has one",
    },
  },
  "docs/testing.md": { left: { "bash .ci/run": long } },
};

export function worldOf(document: string): Required<DocWorld> {
  const own = worlds[document] ?? {};
  return {
    before: own.before ?? "",
    instead: { ...people.instead, ...own.instead },
    left: { ...people.left, ...own.left },
  };
}

/** Of what only this document leaves out or replaces: each must still stand in it. */
export function ownRows(document: string): string[] {
  const { instead = {}, left = {} } = worlds[document] ?? {};
  return [...Object.keys(instead), ...Object.keys(left)];
}

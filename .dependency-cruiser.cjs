// The walls between the folders of src/, as the layout in the design draws them.

/** What each folder may import, besides itself and npm packages. */
const mayImport = {
  model: [],
  contract: ["model"],
  decoding: ["model"],
  surface: ["model", "contract", "decoding", "hub", "views"],
  hub: ["model", "views"],
  journal: ["model"],
  views: ["model", "journal"],
  policies: ["model", "journal", "views", "hub"],
  delivery: ["model", "journal", "views", "hub", "runtime", "link"],
  runtime: ["model"],
  fabric: ["model", "contract"],
  link: ["model", "contract", "decoding", "fabric"],
  client: ["model", "contract"],
  bridge: ["model", "client"],
  hook: ["model", "client", "bridge"],
  connect: ["model", "client", "runtime"],
  doctor: ["model", "client", "runtime", "connect"],
  cli: ["model", "contract", "client", "demo", "connect", "doctor", "fabric", "selftest"],
  web: ["model", "contract", "client"],
  demo: ["model", "contract", "client"],
  library: ["model", "contract", "client"],
  selftest: ["model", "client", "runtime"],
};
mayImport.daemon = Object.keys(mayImport);

const folders = Object.keys(mayImport);
const tests = "\\.test\\.tsx?$";

/** @param {string[]} names */
const anyOf = (names) => `^src/(${names.join("|")})/`;

/** How the vendors' CLIs are called: whoever meets one by name may ask. */
const clientNames = "^src/runtime/vendors/clients\\.ts$";

/** How the vendors' CLIs are connected, as data. */
const connectionType = "^src/runtime/vendors/connection\\.ts$";

const walls = folders.map((folder) => ({
  name: `wall-${folder}`,
  comment: `${folder}/ may import ${mayImport[folder].join(", ") || "nothing"} besides itself.`,
  severity: "error",
  from: { path: anyOf([folder]), pathNot: tests },
  to: {
    path: "^(src|test|scripts)/",
    pathNot: [
      anyOf([folder, ...mayImport[folder]]),
      ...(folder === "bridge" || folder === "surface" ? [clientNames] : []),
      ...(folder === "cli" ? [connectionType] : []),
    ],
  },
}));

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
  forbidden: [
    ...walls,
    {
      name: "wall-main",
      comment: "main.ts may import cli/ and daemon/.",
      severity: "error",
      from: { path: "^src/main\\.ts$" },
      to: { path: "^(src|test|scripts)/", pathNot: anyOf(["cli", "daemon"]) },
    },
    {
      name: "unknown-folder",
      comment: "Every file of src/ lives in a folder of the layout; a new folder needs its row in mayImport.",
      severity: "error",
      from: { path: "^src/", pathNot: [anyOf(folders), "^src/main\\.ts$"] },
      to: {},
    },
    {
      name: "rules-know-no-command",
      comment: "hub/rules/ is what commands share: a rule imports no command.",
      severity: "error",
      from: { path: "^src/hub/rules/", pathNot: tests },
      to: { path: "^src/hub/commands/" },
    },
    {
      name: "surfaces-apart",
      comment:
        "mcp/, ws/ and http/ of surface/ know nothing of each other: what they share stands beside them, and server.ts joins them.",
      severity: "error",
      from: { path: "^src/surface/(http|mcp|ws)/", pathNot: tests },
      to: { path: "^src/surface/(http|mcp|ws)/", pathNot: "^src/surface/$1/" },
    },
    {
      name: "shared-by-surfaces",
      comment: "What the surfaces share imports none of them.",
      severity: "error",
      from: { path: "^src/surface/", pathNot: ["^src/surface/((http|mcp|ws)/|server\\.ts$)", tests] },
      to: { path: "^src/surface/(http|mcp|ws)/" },
    },
    {
      name: "model-is-pure",
      comment: "model/ imports nothing but itself: no packages, no Node modules.",
      severity: "error",
      from: { path: "^src/model/", pathNot: tests },
      to: { pathNot: "^src/model/" },
    },
    {
      name: "contract-is-browser-safe",
      comment: "contract/ runs in the browser too: model/ and zod only.",
      severity: "error",
      from: { path: "^src/contract/", pathNot: tests },
      to: { pathNot: "^src/(contract|model)/|^node_modules/zod/" },
    },
    {
      name: "bridge-stands-alone",
      comment:
        "The stdio bridge and the hook have no dependencies: Node's own modules only. The build looks at what they reach.",
      severity: "error",
      from: { path: "^src/(bridge|hook)/", pathNot: tests },
      to: { path: "^node_modules/" },
    },
    {
      name: "drivers-behind-their-port",
      comment: "Only the adapters in journal/sqlite/ know which package drives SQLite.",
      severity: "error",
      from: { pathNot: "^src/journal/sqlite/" },
      to: { path: "^node_modules/(@photostructure|better-sqlite3)/|^(node:)?sqlite$" },
    },
    {
      name: "no-import-of-tests",
      comment: "Nothing imports a test file.",
      severity: "error",
      from: { path: "^src/" },
      to: { path: tests },
    },
    {
      name: "no-cycles",
      comment: "Modules that import each other cannot be read one at a time.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "no-orphans",
      comment: "A module that nothing imports and that imports nothing is left over.",
      severity: "error",
      from: {
        orphan: true,
        pathNot: [tests, "^src/main\\.ts$", "-worker\\.js$", "^src/web/theme\\.js$", "\\.d\\.ts$"],
      },
      to: {},
    },
    {
      name: "resolvable",
      comment: "The import leads nowhere.",
      severity: "error",
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: "declared-dependencies",
      comment:
        "What runs in production is a dependency in package.json, not a dev dependency or somebody else's.",
      severity: "error",
      from: { path: "^src/", pathNot: [tests, "^src/web/"] },
      to: { dependencyTypes: ["npm-dev", "npm-no-pkg", "npm-unknown"] },
    },
  ],
  options: {
    // TypeScript 7 has no API that the cruiser could use, so @swc/core parses. It keeps type-only imports.
    parser: "swc",
    tsPreCompilationDeps: true,
    doNotFollow: { path: "^node_modules/" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "types", "default"],
    },
  },
};

import type { OfferedTool } from "./conversation.js";

/** The CLIs' own tools for a shell command and for writing a file, and their arguments. */
const shellTools: Record<string, (command: string, ask: boolean) => Record<string, unknown>> = {
  Bash: (command) => ({ command, description: "Scripted" }),
  exec_command: (cmd, ask) => ({
    cmd,
    ...(ask ? { sandbox_permissions: "require_escalated", justification: "Scripted" } : {}),
  }),
  shell_command: (command) => ({ command }),
  shell: (command) => ({ command: ["bash", "-lc", command] }),
  run_shell_command: (command) => ({ command, description: "Scripted", is_background: false }),
  Execute: (command) => ({
    command,
    summary: "Scripted",
    riskLevel: "medium",
    riskLevelReason: "Scripted",
    timeout: 60,
  }),
  bash: (command) => ({ command, description: "Scripted" }),
};

const writeTools: Record<string, (path: string, text: string) => Record<string, unknown> | string> = {
  Write: (file_path, content) => ({ file_path, content }),
  apply_patch: (path, text) => `*** Begin Patch\n*** Add File: ${path}\n+${text}\n*** End Patch\n`,
  write_file: (file_path, content) => ({ file_path, content }),
  Create: (file_path, content) => ({ file_path, content }),
  write: (filePath, content) => ({ filePath, content }),
  create: (path, file_text) => ({ path, file_text }),
};

export type Invocation = { tool: OfferedTool; args: Record<string, unknown>; input?: string };

/**
 * A tool by its own name, however the CLI decorates it: `mcp__huddle__send_message`, `huddle___send_message`. A decorated
 * one goes before the CLI's own of the same name (qwen has a `send_message`).
 */
export function findTool(tools: readonly OfferedTool[], wanted: string): OfferedTool | undefined {
  const decorated = tools
    .filter(
      ({ name, group }) =>
        (name === wanted && group !== undefined) ||
        (name !== wanted && name.endsWith(wanted) && !/[a-z0-9]/i.test(name.at(-wanted.length - 1) ?? "a")),
    )
    .sort((a, b) => a.name.length - b.name.length);
  return decorated[0] ?? tools.find(({ name }) => name === wanted);
}

/** Some CLIs name tools without offering them until they are searched for; that search is no step of a script. */
export const isToolSearch = (name: string) => /^tool_?search$/i.test(name);

/** The search for a tool that was named only. */
export function searchTool(
  tools: readonly OfferedTool[],
  wanted: string,
  texts: readonly string[],
): Invocation | undefined {
  const tool = tools.find(({ name }) => isToolSearch(name));
  const name = new RegExp(`^\\w*[^a-z0-9\\n]?${wanted}$`, "im").exec(texts.join("\n"))?.[0];
  return tool === undefined || name === undefined ? undefined : { tool, args: { query: `select:${name}` } };
}

export function invokeShell(
  tools: readonly OfferedTool[],
  command: string,
  ask = false,
): Invocation | undefined {
  for (const [name, toArgs] of Object.entries(shellTools)) {
    const tool = tools.find((offered) => offered.name === name);
    if (tool !== undefined) return { tool, args: onlyKnown(tool, toArgs(command, ask)) };
  }
  return undefined;
}

export function invokeWrite(
  tools: readonly OfferedTool[],
  path: string,
  text: string,
): Invocation | undefined {
  for (const [name, toInput] of Object.entries(writeTools)) {
    const tool = tools.find((offered) => offered.name === name);
    if (tool === undefined) continue;
    const input = toInput(path, text);
    return typeof input === "string"
      ? { tool, args: { input }, input }
      : { tool, args: onlyKnown(tool, input) };
  }
  // codex offers its own to models that it knows.
  return invokeShell(tools, `printf %s '${text.replaceAll("'", "")}' > '${path}'`);
}

/** Versions differ in what a tool takes; some refuse what they do not know. */
function onlyKnown({ properties }: OfferedTool, args: Record<string, unknown>): Record<string, unknown> {
  if (properties.length === 0) return args;
  return Object.fromEntries(Object.entries(args).filter(([key]) => properties.includes(key)));
}

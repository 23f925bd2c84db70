import type { ServiceProgram } from "./service-program.js";

/* A launch agent as launchd.plist(5) has it. */

const MARK = "<!-- Written by `huddle service install`. -->";

export function labelOf({ name }: Pick<ServiceProgram, "name">): string {
  return `dev.huddle.${name}`;
}

export function renderPlist(program: ServiceProgram): string {
  const { argv, env, logFile } = program;
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
${MARK}
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${escapeXml(labelOf(program))}</string>
  <key>ProgramArguments</key>
  <array>
${argv.map((word) => `    <string>${escapeXml(word)}</string>\n`).join("")}  </array>
  <key>EnvironmentVariables</key>
  <dict>
${Object.entries(env)
  .map(([name, value]) => `    <key>${escapeXml(name)}</key>\n    <string>${escapeXml(value)}</string>\n`)
  .join("")}  </dict>
  <key>WorkingDirectory</key>
  <string>/</string>
  <key>RunAtLoad</key>
  <true/>
  <!-- Again after a failure, at most every 30 seconds. -->
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>ThrottleInterval</key>
  <integer>30</integer>
  <!-- Agents finish their turns; panes outlive a crash and are taken up again. -->
  <key>ExitTimeOut</key>
  <integer>90</integer>
  <key>AbandonProcessGroup</key>
  <true/>
  <key>StandardOutPath</key>
  <string>${escapeXml(logFile)}</string>
  <key>StandardErrorPath</key>
  <string>${escapeXml(logFile)}</string>
</dict>
</plist>
`;
}

export function isOurPlist(text: string): boolean {
  return text.includes(MARK);
}

/** What a plist of ours runs: the executable and its first argument. */
export function readPlist(text: string): [node: string, main: string] | undefined {
  const words =
    /<key>ProgramArguments<\/key>\s*<array>\s*<string>([^<]*)<\/string>\s*<string>([^<]*)<\/string>/.exec(
      text,
    );
  return words === null ? undefined : [unescapeXml(words[1] ?? ""), unescapeXml(words[2] ?? "")];
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

/** Of the control characters XML 1.0 has only tab and line breaks: no path needs the others. */
function escapeXml(text: string): string {
  return text
    .replace(/[&<>"']/g, (character) => entities[character] ?? "")
    .replace(/[\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);
}

function unescapeXml(text: string): string {
  const characters = new Map(Object.entries(entities).map(([character, entity]) => [entity, character]));
  return text.replace(/&(?:#(\d+)|\w+);/g, (entity, code: string | undefined) =>
    code === undefined ? (characters.get(entity) ?? entity) : String.fromCharCode(Number(code)),
  );
}

import { randomBytes } from "node:crypto";
import { closeSync, fchmodSync, openSync, readdirSync, rmSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "../../client/make-folder.js";
import { HubError } from "../../model/errors.js";

/** Longer than any code that is in one of them may live. */
const OLD_MS = 10 * 60_000;

/**
 * A page that only this user can read and that leads on to the link: a browser is told the name of a file on its command
 * line, where every user of the machine can read it, and never the code in the link. Pages of earlier times are removed.
 */
export function writeLoginPage(folder: string, link: string): string {
  try {
    makeFolder(folder);
    removeOldPages(folder);
    const file = join(folder, `open-${randomBytes(12).toString("hex")}.html`);
    const handle = openSync(file, "wx", 0o600);
    try {
      // The umask may have taken more away than it should.
      fchmodSync(handle, 0o600);
      writeSync(handle, pageFor(link));
    } finally {
      closeSync(handle);
    }
    return file;
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new HubError(
      "FILE_UNUSABLE",
      `A page to open cannot be written in ${folder} (${reason})`,
      { file: folder, hint: "huddle ui --print shows the link instead." },
      { cause: error },
    );
  }
}

function removeOldPages(folder: string): void {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    const age = Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0);
    if (/^open-[0-9a-f]{24}\.html$/.test(name) && age > OLD_MS) rmSync(file, { force: true });
  }
}

function pageFor(link: string): string {
  const address = link.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url=${address}">
<title>Opening Huddle</title>
</head>
<body>
<p>Opening the desk. If nothing happens, <a href="${address}">open it here</a>.</p>
</body>
</html>
`;
}

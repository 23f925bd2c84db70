import type { Backend } from "../backend.js";

/*
 * The environment of an agent's process is built from a list of what is let through, so that nothing that happens to be
 * in the hub's own (a token, somebody's cloud credentials) reaches a vendor's CLI.
 */

/** Says that a process was started by a hub, and for whom. No secret: a bridge or hook that sees it stands aside. */
export const hostedVariable = "HUDDLE_HOSTED";

const letThrough = [
  "PATH",
  "HOME",
  "USER",
  "LOGNAME",
  "LANG",
  "LANGUAGE",
  "LC_*",
  "TZ",
  "TERM",
  "COLORTERM",
  "SHELL",
  "TMPDIR",
  "XDG_*",
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "ALL_PROXY",
  "NO_PROXY",
  "http_proxy",
  "https_proxy",
  "all_proxy",
  "no_proxy",
  "NODE_EXTRA_CA_CERTS",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
];

export type Environment = Readonly<Record<string, string>>;

export function hostedMarker(hub: string, agent: string): string {
  return `${hub}:${agent}`;
}

export function buildEnvironment(
  from: Readonly<Record<string, string | undefined>>,
  backend: Pick<Backend, "env" | "passEnv">,
  marker: string,
): Environment {
  const patterns = [...letThrough, ...backend.passEnv];
  const passed = Object.entries(from).filter(([name]) => patterns.some((pattern) => matches(name, pattern)));
  const environment: Record<string, string> = {};
  for (const [name, value] of [...passed, ...Object.entries(backend.env)]) {
    if (value !== undefined && !isOwn(name)) environment[name] = value;
  }
  return { ...environment, [hostedVariable]: marker };
}

/** Huddle's own variables may hold its secrets; an agent gets its identity by a file. */
export function isOwn(name: string): boolean {
  return /^(HUDDLE|JANUS)_/i.test(name);
}

function matches(name: string, pattern: string): boolean {
  return pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}

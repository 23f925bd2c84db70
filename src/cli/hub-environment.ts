import type { Environment } from "../client/connect.js";

/** What a hub in the background may know of the shell that happened to start it: no secrets, no identity. */
const basics = ["PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TMPDIR", "TERM"];
/** Where the person's tmux has its sockets: without it a pane could not be adopted. */
const tmux = ["TMUX_TMPDIR"];
const proxies = ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY"];
const certificates = ["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "SSL_CERT_DIR", "SSH_AUTH_SOCK"];
/** Where the keychain of the person's session answers. */
const keychain = ["DBUS_SESSION_BUS_ADDRESS"];
const driver = ["HUDDLE_SQLITE", "HUDDLE_SQLITE_DIR"];
const allowed = new Set([
  ...basics,
  ...tmux,
  ...driver,
  ...proxies,
  ...proxies.map((name) => name.toLowerCase()),
  ...certificates,
  ...keychain,
]);

/** `named`: the variables that the configuration says a secret is in. */
export function hubEnvironment(
  env: Environment,
  huddleHome: string | undefined,
  named: ReadonlySet<string> = new Set(),
): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && (allowed.has(name) || named.has(name) || /^(LC|XDG)_/.test(name)))
      kept[name] = value;
  }
  // Absolute: the hub does not run in the folder where it was started.
  if (huddleHome !== undefined) kept["HUDDLE_HOME"] = huddleHome;
  return kept;
}

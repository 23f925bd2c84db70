import { isAbsolute, join, resolve } from "node:path";

/** Where everything of one hub lives. `data` holds what must be kept, `state` what may be thrown away. */
export type HuddlePaths = {
  data: string;
  config: string;
  state: string;
  database: string;
  views: string;
  search: string;
  token: string;
  join: string;
  lock: string;
  hubFile: string;
  /** What is known of the ways to run each backend. */
  runtimes: string;
  configFile: string;
  logs: string;
  hubLog: string;
  commsLog: string;
};

type Environment = Readonly<Record<string, string | undefined>>;

/** `HUDDLE_HOME` puts everything into one folder; without it the XDG base directories apply. */
export function resolvePaths(env: Environment, platformHome: string): HuddlePaths {
  const home = env["HUDDLE_HOME"];
  if (home !== undefined && home !== "") {
    const folder = resolve(home);
    return pathsIn(folder, folder, folder);
  }
  return pathsIn(
    join(xdg(env["XDG_DATA_HOME"]) ?? join(platformHome, ".local", "share"), "huddle"),
    join(xdg(env["XDG_CONFIG_HOME"]) ?? join(platformHome, ".config"), "huddle"),
    join(xdg(env["XDG_STATE_HOME"]) ?? join(platformHome, ".local", "state"), "huddle"),
  );
}

function pathsIn(data: string, config: string, state: string): HuddlePaths {
  const logs = join(state, "logs");
  return {
    data,
    config,
    state,
    database: join(data, "huddle.db"),
    views: join(data, "huddle-views.db"),
    search: join(data, "huddle-search.db"),
    token: join(data, "token"),
    join: join(data, "join"),
    lock: join(data, "huddle.lock"),
    hubFile: join(data, "hub.json"),
    runtimes: join(data, "runtimes.json"),
    configFile: join(config, "huddle.yaml"),
    logs,
    hubLog: join(logs, "hub.log"),
    commsLog: join(logs, "agent-comms.log"),
  };
}

/** XDG Base Directory specification: a relative path is invalid and is ignored, as is an empty one. */
function xdg(value: string | undefined): string | undefined {
  return value !== undefined && isAbsolute(value) ? value : undefined;
}

/** `running` is undefined where nobody can be asked; `words` are the manager's own. */
export type ServiceState = {
  isLoaded: boolean;
  isEnabled: boolean;
  running: { pid: number } | undefined;
  words: string;
};

/** What starts programs for a person, at login and after failures. Every call but `file` and `render` MUST reject with SERVICE_UNUSABLE if it does not answer. */
export type ServiceManager = {
  kind: "systemd" | "launchd";
  name: string;
  /** Where the service is described. */
  file: string;
  text: string;
  isOurs(text: string): boolean;
  /** The executable and its first argument, in a description of ours. */
  programIn(text: string): [node: string, main: string] | undefined;
  check(): Promise<void>;
  /** The file is new or another: it is read, and started at login from now on. */
  enable(): Promise<void>;
  start(): Promise<void>;
  state(): Promise<ServiceState>;
  /** It is not started any more, and with `stop` ended. The file is removed by whoever calls. */
  disable(stop: boolean): Promise<void>;
  /** The file is gone. */
  forget(): Promise<void>;
  /** Commands for people. */
  says: { logs: string; restart: string; start: string };
  /** What starts it only while somebody is logged in, and how to change that. */
  lingering(): { isOn: boolean; command: string } | undefined;
};

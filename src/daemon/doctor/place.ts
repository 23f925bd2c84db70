import type { HuddlePaths } from "../../client/paths.js";
import type { HubConfig } from "../config-schema.js";

/** What the checks look at. */
export type Place = {
  paths: HuddlePaths;
  /** Undefined when huddle.yaml cannot be used. */
  config: HubConfig | undefined;
  /** The hub of this home answers: its files are its own. */
  isUp: boolean;
  /** Whether an agent of that id was here and is gone: only the hub itself can tell. */
  isGone?: ((agent: string) => boolean) | undefined;
};

// biome-ignore-all lint/performance/noBarrelFile: what the package shows, and nothing else.
export type { HubErrorCode } from "../model/errors.js";
export { HubError } from "../model/errors.js";
export type {
  BroadcastFields,
  HuddleAgent,
  InboxOptions,
  Mail,
  Receipt,
  SendFields,
} from "./agent.js";
export { type ConnectOptions, connect } from "./connect.js";
export type { FollowOptions, HubEvent } from "./follow-events.js";
export type { Message } from "./hub-frames.js";
export type { LinkState } from "./hub-link.js";
export type { Task } from "./task-calls.js";

import type { z } from "zod";
import { exitCodeOf } from "../../src/cli/exit-codes.js";
import { errorContracts } from "../../src/contract/errors.js";
import { eventContracts, shownTypes } from "../../src/contract/events/events.js";
import { controlFrame } from "../../src/contract/http/hub.js";
import { liveControlFrame, livePart, liveTurnFrame } from "../../src/contract/http/live.js";
import { eventsFields, hubFrames, mailFields } from "../../src/contract/socket/frames.js";
import { paramFields, type RouteOp, routeOps } from "../../src/contract/socket/ops.js";
import { listKeys } from "../../src/daemon/config-keys.js";
import { configSchema } from "../../src/daemon/config-schema.js";
import { agentStatuses } from "../../src/model/agent.js";
import { hubErrorCodes } from "../../src/model/errors.js";
import { eventTypes } from "../../src/model/events.js";
import { dialects, statusWord } from "../../src/model/status-words.js";
import type { Part } from "./blocks.js";
import { fieldTable } from "./field-table.js";
import { toJsonSchema } from "./json-schema.js";
import { code, table } from "./markdown.js";
import { writeShape } from "./write-shape.js";

/** The lists of everything that there is of a kind: events, statuses, errors, configuration keys. */
export function catalogueParts(): Part[] {
  return [
    ["events", table(["Type", "`data`", "When"], eventRows())],
    ["control frames", table(["Frame", "When"], frameRows(controlFrame.options))],
    [
      "live frames",
      table(["Frame", "When"], frameRows([...liveControlFrame.options, ...liveTurnFrame.options])),
    ],
    ["live parts", table(["`part`", "What"], frameRows(livePart.options))],
    ["socket operations", table(["`op`", "Route", "Names of the path"], operationRows())],
    ["socket frames", table(["Frame", "When"], frameRows(hubFrames))],
    ["fields of mail", fieldTable("Field", toJsonSchema(mailFields), "all")],
    ["fields of events", fieldTable("Field", toJsonSchema(eventsFields), "all")],
    ["statuses", table(["Status", ...dialects], statusRows())],
    ["errors", table(["Code", "HTTP", "Exit", "Beside it", "What to do"], errorRows())],
    ["keys", table(["Key", "Default", "What it does"], keyRows())],
  ];
}

function eventRows(): string[][] {
  const shown = shownTypes.map((type) => {
    const schema = toJsonSchema(eventContracts[type]);
    return [code(type), code(writeShape(schema)), schema.description ?? ""];
  });
  const hidden = eventTypes.filter((type) => !shownTypes.some((one) => one === type));
  return [...shown, ...hidden.map((type) => [code(type), "–", "Never leaves the hub"])];
}

function errorRows(): string[][] {
  return hubErrorCodes.map((name) => {
    const { status = "–", beside, retryAfter, fix } = errorContracts[name];
    const header = retryAfter === undefined ? [] : [code(`Retry-After: ${retryAfter}`)];
    const extra = [...(beside === undefined ? [] : [beside]), ...header].join("; ");
    return [code(name), String(status), String(exitCodeOf(name)), extra, fix];
  });
}

function operationRows(): string[][] {
  return Object.entries<RouteOp>(routeOps).map(([name, op]) => [
    code(name),
    code(`${op.route.method} ${op.route.path}`),
    paramFields(op)
      .map(([, field]) => code(field))
      .join(", "),
  ]);
}

function frameRows(frames: readonly z.ZodType[]): string[][] {
  return frames.map((frame) => {
    const schema = toJsonSchema(frame);
    return [code(writeShape(schema)), schema.description ?? ""];
  });
}

function statusRows(): string[][] {
  return agentStatuses.map((status) => [
    code(status),
    ...dialects.map((dialect) => statusWord(dialect, status)),
  ]);
}

function keyRows(): string[][] {
  return listKeys(configSchema).map(({ key, fallback, description }) => [
    code(key),
    code(fallback),
    description,
  ]);
}

import { exitCodeOf } from "../../src/cli/exit-codes.js";
import { errorContracts } from "../../src/contract/errors.js";
import { eventContracts, shownTypes } from "../../src/contract/events/events.js";
import { listKeys } from "../../src/daemon/config-keys.js";
import { configSchema } from "../../src/daemon/config-schema.js";
import { hubErrorCodes } from "../../src/model/errors.js";
import { eventTypes } from "../../src/model/events.js";
import type { Part } from "./blocks.js";
import { toJsonSchema } from "./json-schema.js";
import { code, table } from "./markdown.js";
import { writeShape } from "./write-shape.js";

/** The lists of everything that there is of a kind: events, errors, configuration keys. */
export function catalogueParts(): Part[] {
  return [
    ["events", table(["Type", "`data`", "When"], eventRows())],
    ["errors", table(["Code", "HTTP", "Exit", "What to do"], errorRows())],
    ["keys", table(["Key", "Default", "What it does"], keyRows())],
  ];
}

function eventRows(): string[][] {
  const shown = shownTypes.map((type) => {
    const { description = "", ...schema } = toJsonSchema(eventContracts[type]);
    return [code(type), code(writeShape(schema)), description];
  });
  const hidden = eventTypes.filter((type) => !shownTypes.some((one) => one === type));
  return [...shown, ...hidden.map((type) => [code(type), "–", "Never leaves the hub"])];
}

function errorRows(): string[][] {
  return hubErrorCodes.map((name) => {
    const contract = errorContracts[name];
    const status = "status" in contract ? String(contract.status) : "–";
    return [code(name), status, String(exitCodeOf(name)), contract.fix];
  });
}

function keyRows(): string[][] {
  return listKeys(configSchema).map(({ key, fallback, description }) => [
    code(key),
    code(fallback),
    description,
  ]);
}

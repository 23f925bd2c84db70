import { clause } from "../../model/clause.js";
import { decided } from "../../model/decision.js";
import { quoteLine } from "../../model/others-words.js";
import type { HubDecider } from "../context.js";
import { type EndedTurn, endTurn } from "../rules/end-turn.js";

const ERROR_MOST = 500;

export const recordTurnEnded: HubDecider<EndedTurn, void> = (input, context) =>
  decided(
    endTurn(context, {
      ...input,
      error: input.error === undefined ? undefined : clause(quoteLine(input.error, ERROR_MOST)),
    }),
    undefined,
  );

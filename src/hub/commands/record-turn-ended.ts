import { clause } from "../../model/clause.js";
import { decided } from "../../model/decision.js";
import { quoteLine } from "../../model/others-words.js";
import { keepEnd } from "../../model/turn.js";
import type { HubDecider } from "../context.js";
import { type EndedTurn, endTurn } from "../rules/end-turn.js";

/** Longer texts are the vendor's to keep. */
const TEXT_MOST = 32_768;
const ERROR_MOST = 500;

export const recordTurnEnded: HubDecider<EndedTurn, void> = (input, context) =>
  decided(
    endTurn(context, {
      ...input,
      text: keepEnd(input.text, TEXT_MOST),
      whole: input.text,
      error: input.error === undefined ? undefined : clause(quoteLine(input.error, ERROR_MOST)),
    }),
    undefined,
  );

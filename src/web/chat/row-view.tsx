import { memo } from "react";
import { discardLetter, retryLetter } from "../hub/outbox.js";
import { MessageBubble } from "./bubble/message-bubble.js";
import { NoticeLine } from "./bubble/notice-line.js";
import { UnsentBubble } from "./bubble/unsent-bubble.js";
import type { ChatRow } from "./chat-rows.js";
import { SentLine } from "./turn/sent-line.js";
import { TurnBlock } from "./turn/turn-block.js";

/** One row of the reading column. */
export const RowView = memo(function RowView({ row, isMarked }: { row: ChatRow; isMarked: boolean }) {
  switch (row.kind) {
    case "message":
      return row.as === "notice" ? (
        <NoticeLine message={row.mail.message} />
      ) : (
        <MessageBubble mail={row.mail} as={row.as} isMarked={isMarked} />
      );
    case "sent":
      return <SentLine mail={row.mail} />;
    case "turn":
      return <TurnBlock turn={row.turn} number={row.number} sent={row.sent} end={row.end} />;
    case "unsent": {
      const { id } = row.unsent;
      return (
        <UnsentBubble
          unsent={row.unsent}
          onDiscard={() => discardLetter(id)}
          onRetry={() => retryLetter(id)}
        />
      );
    }
  }
});

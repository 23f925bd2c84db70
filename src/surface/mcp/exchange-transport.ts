import type { JSONRPCMessage, MessageExtraInfo, Transport } from "@modelcontextprotocol/server";

/** Where the messages of one exchange go. */
type ExchangeSink = {
  /** Something to tell before the answer. */
  tell(message: JSONRPCMessage): void;
  answer(message: JSONRPCMessage): void;
};

type ExchangeTransport = Transport & {
  /** Hands the one message of this exchange to the server. */
  receive(message: JSONRPCMessage): void;
};

/** A transport whose whole life is one request and its answer: the protocol's own ones build a web request and response around it. */
export function createExchangeTransport(sink: ExchangeSink): ExchangeTransport {
  let closed = false;
  // The callbacks are set by the server that is connected to it.
  const transport: ExchangeTransport & {
    onmessage?: ((message: JSONRPCMessage, extra?: MessageExtraInfo) => void) | undefined;
  } = {
    start: () => Promise.resolve(),
    send(message) {
      if (!closed) {
        if ("method" in message) sink.tell(message);
        else sink.answer(message);
      }
      return Promise.resolve();
    },
    close() {
      if (!closed) {
        closed = true;
        transport.onclose?.();
      }
      return Promise.resolve();
    },
    receive: (message) => transport.onmessage?.(message, {}),
  };
  return transport;
}

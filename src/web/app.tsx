import { QueryClientProvider } from "@tanstack/react-query";
import { useEffect } from "react";
import { Desk } from "./desk.js";
import { queries } from "./hub/hub.js";
import { startSession, useSession } from "./hub/session.js";
import { startDesk, useStart } from "./hub/start-desk.js";
import { SignIn } from "./shell/sign-in.js";
import { StartFailed } from "./shell/start-failed.js";

/** Who is logged in sees the desk; everybody else what to type. */
export function App() {
  const session = useSession((state) => state.session);
  useEffect(() => void startSession(), []);
  switch (session.kind) {
    case "asking":
      return null;
    case "out":
      return <SignIn why={session.why} />;
    case "in":
      return (
        <QueryClientProvider client={queries}>
          <Started key={session.token} />
        </QueryClientProvider>
      );
  }
}

function Started() {
  const start = useStart((state) => state.start);
  useEffect(() => startDesk(), []);
  return start.kind === "failed" ? <StartFailed error={start.error} /> : <Desk />;
}

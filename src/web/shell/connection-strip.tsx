import { WifiOff } from "lucide-react";
import { useEffect } from "react";
import { tryNow, useConnection, useContact } from "../hub/connection.js";
import { Button } from "../parts/button.js";
import { sayAge, sayClockSeconds } from "../parts/time.js";
import { useNow } from "../parts/use-now.js";
import { announce } from "./announcer.js";
import "./connection-strip.css";
import { usePhone } from "./use-phone.js";

/** That the page is not live, since when, and what is being done about it. */
export function ConnectionStrip() {
  const contact = useContact();
  const isLost = contact === "lost" || contact === "unknown";
  useEffect(() => {
    if (!isLost) return;
    announce("The connection to the hub is lost. Reconnecting.");
    return () => announce("Connected again.");
  }, [isLost]);
  return isLost ? <Strip isUnknown={contact === "unknown"} /> : null;
}

function Strip({ isUnknown }: { isUnknown: boolean }) {
  const connection = useConnection((state) => state.connection);
  const now = useNow();
  const isPhone = usePhone();
  if (connection.kind !== "reconnecting") return null;
  const { lastUpdate, tries, nextAt } = connection;
  const next = nextAt === undefined ? "trying now" : `next in ${sayAge(Math.max(0, nextAt - now) + 999)}`;
  return (
    <div className="strip">
      <WifiOff size={16} className="strip__icon" aria-hidden="true" />
      <span className="strip__words">
        <strong>Reconnecting.</strong> Last update {sayClockSeconds(lastUpdate)}
        {`, ${sayAge(now - lastUpdate).replace(" ", "\u00a0")} ago. `}
        {!isPhone && "You are reading a copy from then"}
        {!isPhone && (isUnknown ? "; statuses are unknown." : ".")}
      </span>
      {!isPhone && (
        <span className="strip__tries figures">
          try {tries}, {next}
        </span>
      )}
      <Button size={24} onClick={tryNow}>
        Try now
      </Button>
    </div>
  );
}

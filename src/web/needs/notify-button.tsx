import { Bell, BellOff } from "lucide-react";
import { Button } from "../parts/button.js";
import { askForNotices, useNotices } from "./notices.js";

/** The browser is asked only when somebody presses this. */
export function NotifyButton() {
  const state = useNotices(({ permission }) => permission);
  if (state === "unsupported" || state === "granted") return null;
  if (state === "denied")
    return (
      <span
        className="needs__blocked"
        title="Allow notifications for this address in the settings of your browser"
      >
        <BellOff size={14} aria-hidden="true" /> Notifications are blocked by the browser
      </span>
    );
  return (
    <Button size={24} icon={<Bell size={14} />} onClick={() => void askForNotices()}>
      Notify me
    </Button>
  );
}

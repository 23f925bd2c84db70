import { useEffect, useRef } from "react";
import { create } from "zustand";
import { useNeeds } from "../hub/use-hub.js";
import { goTo } from "../shell/places.js";
import { newNeeds, noticeWords } from "./need-notice.js";

/*
 * Notifications of the browser: when something new waits for the person and nobody sees the page. They make no sound, and
 * clicking one goes to what it tells of.
 */

type NoticePermission = NotificationPermission | "unsupported";

export const useNotices = create<{ permission: NoticePermission }>(() => ({ permission: readPermission() }));

function readPermission(): NoticePermission {
  return "Notification" in window ? Notification.permission : "unsupported";
}

export async function askForNotices(): Promise<void> {
  if (!("Notification" in window)) return;
  await Notification.requestPermission();
  useNotices.setState({ permission: readPermission() });
}

/** Once on the page, wherever somebody is. */
export function useNeedNotices(): void {
  const items = useNeeds().data?.items;
  const known = useRef<ReadonlySet<string>>(undefined);
  useEffect(() => {
    if (items === undefined) return;
    const fresh = newNeeds(known.current, items);
    known.current = new Set(items.map(({ id }) => id));
    if (document.visibilityState === "visible" || readPermission() !== "granted") return;
    const [first] = fresh;
    if (first === undefined) return;
    const words = fresh.length === 1 ? noticeWords(first) : `${fresh.length} things need you`;
    const notice = new Notification("huddle", { body: words, tag: "huddle-needs-you", silent: true });
    notice.addEventListener("click", () => {
      window.focus();
      goTo(fresh.length === 1 ? { page: "needs-you", id: first.id } : { page: "needs-you" });
      notice.close();
    });
  }, [items]);
}

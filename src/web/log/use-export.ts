import { useEffect, useRef, useState } from "react";
import { sayWhy } from "../parts/error-card.js";
import { showToast } from "../parts/toast-store.js";
import { type ExportFormat, exportLog, saveFile } from "./export-log.js";

/** Saves what a query finds, one export at a time; leaving the page ends it. */
export function useExport(query: string) {
  const [count, setCount] = useState<number>();
  const stop = useRef<AbortController>(undefined);
  useEffect(() => () => stop.current?.abort(), []);

  async function run(format: ExportFormat, signal: AbortSignal): Promise<void> {
    try {
      const { file, count: saved } = await exportLog(query, format, setCount, signal);
      saveFile(file, `huddle-log.${format}`);
      showToast({ tone: "done", title: `${saved.toLocaleString("en")} rows saved as huddle-log.${format}` });
    } catch (error) {
      if (!signal.aborted) showToast({ tone: "failed", title: "Nothing was exported", text: sayWhy(error) });
    } finally {
      if (!signal.aborted) setCount(undefined);
    }
  }

  return {
    isWorking: count !== undefined,
    progress: `${(count ?? 0).toLocaleString("en")} rows`,
    start(format: ExportFormat) {
      if (count !== undefined) return;
      stop.current = new AbortController();
      setCount(0);
      void run(format, stop.current.signal);
    },
  };
}

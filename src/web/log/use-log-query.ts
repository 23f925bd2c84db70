import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { HubError } from "../../model/errors.js";
import { parseSearch } from "../../model/search-query.js";
import { goTo } from "../shell/places.js";
import { type FieldQuery, readFieldQuery, sayQuery } from "./complete-query.js";
import { type LogSource, openLog } from "./log-source.js";

/** So long somebody writes on before it is looked for. */
const PAUSE_MS = 250;

/** What stands in the field, and the rows that it means. The address keeps it. */
export function useLogQuery(address: string) {
  const [field, setField] = useState<FieldQuery>(() => readFieldQuery(address));
  const written = sayQuery(field);
  const problem = findProblem(written);
  const [query, setQuery] = useState(() => (problem === undefined ? written : ""));
  const shown = useRef(address);

  useEffect(() => {
    if (problem !== undefined || written === query) return;
    const timer = window.setTimeout(() => setQuery(written), PAUSE_MS);
    return () => window.clearTimeout(timer);
  }, [written, problem, query]);

  useEffect(() => {
    if (query === shown.current) return;
    shown.current = query;
    goTo(query === "" ? { page: "log" } : { page: "log", id: query }, { replace: true });
  }, [query]);

  // A link to another query, or the browser's way back.
  useEffect(() => {
    if (address === shown.current) return;
    shown.current = address;
    setField(readFieldQuery(address));
    if (findProblem(address) === undefined) setQuery(sayQuery(readFieldQuery(address)));
  }, [address]);

  const change = useCallback((next: FieldQuery) => setField(next), []);
  return { field, change, query, problem, source: useSource(query) };
}

function useSource(query: string): LogSource {
  const source = useMemo(() => openLog(query), [query]);
  useEffect(() => source.start(), [source]);
  return source;
}

function findProblem(query: string): string | undefined {
  try {
    parseSearch(query, Date.now());
    return undefined;
  } catch (error) {
    return error instanceof HubError ? error.message : String(error);
  }
}

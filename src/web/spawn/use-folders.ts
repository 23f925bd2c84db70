import { useQuery } from "@tanstack/react-query";
import { useDeferredValue } from "react";
import type { HubClient } from "../../client/hub-client.js";
import { hub } from "../hub/hub.js";
import { isBelow, splitPath, withoutSlash } from "./spawn-form.js";

export type FolderList = Awaited<ReturnType<HubClient["folders"]>>;

/** The folders in one, or, without a path, those to begin with. */
export function useFolders(path: string | undefined) {
  return useQuery({
    queryKey: ["folders", path ?? ""],
    queryFn: ({ signal }) => hub.folders(path === undefined ? {} : { path }, { signal }),
    retry: false,
    gcTime: 10_000,
    staleTime: 5_000,
  });
}

/** What is known of a folder that somebody types: `outside` is where agents may not work, `unknown` what was not found. */
export type FolderFacts =
  | { kind: "none" | "looking" | "outside" | "unknown" }
  | { kind: "known"; git: boolean };

/** It is looked for among what lies beside it, so that nothing is asked for what is only half typed. */
export function useFolderFacts(path: string): FolderFacts {
  const typed = useDeferredValue(path);
  const whole = withoutSlash(typed);
  const { folder, begins } = splitPath(whole);
  const { data: start } = useFolders(undefined);
  const roots = start?.roots ?? [];
  const isItself = isBelow(whole, roots) && (roots.includes(whole) || typed.endsWith("/"));
  const isBeside = !isItself && folder !== undefined && isBelow(folder, roots);
  const itself = useFolders(isItself ? whole : undefined);
  const beside = useFolders(isBeside ? folder : undefined);
  if (folder === undefined) return { kind: "none" };
  const recent = start?.recent.find((one) => one.path === whole);
  if (recent !== undefined) return { kind: "known", git: recent.git };
  if (start === undefined) return { kind: "looking" };
  if (!isItself && !isBeside) return { kind: "outside" };
  const list = isItself ? itself : beside;
  if (list.error !== null) return { kind: "unknown" };
  if (list.data === undefined) return { kind: "looking" };
  if (isItself) return { kind: "known", git: list.data.git };
  const found = list.data.folders.find(({ name }) => name === begins);
  return found === undefined ? { kind: "unknown" } : { kind: "known", git: found.git };
}

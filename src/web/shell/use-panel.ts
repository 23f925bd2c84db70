import { useCallback, useEffect, useRef, useState } from "react";

/**
 * Whether the panel beside a page is open, for what the address names. A link opens it; a key that only moves to something
 * (`noteMove` before it does) leaves it as it is; nothing named closes it.
 */
export function usePanel(named: string | undefined) {
  const [isOpen, setOpen] = useState(named !== undefined);
  const moved = useRef<string>(undefined);
  useEffect(() => {
    if (named === undefined) setOpen(false);
    else if (named !== moved.current) setOpen(true);
  }, [named]);
  const noteMove = useCallback((to: string) => {
    moved.current = to;
  }, []);
  return { isOpen, setOpen, noteMove };
}

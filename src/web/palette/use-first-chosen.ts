import { type RefObject, useEffect, useRef, useState } from "react";

/**
 * What is chosen in the palette: the first item, also when a better one comes in before it while answers of the hub arrive, until
 * somebody moves. Another text begins anew.
 */
export function useFirstChosen(text: string, list: RefObject<HTMLElement | null>) {
  const [chosen, setChosen] = useState("");
  const hasMoved = useRef(false);
  useEffect(() => {
    hasMoved.current = false;
    const element = list.current;
    if (element === null) return;
    const chooseFirst = () => {
      const first = element.querySelector<HTMLElement>("[cmdk-item]")?.dataset["value"];
      if (!hasMoved.current && first !== undefined) setChosen(first);
    };
    chooseFirst();
    const observer = new MutationObserver(chooseFirst);
    observer.observe(element, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, [text, list]);
  return {
    chosen,
    choose: setChosen,
    noteMove: () => {
      hasMoved.current = true;
    },
  };
}

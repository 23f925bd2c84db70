import { type RefObject, useEffect, useState } from "react";

/** How large an element is, without its edges. Undefined until it was measured. */
export function useSize(place: RefObject<HTMLElement | null>) {
  const [size, setSize] = useState<{ width: number; height: number }>();
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const sizes = new ResizeObserver(() => {
      const { clientWidth: width, clientHeight: height } = element;
      setSize((before) => (before?.width === width && before.height === height ? before : { width, height }));
    });
    sizes.observe(element);
    return () => sizes.disconnect();
  }, [place]);
  return size;
}

import { Command } from "cmdk";
import type { ReactNode } from "react";
import { closePalette } from "./palette-store.js";

/** One thing to go to or do. `value` tells it apart from all others. */
export function PaletteItem(props: {
  value: string;
  icon: ReactNode;
  act: () => void;
  end?: ReactNode;
  children: ReactNode;
}) {
  return (
    <Command.Item
      className="palette__item"
      value={props.value}
      onSelect={() => {
        closePalette();
        props.act();
      }}
    >
      <span className="palette__icon">{props.icon}</span>
      <span className="palette__text">{props.children}</span>
      {props.end !== undefined && <span className="palette__hint">{props.end}</span>}
    </Command.Item>
  );
}

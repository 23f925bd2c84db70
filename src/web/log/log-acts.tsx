import { Download, Ellipsis, Pause, Play } from "lucide-react";
import { useRef } from "react";
import { Button, IconButton } from "../parts/button.js";
import { Menu, type MenuItem } from "../parts/menu.js";
import type { useExport } from "./use-export.js";

type Props = {
  isPhone: boolean;
  isPaused: boolean;
  onPause: () => void;
  save: ReturnType<typeof useExport>;
  /** Whether the menu is open. */
  isOpen: boolean;
  onOpen: (isOpen: boolean) => void;
};

/** What can be done with the log as a whole. A phone has room for one button. */
export function LogActs({ isPhone, isPaused, onPause, save, isOpen, onOpen }: Props) {
  const anchor = useRef<HTMLButtonElement>(null);
  const formats: MenuItem[] = [
    { label: "JSONL, a message per line", act: () => save.start("jsonl") },
    { label: "Markdown", act: () => save.start("md") },
  ];
  const menu = { "aria-haspopup": "menu", "aria-expanded": isOpen, onClick: () => onOpen(true) } as const;
  return (
    <div className="log-acts">
      {isPhone ? (
        <IconButton ref={anchor} label="Pause, export" icon={<Ellipsis size={18} />} {...menu} />
      ) : (
        <>
          <Button icon={isPaused ? <Play size={14} /> : <Pause size={14} />} onClick={onPause}>
            {isPaused ? "Follow" : "Pause tail"}
          </Button>
          <Button ref={anchor} icon={<Download size={14} />} working={save.isWorking} {...menu}>
            {save.isWorking ? save.progress : "Export"}
          </Button>
        </>
      )}
      {isOpen && (
        <Menu
          label={isPhone ? "Pause, export" : "Export"}
          anchor={anchor}
          onClose={() => onOpen(false)}
          items={
            isPhone
              ? [
                  { label: isPaused ? "Follow" : "Pause tail", act: onPause },
                  ...formats.map((item) => ({ ...item, label: `Export: ${item.label}` })),
                ]
              : formats
          }
        />
      )}
    </div>
  );
}

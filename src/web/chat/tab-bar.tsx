export type Tab = "chat" | "terminal" | "threads" | "mail" | "turns";

type Props = {
  tabs: readonly { tab: Tab; label: string; count?: number | string | undefined }[];
  chosen: Tab;
  onChoose: (tab: Tab) => void;
};

/** What of an agent is shown. */
export function TabBar({ tabs, chosen, onChoose }: Props) {
  return (
    <div className="tab-bar" role="tablist" aria-label="Views of the agent">
      {tabs.map(({ tab, label, count }, at) => (
        <button
          key={tab}
          id={`tab-${tab}`}
          type="button"
          role="tab"
          className={`tab-bar__tab tab-bar__tab--${tab}`}
          aria-selected={tab === chosen}
          aria-controls="tab-panel"
          tabIndex={tab === chosen ? 0 : -1}
          onClick={() => onChoose(tab)}
          onKeyDown={(event) => {
            const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
            const next = step === undefined ? undefined : tabs[(at + step + tabs.length) % tabs.length];
            if (next === undefined) return;
            onChoose(next.tab);
            document.getElementById(`tab-${next.tab}`)?.focus();
          }}
        >
          {label}
          {count === undefined || count === 0 ? null : <span className="tab-bar__count">{count}</span>}
        </button>
      ))}
    </div>
  );
}

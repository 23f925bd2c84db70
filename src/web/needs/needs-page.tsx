import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useCanAct } from "../hub/connection.js";
import { EmptyState } from "../parts/empty-state.js";
import { ErrorCard } from "../parts/error-card.js";
import { SegmentedControl } from "../parts/segmented-control.js";
import { Skeleton } from "../parts/skeleton.js";
import { PageFrame } from "../shell/page-frame.js";
import { PageHead } from "../shell/page-head.js";
import { useTitle } from "../shell/page-title.js";
import { usePhone } from "../shell/use-phone.js";
import { AnsweredToday } from "./answered-today.js";
import "./needs-page.css";
import "./need-card.css";
import "./exact.css";
import { NeedContext } from "./need-card.js";
import { NeedItem } from "./need-item.js";
import { NotifyButton } from "./notify-button.js";
import { countGroups, isInGroup, type NeedGroup, needGroups } from "./shown-needs.js";
import { showCard, useNeedKeys } from "./use-need-keys.js";
import { useAnswered, useShownNeeds, useSteadyClicks } from "./use-shown-needs.js";

const groupWords: { readonly [G in NeedGroup]: string } = {
  all: "All",
  permissions: "Permissions",
  held: "Held",
  trouble: "Trouble",
  questions: "Questions",
};

/** All that waits for the person. `id`: the one that a link leads to. */
export function NeedsPage({ id }: { id?: string | undefined }) {
  const { shown, data, error, refetch } = useShownNeeds();
  const answered = useAnswered();
  const [group, setGroup] = useState<NeedGroup>("all");
  const isPhone = usePhone();
  useTitle("Needs you");
  const counts = countGroups(data?.items ?? []);
  const listed = shown.filter(({ need }) => isInGroup(group, need));
  const list = useRef<HTMLDivElement>(null);
  useNeedKeys(list, listed.length === 0);
  useLinked(
    list,
    id,
    listed.some(({ need }) => need.id === id),
  );
  const isSteady = useSteadyClicks(listed.map(({ need }) => need.id).join(" "));
  const canAct = useCanAct();
  const permissions = answered.data?.permissions;
  const answerOf = useCallback(
    (need: string) => permissions?.find((permission) => permission.id === need),
    [permissions],
  );
  const steadyRef = useRef(isSteady);
  steadyRef.current = isSteady;
  const context = useMemo(
    () => ({ isSteady: () => steadyRef.current(), canAct, answerOf }),
    [canAct, answerOf],
  );
  return (
    <PageFrame
      panel={
        !isPhone && (
          <>
            <AnsweredToday answered={permissions ?? []} />
            <div className="needs__notify">
              <NotifyButton />
            </div>
          </>
        )
      }
      panelLabel="Answered today"
    >
      <PageHead
        title="Needs you"
        about="Oldest deadline first. What is answered elsewhere goes grey at once."
      >
        {isPhone && <NotifyButton />}
        {(!isPhone || counts.all > 3) && (
          <SegmentedControl
            label="Which"
            value={group}
            onChange={setGroup}
            segments={needGroups
              .filter((one) => one !== "questions" || counts.questions > 0 || group === "questions")
              .map((one) => ({ value: one, label: groupWords[one], count: counts[one] }))}
          />
        )}
      </PageHead>
      <div className="needs__list" ref={list}>
        {error !== null && data === undefined ? (
          <ErrorCard title="What needs you could not be loaded" error={error} retry={() => void refetch()} />
        ) : data === undefined ? (
          <div className="needs__waiting">
            <Skeleton lines={6} label="Loading what needs you" />
          </div>
        ) : listed.length === 0 ? (
          <NothingNeeded group={group} others={counts.all} />
        ) : (
          <NeedContext value={context}>
            {listed.map((one) => (
              <NeedItem key={one.need.id} shown={one} />
            ))}
          </NeedContext>
        )}
      </div>
    </PageFrame>
  );
}

function NothingNeeded({ group, others }: { group: NeedGroup; others: number }) {
  if (group !== "all" && others > 0)
    return <EmptyState title={`Nothing under ${groupWords[group]}`}>{others} under All.</EmptyState>;
  return (
    <EmptyState title="Nothing needs you" command="huddle inbox">
      Permissions that agents ask for, held conversations, questions to you and agents in trouble come here.
      The same list in a terminal:
    </EmptyState>
  );
}

/** The one that a link leads to gets the focus, once, as soon as it is there. */
function useLinked(
  list: React.RefObject<HTMLDivElement | null>,
  id: string | undefined,
  isListed: boolean,
): void {
  const led = useRef<string>(undefined);
  useEffect(() => {
    if (id === undefined || !isListed || led.current === id) return;
    const card = list.current?.querySelector<HTMLElement>(`[data-need="${CSS.escape(id)}"]`);
    if (card === undefined || card === null) return;
    led.current = id;
    showCard(card, list.current);
  }, [list, id, isListed]);
}

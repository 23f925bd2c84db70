import { useQuery } from "@tanstack/react-query";
import type { HealthDetails, Usage } from "../../client/hub-client.js";
import { hub } from "../hub/hub.js";
import { sayDollars, sayRoughly } from "../parts/amounts.js";
import { ErrorCard } from "../parts/error-card.js";
import { Monogram } from "../parts/monogram.js";
import { ShownText } from "../parts/shown-text.js";
import { Skeleton } from "../parts/skeleton.js";
import { hrefOf } from "../shell/places.js";
import { HealthCard, UseBar } from "./health-card.js";

type UsageRow = Usage["usage"][number];

const DAYS = 21;
const AGENTS = 50;

/** What turns used on each day: cost where vendors told it, else tokens. */
export function DaysCard() {
  const { data, error, refetch } = useUsage("day", DAYS);
  const days = fillDays(data?.usage ?? []);
  const hasCost = days.some(({ cost_usd }) => cost_usd !== null);
  const amountOf = (row: UsageRow) => (hasCost ? (row.cost_usd ?? 0) : row.input_tokens + row.output_tokens);
  const most = Math.max(...days.map(amountOf), 0);
  return (
    <HealthCard
      title="Usage by day"
      about={days.length === 0 ? undefined : hasCost ? "cost, as vendors tell it" : "tokens"}
    >
      <State data={data} error={error} retry={() => void refetch()} empty="No turns yet." />
      {days.length > 0 && (
        <table className="day-chart">
          <thead className="visually-hidden">
            <tr>
              <th scope="col">Day</th>
              <th scope="col">Turns</th>
              <th scope="col">Tokens in</th>
              <th scope="col">Tokens out</th>
              <th scope="col">Cost</th>
            </tr>
          </thead>
          <tbody className="day-chart__bars">
            {days.map((row) => (
              <tr key={row.key} className="day-chart__day" title={sayDayUsage(row)}>
                <td className="day-chart__bar">
                  <span
                    className="day-chart__column"
                    style={{
                      height: `${most === 0 || row.turns === 0 ? 0 : Math.max(2, (amountOf(row) / most) * 100)}%`,
                    }}
                  />
                </td>
                <th scope="row" className="day-chart__key figures">
                  {row.key.slice(8)}
                  <span className="visually-hidden"> {row.key}</span>
                </th>
                <td className="visually-hidden">{row.turns}</td>
                <td className="visually-hidden">{sayTokens(row, row.input_tokens)}</td>
                <td className="visually-hidden">{sayTokens(row, row.output_tokens)}</td>
                <td className="visually-hidden">{sayCost(row)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {days.length > 0 && <DaySums days={days} />}
    </HealthCard>
  );
}

/** The last days, oldest first; a day without a turn is there too. `usage` has the newest first. */
function fillDays(usage: readonly UsageRow[]): UsageRow[] {
  const [newest] = usage;
  if (newest === undefined) return [];
  const byKey = new Map(usage.map((row) => [row.key, row]));
  const end = Date.parse(newest.key);
  return Array.from({ length: DAYS }, (_, day) => {
    const key = new Date(end - (DAYS - 1 - day) * 86_400_000).toISOString().slice(0, 10);
    return byKey.get(key) ?? { key, turns: 0, input_tokens: 0, output_tokens: 0, cost_usd: null };
  });
}

function DaySums({ days }: { days: readonly UsageRow[] }) {
  const today = days.at(-1);
  if (today === undefined) return null;
  return (
    <p className="health-note figures">
      {today.key}: {sayDayUsage(today)}
    </p>
  );
}

function sayDayUsage(row: UsageRow): string {
  return `${row.turns} turn${row.turns === 1 ? "" : "s"}, ${sayTokens(row, row.input_tokens)} tokens in, ${sayTokens(row, row.output_tokens)} out, ${sayCost(row)}`;
}

/** What each agent used, and how much of its budget that is. */
export function AgentsCard({ budgets }: { budgets: HealthDetails["budgets"] }) {
  const { data, error, refetch } = useUsage("agent", AGENTS);
  const rows = data?.usage ?? [];
  return (
    <HealthCard title="Usage by agent" about={sayBudgets(budgets)}>
      <State
        data={data}
        error={error}
        retry={() => void refetch()}
        empty="No turns yet. Agents in tmux panes and those that you started tell no usage."
      />
      {rows.length > 0 && (
        <table className="health-table health-table--usage">
          <thead>
            <tr>
              <th scope="col">Agent</th>
              <th scope="col">Turns</th>
              <th scope="col">Tokens in</th>
              <th scope="col">Out</th>
              <th scope="col">Cost</th>
              <th scope="col">Of its budget</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.key}>
                <th scope="row">
                  <a className="health-agent" href={hrefOf({ page: "agent", name: row.key })}>
                    <Monogram name={row.name ?? row.key} size={18} />
                    <ShownText text={row.name ?? row.key} />
                  </a>
                </th>
                <td className="figures">{row.turns}</td>
                <td className="figures">{sayTokens(row, row.input_tokens)}</td>
                <td className="figures">{sayTokens(row, row.output_tokens)}</td>
                <td className="figures">{sayCost(row)}</td>
                <td>
                  <BudgetUse row={row} budgets={budgets} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {rows.some(({ cost_partial }) => cost_partial === true) && (
        <p className="health-note">+ of some turns no vendor told the cost.</p>
      )}
    </HealthCard>
  );
}

function BudgetUse({ row, budgets }: { row: UsageRow; budgets: HealthDetails["budgets"] }) {
  if (budgets.reached.some(({ kind, key }) => kind === "agent" && key === row.key))
    return <a href={hrefOf({ page: "needs-you" })}>used up, waits for you</a>;
  const shares = [
    { used: row.cost_usd ?? 0, most: budgets.agent_usd, say: sayDollars },
    { used: row.input_tokens + row.output_tokens, most: budgets.agent_tokens, say: sayRoughly },
  ].flatMap(({ most, ...rest }) => (most === null ? [] : [{ ...rest, most }]));
  if (shares.length === 0) return <span className="health-dim">–</span>;
  const [nearest] = shares.sort((a, b) => b.used / b.most - a.used / a.most);
  if (nearest === undefined) return null;
  return (
    <span className="health-budget figures">
      <UseBar used={nearest.used} most={nearest.most} /> {nearest.say(nearest.most)}
    </span>
  );
}

function sayBudgets({ agent_usd, agent_tokens, workflow_usd }: HealthDetails["budgets"]): string {
  const set = [
    ...(agent_usd === null ? [] : [`${sayDollars(agent_usd)} an agent`]),
    ...(agent_tokens === null ? [] : [`${sayRoughly(agent_tokens)} tokens an agent`]),
    ...(workflow_usd === null ? [] : [`${sayDollars(workflow_usd)} a workflow`]),
  ];
  return set.length === 0 ? "no budget is set" : `budget: ${set.join(", ")}`;
}

function useUsage(by: "day" | "agent", limit: number) {
  return useQuery({
    queryKey: ["usage", by],
    queryFn: ({ signal }) => hub.usage({ by, limit }, { signal }),
  });
}

function State(props: { data: Usage | undefined; error: unknown; retry: () => void; empty: string }) {
  const { data, error, retry, empty } = props;
  if (data !== undefined) return data.usage.length > 0 ? null : <p className="health-note">{empty}</p>;
  return (
    <div className="health-card__waits">
      {error === null ? (
        <Skeleton lines={3} label="Loading usage" />
      ) : (
        <ErrorCard title="The usage could not be loaded" error={error} retry={retry} />
      )}
    </div>
  );
}

/** Turns without a single token were not free: nobody told what they used. */
function sayTokens({ input_tokens, output_tokens }: UsageRow, tokens: number): string {
  return input_tokens + output_tokens === 0 ? "–" : sayRoughly(tokens);
}

function sayCost({ cost_usd, cost_partial }: UsageRow): string {
  return `${sayDollars(cost_usd)}${cost_partial === true && cost_usd !== null ? " +" : ""}`;
}

import { Pause, Repeat } from "lucide-react";
import { type ReactNode, type RefObject, useEffect, useMemo, useRef } from "react";
import type { PingPong } from "../../../model/ping-pong.js";
import { pairsOfRing, type Ring } from "../network-model.js";
import { pairKey } from "../pair.js";
import { CooldownLeft } from "../pair-parts.js";
import type { Pair } from "../use-network.js";
import { describeEdge } from "./describe-edge.js";
import { type Box, bowOf, type EdgeShape, labelBox, shapeEdge } from "./edge-shape.js";
import { GraphEdge } from "./graph-edge.js";
import { GraphNode, NODE_HEIGHT, nodeWidth } from "./graph-node.js";
import "./network-graph.css";
import { useSize } from "../../shell/use-size.js";
import { usePlaces } from "./use-places.js";

type Props = {
  pairs: readonly Pair[];
  pingPongs: ReadonlyMap<string, PingPong>;
  rings: readonly Ring[];
  /** Those of the pair or the conversation that is looked at. */
  selected: ReadonlySet<string>;
  at: number;
  onSelect: (key: string) => void;
};

/** Among more lines than these only the loud ones have words. */
const MANY = 40;
const EDGE = 26;
/** Half of a label's width. */
const LABEL = 66;
const SMALLEST = 0.7;

/** The same pairs as the table has, as lines between agents. */
export function NetworkGraph({ pairs, pingPongs, rings, selected, at, onSelect }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const size = useSize(frame);
  const lines = useRef<SVGSVGElement>(null);
  useClickedEdge(lines, onSelect);
  const names = useMemo(() => [...new Set(pairs.flatMap(({ from, to }) => [from, to]))].sort(), [pairs]);
  const boxes = useBoxes(names, pairs, size?.width);
  const shapes = useShapes(pairs, boxes);
  const ringOf = useMemo(() => ringsByPair(rings), [rings]);
  const { left, top, width, height } = useMemo(() => extentOf(boxes, shapes), [boxes, shapes]);
  const scale =
    size === undefined ? 1 : Math.max(SMALLEST, Math.min(1, size.width / width, size.height / height));
  const edges = pairs.flatMap((pair) => {
    const shape = shapes.get(pairKey(pair));
    if (shape === undefined) return [];
    const key = pairKey(pair);
    const context = { isPingPong: pingPongs.has(key), ring: ringOf.get(key) ?? ("none" as const), at };
    return [{ key, pair, shape, look: describeEdge(pair, context) }];
  });
  return (
    <div className={`graph ${edges.length > MANY ? "graph--many" : ""}`} ref={frame}>
      <div className="graph__sheet" style={{ width: width * scale, height: height * scale }}>
        <div
          className="graph__canvas"
          style={{ width, height, transform: `scale(${scale}) translate(${-left}px, ${-top}px)` }}
        >
          {pairsOnce(pairs, pingPongs).map((pair) => (
            <PingPongField
              key={pairKey(pair)}
              pair={pair}
              boxes={boxes}
              pingPong={pingPongs.get(pairKey(pair))}
            />
          ))}
          <svg className="graph__edges" ref={lines} width={width} height={height} aria-hidden="true">
            {edges.map(({ pair, shape, look }) => (
              <GraphEdge
                key={pairKey(pair)}
                id={pairKey(pair)}
                line={shape.line}
                arrow={shape.arrow}
                width={look.width}
                tone={look.tone}
                dash={look.dash}
                isSelected={selected.has(pairKey(pair))}
                isDimmed={selected.size > 0 && edges.length > MANY && !selected.has(pairKey(pair))}
              />
            ))}
          </svg>
          {names.map((name) => {
            const box = boxes.get(name);
            return box === undefined ? null : <GraphNode key={name} name={name} x={box.x} y={box.y} />;
          })}
          {edges.map(({ pair, shape, look }) =>
            look.label !== undefined &&
            (edges.length <= MANY || look.isLoud || selected.has(pairKey(pair))) ? (
              <span
                key={pairKey(pair)}
                className={`edge-label edge-label--${look.tone}`}
                style={{ left: shape.label.x, top: shape.label.y }}
                aria-hidden="true"
              >
                <span className="edge-label__words figures">{look.label}</span>
                {pair.next_ms > 0 && !pair.paused && (
                  <span className="edge-label__words edge-label__cooldown figures">
                    <CooldownLeft dueAt={at + pair.next_ms} /> · level {pair.level}
                  </span>
                )}
              </span>
            ) : null,
          )}
          {rings.map((ring) => (
            <RingLabel key={ring.conversation} ring={ring} shapes={shapes} />
          ))}
        </div>
      </div>
    </div>
  );
}

type Boxes = ReadonlyMap<string, Box>;

function useBoxes(names: readonly string[], pairs: readonly Pair[], width: number | undefined): Boxes {
  const places = usePlaces(names, pairs, width);
  const who = names.join(" ");
  return useMemo(
    () =>
      new Map(
        who.split(" ").flatMap((name): [string, Box][] => {
          const place = places.get(name);
          return place === undefined
            ? []
            : [[name, { ...place, width: nodeWidth(name), height: NODE_HEIGHT }]];
        }),
      ),
    [who, places],
  );
}

/** They change when somebody comes or moves, not with how much is written. */
function useShapes(pairs: readonly Pair[], boxes: Boxes): ReadonlyMap<string, EdgeShape> {
  const keys = pairs.map(pairKey).join("|");
  return useMemo(() => {
    const known = new Set(keys.split("|"));
    const taken = [...boxes.values()];
    return new Map(
      [...known].flatMap((key): [string, EdgeShape][] => {
        const [one = "", other = ""] = key.split(" ");
        const [from, to] = [boxes.get(one), boxes.get(other)];
        if (from === undefined || to === undefined) return [];
        const others = [...boxes].filter(([name]) => name !== one && name !== other).map(([, box]) => box);
        // Among many, lines that go around others would only be one more tangle.
        const bow = bowOf(from, to, known.size > MANY ? [] : others, known.has(`${other} ${one}`));
        const shape = shapeEdge(from, to, bow, known.size > MANY ? [] : taken);
        taken.push(labelBox(shape));
        return [[key, shape]];
      }),
    );
  }, [keys, boxes]);
}

/** All of it: the nodes, and the words on lines that swing out beyond them. */
function extentOf(boxes: Boxes, shapes: ReadonlyMap<string, EdgeShape>) {
  const nodes = [...boxes.values()];
  const labels = [...shapes.values()].map(({ label }) => label);
  const left = Math.min(
    ...nodes.map(({ x, width }) => x - width / 2 - EDGE),
    ...labels.map(({ x }) => x - LABEL),
  );
  const right = Math.max(
    ...nodes.map(({ x, width }) => x + width / 2 + EDGE),
    ...labels.map(({ x }) => x + LABEL),
  );
  const top = Math.min(...nodes.map(({ y, height }) => y - height / 2 - EDGE));
  const bottom = Math.max(...nodes.map(({ y, height }) => y + height / 2 + EDGE + 16));
  return Number.isFinite(left + top)
    ? { left, top, width: right - left, height: bottom - top }
    : { left: 0, top: 0, width: 1, height: 1 };
}

/** Which pairs are in a ring, and whether that waits. */
function ringsByPair(rings: readonly Ring[]): ReadonlyMap<string, "open" | "paused"> {
  const found = new Map<string, "open" | "paused">();
  for (const ring of rings)
    for (const key of pairsOfRing(ring))
      if (found.get(key) !== "paused") found.set(key, ring.isPaused ? "paused" : "open");
  return found;
}

/** Of both directions one. */
function pairsOnce(pairs: readonly Pair[], pingPongs: ReadonlyMap<string, PingPong>): readonly Pair[] {
  return pairs.filter((pair) => pair.from < pair.to && pingPongs.has(pairKey(pair)));
}

function PingPongField(props: { pair: Pair; boxes: Boxes; pingPong: PingPong | undefined }) {
  const { pair, boxes, pingPong } = props;
  const around = aroundAll([pair.from, pair.to], boxes);
  if (around === undefined || pingPong === undefined) return null;
  return (
    <div className="ping-pong" style={around}>
      <span className="ping-pong__words figures">
        ping-pong · {pingPong.messages} in {pingPong.minutes} min
      </span>
    </div>
  );
}

function aroundAll(names: readonly string[], boxes: Boxes) {
  const found = names.flatMap((name) => boxes.get(name) ?? []);
  if (found.length < names.length) return undefined;
  const left = Math.min(...found.map(({ x, width }) => x - width / 2)) - 22;
  const top = Math.min(...found.map(({ y, height }) => y - height / 2)) - 16;
  const right = Math.max(...found.map(({ x, width }) => x + width / 2)) + 22;
  const bottom = Math.max(...found.map(({ y, height }) => y + height / 2)) + 36;
  return { left, top, width: right - left, height: bottom - top };
}

/** On the longest line of the ring, where there is most room. */
function RingLabel({ ring, shapes }: { ring: Ring; shapes: ReadonlyMap<string, EdgeShape> }): ReactNode {
  const [longest] = pairsOfRing(ring)
    .flatMap((key) => shapes.get(key) ?? [])
    .sort((one, other) => other.length - one.length);
  if (longest === undefined) return null;
  return (
    <span className="ring-label figures" style={{ left: longest.label.x, top: longest.label.y }}>
      {ring.isPaused ? <Pause size={12} aria-hidden="true" /> : <Repeat size={12} aria-hidden="true" />}
      {ring.isPaused ? `ring paused · ${ring.held} held` : `ring · ${ring.budget}`}
    </span>
  );
}

/** A line is chosen by the pointer; for the keyboard there are the rows of the table, and `j` and `k`. */
function useClickedEdge(lines: RefObject<SVGSVGElement | null>, onSelect: (key: string) => void): void {
  useEffect(() => {
    const svg = lines.current;
    const choose = ({ target }: MouseEvent) => {
      const edge = target instanceof Element ? target.closest("[data-edge]") : null;
      const key = edge?.getAttribute("data-edge");
      if (key !== null && key !== undefined) onSelect(key);
    };
    svg?.addEventListener("click", choose);
    return () => svg?.removeEventListener("click", choose);
  }, [lines, onSelect]);
}

import {
  getViewportForBounds,
  Panel,
  ReactFlowProvider,
  useReactFlow,
  useStore,
  type BuiltInEdge,
  type NodeTypes,
  type Viewport,
} from '@xyflow/react';
import { Crosshair } from 'lucide-react';
import { useCallback, useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { createWatched } from '../../live/watched.ts';
import { useTheme } from '../../ui/theme.tsx';
import { CardCanvas, cardNode, LINE_EDGE, NEAR, READABLE, useShowCard } from './card-canvas.tsx';
import type { Drawing } from './drawing.ts';
import type { DrawnItem } from './drawing-desk.ts';
import { GraphCard, type CardNode } from './graph-card.tsx';
import { GraphContext, NO_FOCUS } from './graph-context.ts';
import { GraphMap } from './graph-map.tsx';
import { CARD } from './layout.ts';
import { Legend } from './legend.tsx';
import { pace, unit, useNear } from './near.ts';
import type { Line } from './picture.ts';
import { waysOf, type Direction } from './ways.ts';

export type GraphCanvasProps = {
  readonly sessionId: string;
  readonly drawing: Drawing;
  /** The item with keyboard focus, here or in the outline. */
  readonly current: string | null;
  readonly onCurrent: (id: string) => void;
  /** A counter that increases to bring `current` into view. */
  readonly visit: number;
  readonly onToggle: (id: string, isOpen: boolean) => void;
};

export const GraphCanvas = (props: GraphCanvasProps) => (
  <ReactFlowProvider>
    <Canvas {...props} />
  </ReactFlowProvider>
);

const Canvas = ({ sessionId, drawing, current, onCurrent, visit, onToggle }: GraphCanvasProps) => {
  const { items, lines, leaf } = drawing;
  const { shown } = useTheme();
  const [wanted, setWanted] = useState<string | null>(null);
  const isNear = useStore(({ transform: [, , zoom] }) => zoom >= NEAR);
  const { nodes, edges } = useNear({ items, lines, card: CARD, nodeOf, edgeOf });
  const indexOf = useMemo(() => new Map(items.map(({ id }, i) => [id, i])), [items]);
  const ways = useMemo(() => waysOf(lines, (card) => items[card]?.isBeside === true), [items, lines]);
  const view = useView(drawing, indexOf);

  const take = useCallback(
    (id: string) => {
      setWanted(null);
      onCurrent(id);
    },
    [onCurrent],
  );
  const toggle = useCallback(
    (id: string, isOpen: boolean) => {
      view.hold(id);
      onToggle(id, isOpen);
    },
    [view, onToggle],
  );
  const go = useCallback(
    (index: number) => {
      const item = items[index];
      if (item === undefined) return;
      view.show(item);
      setWanted(item.id);
    },
    [items, view],
  );
  useEffect(() => {
    const item = items[indexOf.get(current ?? '') ?? -1];
    if (visit > 0 && item !== undefined) view.show(item, true);
    // Only on request: redrawing does not move the view.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [visit]);

  const onKey = useCallback(
    (item: DrawnItem, event: KeyboardEvent) => {
      const at = indexOf.get(item.id);
      if (at === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
      const direction = ARROWS.get(event.key);
      const fold = item.isOpen === true ? item.id : item.folds[0];
      if (direction !== undefined) go(ways(at, direction));
      else if (event.key === 'Home') go(items.findIndex(({ isCard }) => isCard));
      else if (event.key === 'End') go(leaf);
      else if (event.key === ' ' && item.isOpen === false) toggle(item.id, true);
      else if (event.key === ' ' && fold !== undefined) toggle(fold, false);
      else return;
      event.preventDefault();
    },
    [indexOf, items, ways, leaf, go, toggle],
  );

  const first = items.find(({ isCard }) => isCard)?.id ?? null;
  const isCurrentACard = items[indexOf.get(current ?? '') ?? -1]?.isCard === true;
  const [focus] = useState(() => createWatched(NO_FOCUS));
  useEffect(() => {
    focus.set({ current, stop: isCurrentACard ? current : first, wanted });
  }, [focus, current, isCurrentACard, first, wanted]);
  const actions = useMemo(() => ({ sessionId, focus, isNear, toggle, take, onKey }), [sessionId, focus, isNear, toggle, take, onKey]);

  return (
    <GraphContext value={actions}>
      <CardCanvas<CardNode>
        label="Graph"
        nodes={nodes}
        edges={edges}
        nodeTypes={NODE_TYPES}
        farthest={FARTHEST}
        onNodeClick={(_, { data }) => (isNear ? undefined : view.show(data.item))}
        onFit={view.fit}
        home={{ icon: Crosshair, label: 'Go to latest', go: () => go(leaf), isDisabled: leaf < 0 }}
      >
        <Panel position="top-left">
          <Legend />
        </Panel>
        {items.filter(({ isCard }) => isCard).length < FEW ? null : (
          <Panel position="bottom-right">
            <GraphMap drawing={drawing} theme={shown} />
          </Panel>
        )}
      </CardCanvas>
    </GraphContext>
  );
};

type View = {
  readonly show: (item: DrawnItem, isQuiet?: boolean) => void;
  readonly fit: () => void;
  /** Keeps an item that was just opened or folded at the same spot during the redraw. */
  readonly hold: (id: string) => void;
};

const useView = (drawing: Drawing, indexOf: ReadonlyMap<string, number>): View => {
  const flow = useReactFlow();
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);
  const held = useRef<string | null>(null);
  const before = useRef<Drawing | null>(null);
  const size = useRef({ width, height });
  useEffect(() => {
    const { width: wide, height: high } = size.current;
    size.current = { width, height };
    if (before.current === null || wide === 0 || (wide === width && high === height)) return;
    // Keeps the centre in place when the window is resized or the outline is toggled.
    const { x, y, zoom } = flow.getViewport();
    void flow.setViewport({ x: x + (width - wide) / 2, y: y + (height - high) / 2, zoom });
  }, [flow, width, height]);

  const fit = useCallback(() => {
    const all = fitting(drawing, size.current);
    // If the graph does not fit even then, zoom out as far as allowed and keep the centre.
    if (all.zoom > FARTHEST) void flow.setViewport(all, { duration: pace() });
    else void flow.zoomTo(FARTHEST, { duration: pace() });
  }, [flow, drawing]);

  const show = useShowCard(CARD);
  useEffect(() => {
    if (width === 0 || height === 0) return;
    if (drawing.items.length === 0) return;
    const old = before.current;
    before.current = drawing;
    if (old === null) {
      void flow.setViewport(firstView(drawing, { width, height }));
      return;
    }
    if (old === drawing) return;
    const was = old.items.find(({ id }) => id === held.current) ?? nearest(old, flow.getViewport(), { width, height });
    held.current = null;
    const is = was === undefined ? undefined : successor(drawing, was, indexOf);
    if (was === undefined || is === undefined || (was.x === is.x && was.y === is.y)) return;
    const { x, y, zoom } = flow.getViewport();
    void flow.setViewport({ x: x + (was.x - is.x) * zoom, y: y + (was.y - is.y) * zoom, zoom });
  }, [drawing, indexOf, flow, width, height]);

  return useMemo(
    () => ({
      show,
      fit,
      hold: (id) => {
        held.current = id;
      },
    }),
    [show, fit],
  );
};

type Room = { readonly width: number; readonly height: number };

const fitting = (drawing: Drawing, { width, height }: Room) =>
  getViewportForBounds({ x: 0, y: 0, width: drawing.width, height: drawing.height }, width, height, FARTHEST, unit(), 0.08);

/** The whole graph if it is readable at that zoom, otherwise the latest message. */
const firstView = (drawing: Drawing, room: Room) => {
  const all = fitting(drawing, room);
  const at = drawing.items[drawing.leaf] ?? drawing.items[0];
  if (all.zoom >= NEAR || at === undefined) return all;
  const zoom = READABLE * unit();
  return { x: room.width / 2 - (at.x + CARD.width / 2) * zoom, y: room.height * 0.7 - (at.y + CARD.height / 2) * zoom, zoom };
};

/** The card nearest to the centre of the viewport. */
const nearest = ({ items }: Drawing, { x, y, zoom }: Viewport, { width, height }: Room): DrawnItem | undefined => {
  const [left, top] = [(width / 2 - x) / zoom - CARD.width / 2, (height / 2 - y) / zoom - CARD.height / 2];
  let best: DrawnItem | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const item of items) {
    const distance = Math.hypot(item.x - left, item.y - top);
    if (distance >= least) continue;
    least = distance;
    best = item;
  }
  return best;
};

/** The same card in another drawing, or the card it was folded into. */
const successor = ({ items }: Drawing, was: DrawnItem, indexOf: ReadonlyMap<string, number>): DrawnItem | undefined => {
  const same = items[indexOf.get(was.id) ?? -1];
  if (same !== undefined) return same;
  let best: DrawnItem | undefined;
  for (const item of items) if (item.order <= was.order && item.order >= (best?.order ?? 0)) best = item;
  return best;
};

const nodeOf = (item: DrawnItem): CardNode => ({
  id: item.id,
  type: 'card',
  position: { x: item.x, y: item.y },
  data: { item },
  ...CARD_NODE,
});

const edgeOf = (items: readonly DrawnItem[], { from, to, kind, isActive }: Line): BuiltInEdge => {
  const [source = '', target = ''] = [items[from]?.id, items[to]?.id];
  const isBeside = items[to]?.isBeside === true;
  return {
    id: `${source} ${target}`,
    source,
    target,
    sourceHandle: isBeside ? 'aside' : 'out',
    targetHandle: isBeside ? 'beside' : 'in',
    type: 'smoothstep',
    pathOptions: { offset: 12, borderRadius: 10 },
    className: `graph-line graph-line-${kind}${isActive ? ' graph-line-active' : ''}`,
    ...LINE_EDGE,
    ...(isActive ? { zIndex: 1 } : {}),
  };
};

const CARD_NODE = cardNode(CARD);
const NODE_TYPES: NodeTypes = { card: GraphCard };
const ARROWS: ReadonlyMap<string, Direction> = new Map([
  ['ArrowUp', 'up'],
  ['ArrowDown', 'down'],
  ['ArrowLeft', 'left'],
  ['ArrowRight', 'right'],
]);
/** Any further out would show hundreds of unreadable cards; the map shows the whole graph. */
const FARTHEST = 0.25;
/** A graph with fewer cards than this needs no map. */
const FEW = 24;

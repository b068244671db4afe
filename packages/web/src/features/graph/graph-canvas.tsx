import {
  getViewportForBounds,
  Panel,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
  useStore,
  type BuiltInEdge,
  type NodeTypes,
  type Viewport,
} from '@xyflow/react';
import '@xyflow/react/dist/style.css';
import { Crosshair, Maximize, Minus, Plus } from 'lucide-react';
import { useCallback, useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { createWatched } from '../../live/watched.ts';
import { IconButton } from '../../ui/button.tsx';
import { useTheme } from '../../ui/theme.tsx';
import type { Drawing } from './drawing.ts';
import type { DrawnItem } from './drawing-desk.ts';
import { GraphCard, type CardNode } from './graph-card.tsx';
import './graph-canvas.css';
import { GraphContext, NO_FOCUS } from './graph-context.ts';
import { GraphMap } from './graph-map.tsx';
import { CARD } from './layout.ts';
import { Legend } from './legend.tsx';
import { pace, unit, useNear } from './near.ts';
import type { Line } from './picture.ts';
import { handlesOf } from './ports.tsx';
import { waysOf, type Direction } from './ways.ts';

export type GraphCanvasProps = {
  readonly sessionId: string;
  readonly drawing: Drawing;
  /** The item that the keyboard is at, here or in the outline. */
  readonly current: string | null;
  readonly onCurrent: (id: string) => void;
  /** Counted up when `current` is to be brought into view. */
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
      view.show(item, false);
      setWanted(item.id);
    },
    [items, view],
  );
  useEffect(() => {
    const item = items[indexOf.get(current ?? '') ?? -1];
    if (visit > 0 && item !== undefined) view.show(item, true);
    // Only when somebody asks for it: while it is drawn anew the view stays where it is.
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
      <div className="graph-canvas" role="group" aria-label="Graph">
        <ReactFlow<CardNode, BuiltInEdge>
          nodes={nodes}
          edges={edges}
          nodeTypes={NODE_TYPES}
          colorMode={shown}
          minZoom={FARTHEST}
          maxZoom={2}
          onlyRenderVisibleElements
          nodesDraggable={false}
          nodesConnectable={false}
          nodesFocusable={false}
          edgesFocusable={false}
          elementsSelectable={false}
          disableKeyboardA11y
          panOnScroll
          onNodeClick={(_, { data }) => (isNear ? undefined : view.show(data.item, false))}
          zoomOnDoubleClick={false}
          deleteKeyCode={null}
          selectionKeyCode={null}
          multiSelectionKeyCode={null}
          panActivationKeyCode={null}
        >
          <Panel position="bottom-left" className="graph-controls">
            <IconButton icon={Plus} label="Zoom in" size="small" onClick={view.zoomIn} />
            <IconButton icon={Minus} label="Zoom out" size="small" onClick={view.zoomOut} />
            <IconButton icon={Maximize} label="Fit to view" size="small" onClick={view.fit} />
            <IconButton icon={Crosshair} label="Go to latest" size="small" onClick={() => go(leaf)} disabled={leaf < 0} />
          </Panel>
          <Panel position="top-left">
            <Legend />
          </Panel>
          {items.filter(({ isCard }) => isCard).length < FEW ? null : (
            <Panel position="bottom-right">
              <GraphMap drawing={drawing} theme={shown} />
            </Panel>
          )}
        </ReactFlow>
      </div>
    </GraphContext>
  );
};

type View = {
  readonly show: (item: DrawnItem, isQuiet: boolean) => void;
  readonly fit: () => void;
  readonly zoomIn: () => void;
  readonly zoomOut: () => void;
  /** What somebody has just opened or folded stays where it is when all is drawn anew. */
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
    // What is in the middle stays there when the window changes, or the outline comes and goes.
    const { x, y, zoom } = flow.getViewport();
    void flow.setViewport({ x: x + (width - wide) / 2, y: y + (height - high) / 2, zoom });
  }, [flow, width, height]);

  const fit = useCallback(() => {
    const all = fitting(drawing, size.current);
    // What is too large for it is seen from as far away as possible, where one is.
    if (all.zoom > FARTHEST) void flow.setViewport(all, { duration: pace() });
    else void flow.zoomTo(FARTHEST, { duration: pace() });
  }, [flow, drawing]);

  const show = useCallback(
    (item: DrawnItem, isQuiet: boolean) => {
      const { x, y, zoom } = flow.getViewport();
      const [left, top] = [item.x * zoom + x, item.y * zoom + y];
      const room = { right: size.current.width - CARD.width * zoom, bottom: size.current.height - CARD.height * zoom };
      const isSeen = left >= 0 && top >= 0 && left <= room.right && top <= room.bottom;
      if (isSeen && (isQuiet || zoom >= NEAR)) return;
      void flow.setCenter(item.x + CARD.width / 2, item.y + CARD.height / 2, { zoom: Math.max(zoom, READABLE * unit()), duration: pace() });
    },
    [flow],
  );

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
      zoomIn: () => void flow.zoomIn({ duration: pace() }),
      zoomOut: () => void flow.zoomOut({ duration: pace() }),
      hold: (id) => {
        held.current = id;
      },
    }),
    [flow, show, fit],
  );
};

type Room = { readonly width: number; readonly height: number };

const fitting = (drawing: Drawing, { width, height }: Room) =>
  getViewportForBounds({ x: 0, y: 0, width: drawing.width, height: drawing.height }, width, height, FARTHEST, unit(), 0.08);

/** All of it where that can be read, else where the conversation goes on. */
const firstView = (drawing: Drawing, room: Room) => {
  const all = fitting(drawing, room);
  const at = drawing.items[drawing.leaf] ?? drawing.items[0];
  if (all.zoom >= NEAR || at === undefined) return all;
  const zoom = READABLE * unit();
  return { x: room.width / 2 - (at.x + CARD.width / 2) * zoom, y: room.height * 0.7 - (at.y + CARD.height / 2) * zoom, zoom };
};

/** The card in the middle of what is seen. */
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

/** The same card in another drawing, or the one that it has gone into. */
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
  width: CARD.width,
  height: CARD.height,
  // All are alike: none has to be measured, and none needs elements for its lines to end at.
  measured: CARD,
  handles: HANDLES,
  domAttributes: { 'aria-roledescription': undefined },
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
    ariaRole: 'presentation',
    ariaLabel: null as never, // the library takes null for "none"; its type forgets to say so
    domAttributes: { 'aria-roledescription': undefined },
    ...(isActive ? { zIndex: 1 } : {}),
  };
};

const HANDLES = handlesOf(CARD);
const NODE_TYPES: NodeTypes = { card: GraphCard };
const ARROWS: ReadonlyMap<string, Direction> = new Map([
  ['ArrowUp', 'up'],
  ['ArrowDown', 'down'],
  ['ArrowLeft', 'left'],
  ['ArrowRight', 'right'],
]);
/** From here on words can be read. */
const NEAR = 0.5;
const READABLE = 0.9;
/** Farther away there would be hundreds of cards, and nothing on them could be read; the map shows all of it. */
const FARTHEST = 0.25;
/** So many are seen at a glance. */
const FEW = 24;

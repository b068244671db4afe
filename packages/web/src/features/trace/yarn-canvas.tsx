import { getViewportForBounds, MarkerType, ReactFlowProvider, useReactFlow, useStore, type BuiltInEdge, type NodeTypes } from '@xyflow/react';
import { wordOfString } from '@yarnboard/protocol';
import { Target } from 'lucide-react';
import { useCallback, useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { createWatched } from '../../live/watched.ts';
import { CardCanvas, cardNode, LINE_EDGE, NEAR, READABLE, useShowCard } from '../graph/card-canvas.tsx';
import { pace, unit, useNear } from '../graph/near.ts';
import type { PinnedBoard } from './use-pins.ts';
import { keyOfString, stackId, type TraceString } from './yarn-board.ts';
import './yarn-canvas.css';
import { YarnNodeView, type YarnItem, type YarnNode } from './yarn-card.tsx';
import { NO_SIGHT, YarnContext, type YarnDeeds } from './yarn-context.ts';
import { YARN_CARD, type Spot } from './yarn-layout.ts';
import { boundsOf } from './yarn-picture.ts';

export type YarnCanvasProps = YarnDeeds & {
  readonly pinned: PinnedBoard;
  /** The card with the keyboard focus, here or in the outline. */
  readonly current: string | null;
  readonly onCurrent: (id: string) => void;
  /** Incremented to bring `current` into view. */
  readonly visit: number;
  readonly chosen: readonly string[];
  /** The highlighted strings, pointed at here or in the outline. */
  readonly lit: ReadonlySet<string>;
  readonly onPointCard: (id: string | null) => void;
  readonly onPointString: (key: string | null) => void;
  readonly onMove: (id: string, spot: Spot) => void;
};

export const YarnCanvas = (props: YarnCanvasProps) => (
  <ReactFlowProvider>
    <Canvas {...props} />
  </ReactFlowProvider>
);

type Line = {
  readonly from: number;
  readonly to: number;
  readonly string: TraceString;
  /** If several strings connect the same cards, the first carries the words of all of them. */
  readonly label: string;
};

const Canvas = ({ pinned, current, onCurrent, visit, chosen, lit, onPointCard, onPointString, onMove, toggle, lift, choose }: YarnCanvasProps) => {
  const { root } = pinned.board;
  const { items, lines } = useMemo(() => drawnOf(pinned), [pinned]);
  const byId = useMemo(() => new Map(items.map((item) => [item.id, item])), [items]);
  const nodeFor = useCallback((item: YarnItem) => nodeOf(item, item.id === root), [root]);
  const near = useNear({ items, lines, card: YARN_CARD, nodeOf: nodeFor, edgeOf });
  const isNear = useStore(({ transform: [, , zoom] }) => zoom >= NEAR);
  const [wanted, setWanted] = useState<string | null>(null);
  const [dragged, setDragged] = useState<{ readonly id: string; readonly spot: Spot } | null>(null);
  const view = useView(items, root);

  const take = useCallback(
    (id: string) => {
      setWanted(null);
      onCurrent(id);
    },
    [onCurrent],
  );
  const onKey = useCallback(
    (id: string, event: KeyboardEvent) => {
      const item = byId.get(id);
      if (item === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
      const direction = ARROWS.get(event.key);
      const next = direction === undefined ? (event.key === 'Home' ? byId.get(root) : undefined) : nextCard(items, item, direction);
      if (next !== undefined) {
        view.show(next);
        setWanted(next.id);
      } else if (event.key === ' ' && item.stack === null) toggle(item.card, null);
      else if (event.key === 'c' && item.stack === null) choose(item.id);
      else if (direction === undefined && event.key !== 'Home') return;
      event.preventDefault();
    },
    [byId, items, root, view, toggle, choose],
  );
  useEffect(() => {
    const item = byId.get(current ?? '');
    if (visit > 0 && item !== undefined) view.show(item);
    // Only on request: new cards on the board must not move the view.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [visit]);

  const [sight] = useState(() => createWatched(NO_SIGHT));
  const ends = useMemo(
    () => new Set(pinned.board.strings.filter((one) => lit.has(keyOfString(one))).flatMap(({ from, to }) => [from, to])),
    [pinned, lit],
  );
  const stop = byId.has(current ?? '') ? current : root;
  useEffect(() => {
    sight.set({ current, stop, wanted, lit: ends, chosen: new Set(chosen) });
  }, [sight, current, stop, wanted, ends, chosen]);
  const actions = useMemo(
    () => ({ sight, isNear, take, point: onPointCard, onKey, toggle, lift, choose }),
    [sight, isNear, take, onPointCard, onKey, toggle, lift, choose],
  );
  const nodes = useMemo(
    () => (dragged === null ? near.nodes : near.nodes.map((node) => (node.id === dragged.id ? { ...node, position: dragged.spot } : node))),
    [near.nodes, dragged],
  );
  const edges = useMemo(() => (lit.size === 0 ? near.edges : near.edges.map((edge) => (lit.has(edge.id) ? litEdge(edge) : edge))), [near.edges, lit]);
  return (
    <YarnContext value={actions}>
      <CardCanvas<YarnNode>
        label="Yarn board"
        className={`yarn-canvas${isNear ? '' : ' yarn-canvas-far'}`}
        nodes={nodes}
        edges={edges}
        nodeTypes={NODE_TYPES}
        farthest={FARTHEST}
        isMovable
        onNodeDrag={(_, { id, position }) => setDragged({ id, spot: position })}
        onNodeDragStop={(_, { id, position }) => {
          setDragged(null);
          onMove(id, position);
        }}
        onNodeClick={(_, { data }) => (isNear ? undefined : view.show(data.item))}
        onEdgeMouseEnter={(_, { id }) => onPointString(id)}
        onEdgeMouseLeave={() => onPointString(null)}
        onFit={view.fit}
        home={{ icon: Target, label: 'Go to the middle', go: view.home }}
      />
    </YarnContext>
  );
};

/** Cards and stacks with their positions, and the strings between them by index. */
const drawnOf = ({ board, spots }: PinnedBoard): { readonly items: readonly YarnItem[]; readonly lines: readonly Line[] } => {
  const items: YarnItem[] = [];
  const indexOf = new Map<string, number>();
  for (const [ref, card] of board.cards) {
    const spot = spots.get(ref);
    if (spot !== undefined) {
      indexOf.set(ref, items.length);
      items.push({ id: ref, ...spot, isCard: true, card, stack: null });
    }
    for (const stack of card.bundles) {
      const place = stack.isStacked ? spots.get(stackId(ref, stack)) : undefined;
      if (place !== undefined) items.push({ id: stackId(ref, stack), ...place, isCard: true, card, stack });
    }
  }
  const words = new Map<string, string[]>();
  for (const string of board.strings) {
    const ends = endsOf(string);
    words.set(ends, [...(words.get(ends) ?? []), wordOfString(string, string.from)]);
  }
  const lines = board.strings.flatMap((string): readonly Line[] => {
    const [from, to] = [indexOf.get(string.from), indexOf.get(string.to)];
    const label = words.get(endsOf(string))?.join(', ') ?? '';
    words.delete(endsOf(string));
    return from === undefined || to === undefined ? [] : [{ from, to, string, label }];
  });
  return { items, lines };
};

const endsOf = ({ from, to }: TraceString): string => [from, to].toSorted().join(' ');

const useView = (items: readonly YarnItem[], root: string) => {
  const flow = useReactFlow();
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);
  const seen = useRef<string | null>(null);
  const show = useShowCard(YARN_CARD);
  const fitted = useCallback(() => getViewportForBounds(boundsOf(items), width, height, FARTHEST, unit(), 0.08), [items, width, height]);
  useEffect(() => {
    const middle = items.find(({ id }) => id === root);
    if (width === 0 || height === 0 || middle === undefined || seen.current === root) return;
    seen.current = root;
    const all = fitted();
    const zoom = READABLE * unit();
    // Shows the whole board if it stays readable, else the card in the middle.
    void flow.setViewport(
      all.zoom >= NEAR
        ? all
        : { x: width / 2 - (middle.x + YARN_CARD.width / 2) * zoom, y: height / 2 - (middle.y + YARN_CARD.height / 2) * zoom, zoom },
    );
  }, [flow, items, root, width, height, fitted]);
  return useMemo(
    () => ({
      show,
      fit: () => void flow.setViewport(fitted(), { duration: pace() }),
      home: () => {
        const middle = items.find(({ id }) => id === root);
        if (middle === undefined) return;
        void flow.setCenter(middle.x + YARN_CARD.width / 2, middle.y + YARN_CARD.height / 2, { zoom: READABLE * unit(), duration: pace() });
      },
    }),
    [flow, items, root, show, fitted],
  );
};

/** The nearest card in a direction. Distance to the side counts double. */
const nextCard = (items: readonly YarnItem[], at: YarnItem, [dx, dy]: readonly [number, number]): YarnItem | undefined => {
  let best: YarnItem | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const item of items) {
    const [x, y] = [item.x - at.x, item.y - at.y];
    const ahead = x * dx + y * dy;
    const aside = Math.abs(x * dy) + Math.abs(y * dx);
    if (ahead <= 0 || ahead + aside * 2 >= least) continue;
    least = ahead + aside * 2;
    best = item;
  }
  return best;
};

const nodeOf = (item: YarnItem, isRoot: boolean): YarnNode => ({
  id: item.id,
  type: 'yarn',
  position: { x: item.x, y: item.y },
  data: { item, isRoot },
  ...CARD_NODE,
});

/** Draws a string from the left card to the right one, or downwards, whichever way it is read; its arrow shows the direction. */
const edgeOf = (items: readonly YarnItem[], { from, to, string, label }: Line): BuiltInEdge => {
  const [a, b] = [items[from], items[to]];
  const isBeside = a !== undefined && b !== undefined && Math.abs(a.x - b.x) >= YARN_CARD.width;
  const isForward = a !== undefined && b !== undefined && (isBeside ? a.x <= b.x : a.y <= b.y);
  const [first, second] = isForward ? [string.from, string.to] : [string.to, string.from];
  const arrow = { type: MarkerType.ArrowClosed, width: 14, height: 14, color: 'var(--line-strong)' };
  return {
    id: keyOfString(string),
    source: first,
    target: second,
    sourceHandle: isBeside ? 'aside' : 'out',
    targetHandle: isBeside ? 'beside' : 'in',
    type: 'default',
    ...(label === '' ? {} : { label }),
    className: `yarn-string yarn-string-${string.how}`,
    ...(isForward ? { markerEnd: arrow } : { markerStart: arrow }),
    ...LINE_EDGE,
  };
};

const litEdge = (edge: BuiltInEdge): BuiltInEdge => ({ ...edge, className: `${edge.className ?? ''} yarn-string-lit`, zIndex: 1 });

const CARD_NODE = cardNode(YARN_CARD);
const NODE_TYPES: NodeTypes = { yarn: YarnNodeView };
const ARROWS: ReadonlyMap<string, readonly [number, number]> = new Map([
  ['ArrowUp', [0, -1]],
  ['ArrowDown', [0, 1]],
  ['ArrowLeft', [-1, 0]],
  ['ArrowRight', [1, 0]],
]);
const FARTHEST = 0.2;

import { assertNever } from '@yarnboard/domain';
import { foldTree, SAID, type Folded } from './folding.ts';
import type { Item } from './item.ts';
import { layoutOf } from './layout.ts';
import { pictureOf, type Detail, type Line } from './picture.ts';
import { MAIN, type SessionTree, type TreeNode } from './session-tree.ts';

/** What the page sends to the worker. */
export type DrawingOrder =
  /** Nodes that are new, or about which we know more now. */
  | { readonly kind: 'nodes'; readonly nodes: readonly TreeNode[] }
  | ({ readonly kind: 'facts' } & Omit<SessionTree, 'nodes'>)
  | {
      readonly kind: 'draw';
      readonly number: number;
      /** Null: choose it by the size of the session. */ readonly detail: Detail | null;
      readonly toggled: ReadonlyMap<string, boolean>;
      /** More nodes will follow. */
      readonly isPart: boolean;
    };

/** What the worker sends back, in pieces small enough to handle in one task each. */
export type DrawingAnswer =
  | { readonly kind: 'items'; readonly number: number; readonly items: readonly DrawnItem[] }
  | { readonly kind: 'lines'; readonly number: number; readonly lines: readonly Line[] }
  | {
      readonly kind: 'drawn';
      readonly number: number;
      readonly detail: Detail;
      readonly leaf: number;
      readonly nodes: number;
      readonly width: number;
      readonly height: number;
      readonly isPart: boolean;
    }
  | { readonly kind: 'failed'; readonly why: string };

export type DrawnItem = Item & { readonly x: number; readonly y: number; /** Its line arrives from the left. */ readonly isBeside: boolean };

export type DrawingDeskParts = {
  readonly post: (answer: DrawingAnswer) => void;
  /** Runs the work once all pending messages have been handled. */
  readonly later: (work: () => void) => void;
};

/** Draws a session as it grows. If several draw orders are pending, it draws only the last. */
export const createDrawingDesk = ({ post, later }: DrawingDeskParts): ((order: DrawingOrder) => void) => {
  const nodes = new Map<string, TreeNode>();
  let facts: Omit<SessionTree, 'nodes'> | null = null;
  let folded: Folded | null = null;
  let wish: Extract<DrawingOrder, { kind: 'draw' }> | null = null;

  const draw = (): void => {
    const wanted = wish;
    wish = null;
    if (wanted === null) return;
    const { number, isPart } = wanted;
    const all = [...nodes.values()];
    folded ??= foldTree({ ...(facts ?? untold(all)), nodes: all });
    const detail = wanted.detail ?? detailFor(folded);
    const picture = pictureOf(folded, { detail, toggled: wanted.toggled });
    const { x, y, isBeside, width, height } = layoutOf(picture);
    const items = picture.items.map((item, i): DrawnItem => ({ ...item, x: x[i] ?? 0, y: y[i] ?? 0, isBeside: isBeside[i] === 1 }));
    for (const piece of piecesOf(items)) post({ kind: 'items', number, items: piece });
    for (const piece of piecesOf(picture.lines)) post({ kind: 'lines', number, lines: piece });
    post({ kind: 'drawn', number, detail, leaf: picture.leaf, nodes: nodes.size, width, height, isPart });
  };

  return (order) => {
    switch (order.kind) {
      case 'nodes':
        for (const node of order.nodes) nodes.set(node.uuid, node);
        folded = null;
        return;
      case 'facts': {
        const { kind: _kind, ...told } = order;
        facts = told;
        folded = null;
        return;
      }
      case 'draw':
        if (wish === null) {
          later(() => {
            try {
              draw();
            } catch (cause) {
              post({ kind: 'failed', why: String(cause) });
            }
          });
        }
        wish = order;
        return;
      default:
        assertNever(order);
    }
  };
};

/** PAGE-700: until the server's facts arrive, treat the main thread as one path and its newest message as the latest. Most of that will hold. */
const untold = (nodes: readonly TreeNode[]): Omit<SessionTree, 'nodes'> => ({
  sidechains: [],
  branches: [],
  calls: new Map(),
  leafUuid: nodes.findLast(({ role, agentId, isSidechain }) => SAID.has(role) && agentId === null && !isSidechain)?.uuid ?? null,
  trail: { joins: new Map(), turns: new Set() },
});

/** The most detail that fits in one glance. */
const detailFor = ({ linked: { nodes, threadOf }, runs }: Folded): Detail => {
  if (nodes.filter(({ role }, i) => threadOf[i] === MAIN && SAID.has(role)).length <= MOST_MESSAGES) return 'messages';
  return runs.filter(({ thread }) => thread === MAIN).length <= MOST_TURNS ? 'turns' : 'overview';
};

const piecesOf = <T>(all: readonly T[]): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(all.length / PIECE) }, (_, n) => all.slice(n * PIECE, (n + 1) * PIECE));

const MOST_MESSAGES = 40;
const MOST_TURNS = 60;
// The page handles each worker message in one task: this many items take a few milliseconds.
const PIECE = 300;

import { assertNever } from '@yarnboard/domain';
import { foldTree, SAID, type Folded } from './folding.ts';
import type { Item } from './item.ts';
import { layoutOf } from './layout.ts';
import { pictureOf, type Detail, type Line } from './picture.ts';
import { MAIN, type SessionTree, type TreeNode } from './session-tree.ts';

/** What the page tells the worker. */
export type DrawingOrder =
  /** Nodes that are new, or are known better now. */
  | { readonly kind: 'nodes'; readonly nodes: readonly TreeNode[] }
  | ({ readonly kind: 'facts' } & Omit<SessionTree, 'nodes'>)
  | {
      readonly kind: 'draw';
      readonly number: number;
      /** Null: whatever suits the size. */ readonly detail: Detail | null;
      readonly toggled: ReadonlyMap<string, boolean>;
      /** There is more to come. */
      readonly isPart: boolean;
    };

/** What comes of it, in pieces that are each taken in at once. */
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

export type DrawnItem = Item & { readonly x: number; readonly y: number; /** Its line comes from the left. */ readonly isBeside: boolean };

export type DrawingDeskParts = {
  readonly post: (answer: DrawingAnswer) => void;
  /** Does it when what is waiting to be heard has been. */
  readonly later: (work: () => void) => void;
};

/** Draws a session as it grows. Of several wishes that wait only the last is drawn. */
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

/** PAGE-700: until the server has told it, the main thread is one way, and its newest message the latest: most of it will stay so. */
const untold = (nodes: readonly TreeNode[]): Omit<SessionTree, 'nodes'> => ({
  sidechains: [],
  branches: [],
  calls: new Map(),
  leafUuid: nodes.findLast(({ role, agentId, isSidechain }) => SAID.has(role) && agentId === null && !isSidechain)?.uuid ?? null,
  trail: { joins: new Map(), turns: new Set() },
});

/** As much as can be read at a glance. */
const detailFor = ({ linked: { nodes, threadOf }, runs }: Folded): Detail => {
  if (nodes.filter(({ role }, i) => threadOf[i] === MAIN && SAID.has(role)).length <= MOST_MESSAGES) return 'messages';
  return runs.filter(({ thread }) => thread === MAIN).length <= MOST_TURNS ? 'turns' : 'overview';
};

const piecesOf = <T>(all: readonly T[]): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(all.length / PIECE) }, (_, n) => all.slice(n * PIECE, (n + 1) * PIECE));

const MOST_MESSAGES = 40;
const MOST_TURNS = 60;
// Reading a message of a worker is one task of the page: this many take a few milliseconds.
const PIECE = 300;

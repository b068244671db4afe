import type { DrawingAnswer, DrawingOrder, DrawnItem } from './drawing-desk.ts';
import type { Detail, Line } from './picture.ts';

/** Draws elsewhere: in the worker or, in tests, with the same desk on the same thread. */
export type Drawer = { readonly order: (order: DrawingOrder) => void; readonly close: () => void };
export type StartDrawer = (hear: (answer: DrawingAnswer) => void) => Drawer;

export type Drawing = {
  readonly items: readonly DrawnItem[];
  readonly lines: readonly Line[];
  readonly detail: Detail;
  readonly leaf: number;
  /** Number of records in the session, folded ones included. */
  readonly nodes: number;
  readonly width: number;
  readonly height: number;
  /** Drawn before the whole session was read. */
  readonly isPart: boolean;
};

export const startWorker: StartDrawer = (hear) => {
  const worker = new Worker(new URL('./layout-worker.ts', import.meta.url), { type: 'module', name: 'graph' });
  worker.addEventListener('message', ({ data }: MessageEvent<DrawingAnswer>) => hear(data));
  worker.addEventListener('error', ({ message }) => hear({ kind: 'failed', why: message === '' ? 'the drawing worker didn’t start' : message }));
  return { order: (order) => worker.postMessage(order), close: () => worker.terminate() };
};

/** Assembles the pieces of an answer and drops pieces of an outdated order. */
export const createCollector = (onDrawn: (drawing: Drawing) => void, onFailed: (why: string) => void): ((answer: DrawingAnswer) => void) => {
  let number = -1;
  let items: DrawnItem[] = [];
  let lines: Line[] = [];
  return (answer) => {
    if (answer.kind === 'failed') {
      onFailed(answer.why);
      return;
    }
    if (answer.number < number) return;
    if (answer.number > number) {
      number = answer.number;
      items = [];
      lines = [];
    }
    if (answer.kind === 'items') items.push(...answer.items);
    else if (answer.kind === 'lines') lines.push(...answer.lines);
    else {
      const { detail, leaf, nodes, width, height, isPart } = answer;
      onDrawn({ items, lines, detail, leaf, nodes, width, height, isPart });
    }
  };
};

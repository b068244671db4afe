import type { DrawingAnswer, DrawingOrder, DrawnItem } from './drawing-desk.ts';
import type { Detail, Line } from './picture.ts';

/** Somebody who draws elsewhere: the worker, or in a test the same desk in the same thread. */
export type Drawer = { readonly order: (order: DrawingOrder) => void; readonly close: () => void };
export type StartDrawer = (hear: (answer: DrawingAnswer) => void) => Drawer;

export type Drawing = {
  readonly items: readonly DrawnItem[];
  readonly lines: readonly Line[];
  readonly detail: Detail;
  readonly leaf: number;
  /** Records of the session, those that are folded included. */
  readonly nodes: number;
  readonly width: number;
  readonly height: number;
  /** Drawn before all of the session was read. */
  readonly isPart: boolean;
};

export const startWorker: StartDrawer = (hear) => {
  const worker = new Worker(new URL('./layout-worker.ts', import.meta.url), { type: 'module', name: 'graph' });
  worker.addEventListener('message', ({ data }: MessageEvent<DrawingAnswer>) => hear(data));
  worker.addEventListener('error', ({ message }) => hear({ kind: 'failed', why: message === '' ? 'the drawing worker didn’t start' : message }));
  return { order: (order) => worker.postMessage(order), close: () => worker.terminate() };
};

/** Puts the pieces of an answer together; what belongs to an older wish is dropped. */
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

import { pinCards, spotOf, type LooseCard, type Pinned, type Spot } from './yarn-layout.ts';

/** What the page sends to the worker: the cards now on the board, and those moved by hand. */
export type PinOrder = { readonly number: number; readonly cards: readonly LooseCard[]; readonly moved: ReadonlyMap<string, Spot> };

export type PinAnswer =
  { readonly kind: 'pinned'; readonly number: number; readonly spots: ReadonlyMap<string, Spot> } | { readonly kind: 'failed'; readonly why: string };

export type Pinner = { readonly order: (order: PinOrder) => void; readonly close: () => void };
export type StartPinner = (hear: (answer: PinAnswer) => void) => Pinner;

/** Pins cards as they arrive, and remembers where the others hang. */
export const createYarnDesk = (post: (answer: PinAnswer) => void): ((order: PinOrder) => void) => {
  let pinned: Pinned = new Map();
  return ({ number, cards, moved }) => {
    pinned = pinCards(pinned, cards, moved);
    post({ kind: 'pinned', number, spots: new Map([...pinned].map(([id, cell]) => [id, spotOf(cell)])) });
  };
};

export const startPinWorker: StartPinner = (hear) => {
  const worker = new Worker(new URL('./yarn-worker.ts', import.meta.url), { type: 'module', name: 'yarn' });
  worker.addEventListener('message', ({ data }: MessageEvent<PinAnswer>) => hear(data));
  worker.addEventListener('error', ({ message }) => hear({ kind: 'failed', why: message === '' ? 'the layout worker didn’t start' : message }));
  return { order: (order) => worker.postMessage(order), close: () => worker.terminate() };
};

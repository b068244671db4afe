import { useAsk } from '../../live/hooks.tsx';
import type { InsideOutput } from '@yarnboard/protocol';
import { gistOf } from '../../ui/gist.ts';
import type { Item } from './item.ts';
import { MAIN } from './session-tree.ts';

/** The first words of what an item is about; null while nobody knows them. */
export const useGist = (sessionId: string, item: Item): string | null => {
  const { uuid, thread } = item;
  // A compaction is told together with the summary that follows it.
  const isSaying = uuid !== null && SAYING.has(item.kind) && item.role !== 'boundary';
  const { data } = useAsk(
    'conversation',
    { id: sessionId, thread, at: uuid ?? '', limit: 1 },
    { isWanted: isSaying, staleMs: Number.POSITIVE_INFINITY },
  );
  return isSaying && data !== undefined ? gistIn(data, uuid, item.resultOf) : null;
};

/** A record that only uses a tool is told by what it did, and a result by what was done. */
export const gistIn = ({ items }: Pick<InsideOutput<'conversation'>, 'items'>, uuid: string, resultOf: string | null): string | null => {
  const step = items.find(({ uuids }) => uuids.includes(uuid));
  if (step === undefined) return null;
  const operation = step.operations.find((one) => one.uuid.startsWith(`${resultOf ?? uuid}_`));
  if (resultOf !== null) return operation === undefined ? null : firstWords(operation.summary);
  return firstWords(operation !== undefined && (step.uuid !== uuid || step.text === '') ? operation.summary : step.text);
};

// Lines for operations begin with a picture; there is one already.
const firstWords = (text: string): string | null => {
  const line = gistOf(text.replace(/^\p{Extended_Pictographic}\uFE0F?\s/u, ''), MOST);
  return line === '' ? null : line;
};

/** Where a click leads. */
export const placeOf = (sessionId: string, { uuid, thread }: Item): string => {
  const query = new URLSearchParams({ ...(uuid === null ? {} : { at: uuid }), ...(thread === MAIN ? {} : { thread }) });
  return `/sessions/${encodeURIComponent(sessionId)}${query.size === 0 ? '' : `?${query.toString()}`}`;
};

const SAYING: ReadonlySet<Item['kind']> = new Set(['turn', 'message', 'branch']);
const MOST = 160;

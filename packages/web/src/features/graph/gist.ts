import { useAsk } from '../../live/hooks.tsx';
import type { InsideOutput } from '@yarnboard/protocol';
import { gistOf } from '../../ui/gist.ts';
import type { Item } from './item.ts';
import { MAIN } from './session-tree.ts';

/** The first words of an item; null while unknown. */
export const useGist = (sessionId: string, item: Item): string | null => {
  const { uuid, thread } = item;
  // A compaction is shown together with the summary that follows it.
  const isSaying = uuid !== null && SAYING.has(item.kind) && item.role !== 'boundary';
  const { data } = useAsk(
    'conversation',
    { id: sessionId, thread, at: uuid ?? '', limit: 1 },
    { isWanted: isSaying, staleMs: Number.POSITIVE_INFINITY },
  );
  return isSaying && data !== undefined ? gistIn(data, uuid, item.resultOf) : null;
};

/** A record that only uses a tool is summarized by its operation, and so is a result. */
export const gistIn = ({ items }: Pick<InsideOutput<'conversation'>, 'items'>, uuid: string, resultOf: string | null): string | null => {
  const step = items.find(({ uuids }) => uuids.includes(uuid));
  if (step === undefined) return null;
  const operation = step.operations.find((one) => one.uuid.startsWith(`${resultOf ?? uuid}_`));
  if (resultOf !== null) return operation === undefined ? null : firstWords(operation.summary);
  return firstWords(operation !== undefined && (step.uuid !== uuid || step.text === '') ? operation.summary : step.text);
};

// Strips the pictogram at the start of an operation's line, because the card already has an icon.
const firstWords = (text: string): string | null => {
  const line = gistOf(text.replace(/^\p{Extended_Pictographic}\uFE0F?\s/u, ''), MOST);
  return line === '' ? null : line;
};

/** Where a click on the item leads. */
export const placeOf = (sessionId: string, { uuid, thread }: Item): string => {
  const query = new URLSearchParams({ ...(uuid === null ? {} : { at: uuid }), ...(thread === MAIN ? {} : { thread }) });
  return `/sessions/${encodeURIComponent(sessionId)}${query.size === 0 ? '' : `?${query.toString()}`}`;
};

const SAYING: ReadonlySet<Item['kind']> = new Set(['turn', 'message', 'branch']);
const MOST = 160;

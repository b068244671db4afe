import { reject, type Rejection } from '../board/rejection.ts';
import { ok, type Result } from '../result.ts';

type Data = Readonly<Record<string, unknown>>;

/** REFS-1: the data after setting some of it; null removes a name. */
export const dataAfter = (before: Data, said: Data): Data =>
  Object.fromEntries(Object.entries({ ...before, ...said }).filter(([, value]) => value !== null && value !== undefined));

/** REFS-2: the board keeps it in memory for good, so its size is limited. */
export const fittingData = (before: Data, said: Data | undefined): Result<Data, Rejection> => {
  const data = dataAfter(before, said ?? {});
  const names = Object.keys(data);
  if (names.some((name) => name.trim() === '')) return reject('empty', { field: 'dataRefs' });
  if (names.length > MOST_NAMES) return reject('too-many-entries', { field: 'dataRefs', count: names.length, most: MOST_NAMES });
  const { length } = JSON.stringify(data);
  return length > MOST_DATA ? reject('too-long', { field: 'dataRefs', length, most: MOST_DATA }) : ok(data);
};

const MOST_NAMES = 100;
const MOST_DATA = 20_000;

import { countOf, objectOf, stringOf, type Json, type JsonObject } from '../json.ts';
import { printableLine } from './printable.ts';

/** What records about an unavailable API say, once per cause: "529 Overloaded: retries 1 and 2 of 10, after 1 s and 1.1 s". */
export const apiErrorText = (records: readonly JsonObject[]): string => {
  const byCause = new Map<string, JsonObject[]>();
  for (const record of records) {
    const cause = causeIn(record);
    const known = byCause.get(cause);
    if (known === undefined) byCause.set(cause, [record]);
    else known.push(record);
  }
  return [...byCause].map(([cause, same]) => `${cause}${retriesIn(same)}`).join('\n\n');
};

const causeIn = (record: JsonObject): string => {
  const fields = objectOf(record['error']) ?? {};
  const answer = objectOf(fields['error']);
  const told =
    filled(fields['formatted']) ?? statedIn(fields, objectOf(answer?.['error']) ?? answer) ?? filled(fields['message']) ?? filled(record['error']);
  if (told !== null) return told;
  const code = filled((objectOf(record['cause']) ?? objectOf(fields['cause']))?.['code']);
  return code === null ? 'API error (no details given)' : `The API could not be reached (${code})`;
};

const statedIn = (fields: JsonObject, answer: JsonObject | null): string | null => {
  const words = filled(answer?.['message']) ?? filled(answer?.['type']);
  const status = countOf(fields['status']);
  return words === null ? null : status === null ? words : `${status} ${words}`;
};

const retriesIn = (records: readonly JsonObject[]): string => {
  const retries = records.flatMap((record) => {
    const attempt = countOf(record['retryAttempt']);
    return attempt === null ? [] : [{ attempt, most: countOf(record['maxRetries']), wait: waitIn(record['retryInMs']) }];
  });
  const last = retries.at(-1);
  if (last === undefined) return '';
  const waits = retries.flatMap(({ wait }) => wait ?? []);
  const which = listed(retries.map(({ attempt }) => String(attempt)));
  const of = last.most === null ? '' : ` of ${last.most}`;
  const after = waits.length === 0 ? '' : ` after ${listed(waits)}`;
  return retries.length === 1 ? `: retry ${which}${of}${after}` : `: retries ${which}${of}${after === '' ? '' : `,${after}`}`;
};

const waitIn = (ms: Json | undefined): string | null => {
  if (typeof ms !== 'number' || !Number.isFinite(ms) || ms < 0) return null;
  const seconds = ms / 1000;
  return `${seconds < 10 ? Math.round(seconds * 10) / 10 : Math.round(seconds)} s`;
};

const listed = (items: readonly string[]): string =>
  items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1) ?? ''}`;

const filled = (value: Json | undefined): string | null => {
  const line = printableLine(stringOf(value) ?? '');
  return line === '' ? null : line;
};

import { ok } from '../result.ts';
import type { Decision } from './deciding.ts';
import { reject } from './rejection.ts';
import type { Command } from '../messages/catalogue.ts';

export const MOST_TEXT = 200_000;
/** Text the board keeps in memory for good. */
export const MOST_FINDING = 20_000;
/** Per kind of thing in one sidebar: adding one costs as much as there are, since rows are never changed in place. */
export const MOST_KEPT = 5000;

const MOST_NAME = 200;
const MOST_LISTED = 500;
// Base64 of about 24 MB.
const MOST_MEDIA = 32_000_000;
const NAMES: ReadonlySet<string> = new Set([
  'taskType',
  'testGroup',
  'tags',
  'specialties',
  'preferredCollaborators',
  'participants',
  'targets',
  'agent',
  'coordinator',
  'curator',
  'sidebar',
  'currentContext',
]);

/** BOARD-4: every text, list and number of a command is bounded. Each decider determines what may be empty. */
export const withinLimits = (command: Command): Decision => {
  if (command.type === 'media.upload') {
    const { content, ...rest } = command;
    if (content.length > MOST_MEDIA) return reject('too-long', { field: 'content', length: content.length, most: MOST_MEDIA });
    return fits('', rest, MOST_TEXT);
  }
  return fits('', command, MOST_TEXT);
};

const fits = (name: string, value: unknown, most: number): Decision => {
  if (typeof value === 'string') {
    return value.length <= most ? ok([]) : reject('too-long', { field: name, length: value.length, most });
  }
  if (typeof value === 'number') return Number.isFinite(value) ? ok([]) : reject('not-a-number', { field: name });
  if (typeof value !== 'object' || value === null) return ok([]);
  const parts: readonly (readonly [string, unknown])[] = Array.isArray(value) ? value.map((one) => [name, one]) : Object.entries(value);
  if (parts.length > MOST_LISTED) return reject('too-many-entries', { field: name, count: parts.length, most: MOST_LISTED });
  for (const [key, part] of parts) {
    const fit = fits(key, part, NAMES.has(key) ? MOST_NAME : most);
    if (!fit.ok) return fit;
  }
  return ok([]);
};

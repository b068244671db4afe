import { maskingJson, type Lasting } from '@yarnboard/domain';
import { jsonText } from '@yarnboard/transcript';
import { makeWay } from './breathing.ts';

/** `maskJson`, yielding after every so many characters. */
export const maskedInPieces = async (value: unknown, signal: AbortSignal): Promise<unknown> => {
  const steps = maskingJson(value, MOST_CHARACTERS, LASTING);
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value;
    await makeWay(signal);
  }
};

/** A part that many answers will have, as this very object: it is masked in the first of them. */
export const lasting = <T extends object>(part: T): T => {
  LASTING.set(part, {});
  return part;
};
const LASTING: Lasting = new WeakMap();

/**
 * This many are masked in a few milliseconds. A longer text is still masked in one go, because what counts as a secret depends on its surroundings.
 */
const MOST_CHARACTERS = 64 * 1024;

/** `jsonText`, yielding between the items of each list in an answer. */
export const writtenInPieces = async (answer: unknown, signal: AbortSignal): Promise<string> => {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return jsonText(answer);
  const fields: string[] = [];
  for (const [key, value] of Object.entries(answer)) {
    if (value === undefined) continue;
    fields.push(`${JSON.stringify(key)}:${Array.isArray(value) ? await listText(value, signal) : jsonText(value)}`);
  }
  return `{${fields.join(',')}}`;
};

const listText = async (list: readonly unknown[], signal: AbortSignal): Promise<string> => {
  const items: string[] = [];
  for (const item of list) {
    await makeWay(signal);
    items.push(item === undefined ? 'null' : jsonText(item));
  }
  return `[${items.join(',')}]`;
};

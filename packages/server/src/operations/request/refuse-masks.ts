import { maskJson, masksIn } from '@yarnboard/domain';
import { jsonText } from '@yarnboard/transcript';
import { refusedFor } from './refusal.ts';

/** RUN-29: someone who edits masked text would replace the secrets with their masks. */
export const refuseMasks = (input: string, before: unknown, given: unknown): void => {
  // Sets: an input of an agent's may have as many secrets as it likes, and looking for each in the whole text would take minutes.
  const original = new Set(masksIn(jsonText(before)));
  const returned = new Set(masksIn(jsonText(given)));
  const mask = returned.size === 0 ? undefined : masksIn(jsonText(maskJson(before))).find((one) => !original.has(one) && returned.has(one));
  if (mask !== undefined) throw refusedFor('masks-returned', { input, mask });
};

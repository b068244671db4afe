import { maskJson, masksIn } from '@yarnboard/domain';
import { refusedFor } from './refusal.ts';

/** RUN-29: someone who edits masked text would replace the secrets with their masks. */
export const refuseMasks = (input: string, before: unknown, given: unknown): void => {
  const original = JSON.stringify(before);
  const returned = JSON.stringify(given);
  const mask = masksIn(JSON.stringify(maskJson(before))).find((one) => !original.includes(one) && returned.includes(one));
  if (mask !== undefined) throw refusedFor('masks-returned', { input, mask });
};

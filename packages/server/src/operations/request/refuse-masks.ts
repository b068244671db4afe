import { maskJson, masksIn } from '@yarnboard/domain';
import { refusedFor } from './refusal.ts';

/** RUN-29: whoever changes what was shown to them masked would put the masks in the place of the secrets. */
export const refuseMasks = (input: string, before: unknown, given: unknown): void => {
  const original = JSON.stringify(before);
  const returned = JSON.stringify(given);
  const mask = masksIn(JSON.stringify(maskJson(before))).find((one) => !original.includes(one) && returned.includes(one));
  if (mask !== undefined) throw refusedFor('masks-returned', { input, mask });
};

import { expect, test } from 'vitest';
import { isMany, simulate, TROUBLES } from './simulate.ts';
import { WISHED } from './wishes.ts';

test('[SIM-1] [SIM-2] [SIM-3] whatever happens in a history, what was answered is true and the log tells all of it; and everything does happen', async () => {
  const tally = await simulate();
  const missing = [...WISHED, ...TROUBLES, 'duplicate', 'rejected', 'failed', 'lost'].filter((what) => !tally.has(what));
  expect(isMany ? missing : []).toEqual([]);
});

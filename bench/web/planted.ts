import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createTally } from '../tree/planted.ts';
import { createProse } from '../tree/prose.ts';
import { createRandom } from '../tree/random.ts';
import { writeSession } from '../tree/session.ts';

/** Writes a session of at least so many messages, and gives its id. */
export const plantSession = (tree: string, messages: number, seed: number): string => {
  const folder = join(tree, 'projects', `-home-dev-long-${messages}`);
  mkdirSync(folder, { recursive: true });
  const random = createRandom(seed);
  const shop = { random, prose: createProse(random), tally: createTally() };
  const order = {
    bytes: messages * BYTES_A_MESSAGE,
    agents: 3,
    folder,
    cwd: `/home/dev/long-${messages}`,
    startsAt: Date.UTC(2026, 0, 5),
    fork: null,
  };
  const [planted] = writeSession(shop, order);
  if (planted === undefined) throw new Error('no session was written');
  return planted.id;
};

const BYTES_A_MESSAGE = 4900;

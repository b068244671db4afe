// Writes a transcript tree of any size: npm run bench -- generate DIR BYTES [SEED]
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createTally, type Planted, type PlantedSession } from './tree/planted.ts';
import { createProse } from './tree/prose.ts';
import { createRandom, type Random } from './tree/random.ts';
import { writeSession } from './tree/session.ts';
import type { Workshop } from './tree/thread.ts';

export type TreeOrder = { readonly bytes: number; readonly seed: number };

/** Writes `<folder>/projects/…` and returns what it planted there. The same order gives the same files, byte for byte. */
export const generateTree = (folder: string, { bytes, seed }: TreeOrder): Planted => {
  const random = createRandom(seed);
  const tally = createTally();
  const shop: Workshop = { random, prose: createProse(random), tally };
  const sessions: PlantedSession[] = [];
  const slugs = new Set<string>();
  while (tally.bytes < bytes * 0.995) {
    const size = sessionSize(random, sessions.length, bytes, bytes - tally.bytes);
    const project = random.between(1, PROJECTS);
    const cwd = `/home/dev/project-${project}`;
    const slug = join(folder, 'projects', `-home-dev-project-${project}`);
    if (!slugs.has(slug)) mkdirSync(slug, { recursive: true });
    slugs.add(slug);
    const agents = Math.round(random.between(1, 7) * 0.9) + (size > LONG ? Math.min(40, Math.round(size / LONG) * 4) : 0);
    const startsAt = FIRST_DAY + random.between(0, 240 * 24 * 60) * 60_000;
    const fork = size < LONG && sessions.length > 3 && random.chance(0.06) ? Math.round(size * 0.3) : null;
    sessions.push(...writeSession(shop, { bytes: size, agents, folder: slug, cwd, startsAt, fork }));
  }
  return { ...tally, sessions, now: FIRST_DAY + 3650 * 24 * 3_600_000 };
};

// The first session is the largest, about 4 % of everything, and two more are half as long; the others are as unequal as people's are.
const sessionSize = (random: Random, number: number, bytes: number, left: number): number => {
  if (number === 0) return bytes * 0.04;
  if (number <= 2) return bytes * 0.02;
  return Math.max(MIN_SESSION, Math.min(left, random.spread(330_000, 1, bytes * 0.03)));
};

const PROJECTS = 24;
const LONG = 2_000_000;
const MIN_SESSION = 12_000;
const FIRST_DAY = Date.UTC(2026, 0, 5);

const main = ([folder, bytes, seed = '1']: readonly string[]): number => {
  if (folder === undefined || !(Number(bytes) > 0) || !Number.isInteger(Number(seed))) {
    console.error('usage: npm run bench -- generate DIR BYTES [SEED]');
    return 2;
  }
  const { sessions, now: _now, ...planted } = generateTree(resolve(folder), { bytes: Number(bytes), seed: Number(seed) });
  console.log(
    JSON.stringify({ ...planted, sessions: sessions.length, largestSession: Math.max(...sessions.map((session) => session.records)) }, null, 2),
  );
  return 0;
};

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) process.exitCode = main(process.argv.slice(2));

import { describe, expect, test } from 'vitest';
import { anyAddition } from '../../packages/domain/test/recovery/random-additions.ts';
import { anyDocument } from '../../packages/domain/test/recovery/random-documents.ts';
import { describePlace } from '../../packages/store/src/testing/emergency.ts';
import { makeBoards } from './boards.ts';
import { complaintsAboutOutages } from './outage-checks.ts';
import { playOutages } from './outages.ts';
import { emptyShelf, shelfPlace } from './shelf.ts';

// As many as SIM-1 has; or one alone, which is then told step by step.
const ONE = process.env['YARNBOARD_SEED'];
const FIRST = Number(ONE ?? process.env['YARNBOARD_FIRST_SEED'] ?? 1);
const HISTORIES = ONE === undefined ? Number(process.env['YARNBOARD_HISTORIES'] ?? 1200) : 1;

describe('a disk in memory', () => {
  describePlace(
    () => {
      const shelf = emptyShelf('home');
      return Promise.resolve({
        open: () => shelfPlace(shelf),
        spoil: (cacheId: string, change: (text: string) => string) => {
          shelf.kept = new Map([...shelf.kept].map(([id, kept]) => [id, id === cacheId ? { ...kept, document: change(kept.document) } : kept]));
          return Promise.resolve();
        },
        end: () => Promise.resolve(),
      });
    },
    { documents: (cacheId) => anyDocument(cacheId), addition: anyAddition },
    '',
  );
});

test('[SIM-7] whatever happens to the log, to disks and to servers, what was answered `queued` is replayed once, known, an open conflict or discarded, and nothing else', async () => {
  const tally = new Map<string, number>();
  const boards = await makeBoards();
  try {
    for (let seed = FIRST; seed < FIRST + HISTORIES; seed += 1) {
      const steps: string[] = [];
      let complaints: readonly string[] = [];
      try {
        const history = await playOutages(seed, boards, steps);
        complaints = await complaintsAboutOutages(history);
        for (const { outcomes } of history.said) for (const { kind } of outcomes) count(tally, kind);
        for (const { pendingWrites } of history.documents) for (const { outcome } of pendingWrites) count(tally, `in the end ${outcome.kind}`);
        for (const what of TROUBLES) if (steps.some((step) => step.includes(what))) count(tally, what);
        await history.close();
      } catch (cause) {
        complaints = [cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)];
      }
      if (complaints.length > 0 || ONE !== undefined)
        console.error([...steps, ...complaints, `YARNBOARD_SEED=${seed} plays this history again`].join('\n'));
      expect({ seed, complaints: complaints.slice(0, 5) }).toEqual({ seed, complaints: [] });
    }
  } finally {
    boards.close();
  }
  const missing = [...TROUBLES, ...ENDS].filter((what) => !tally.has(what));
  expect(HISTORIES >= 1200 ? missing : []).toEqual([]);
});

const count = (tally: Map<string, number>, what: string): void => void tally.set(what, (tally.get(what) ?? 0) + 1);

const TROUBLES = [
  'is full',
  'is unreachable',
  'is hanging',
  'is killed',
  'is stopped',
  'RECOVERY_NEEDED',
  'AUDIT_RECOMMENDED',
  'is lost',
  'is cut off',
  'is overwritten',
  'is as it was once',
  'replay some',
  'discard some',
  'resolve of',
] as const;

const ENDS = ['done', 'duplicate', 'queued', 'rejected', 'in the end replayed', 'in the end known', 'in the end conflict', 'in the end discarded'];

import { readdirSync, readFileSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ENTRY_TYPES } from '@yarnboard/domain';
import { discover } from '../../src/ingest/discover.ts';
import { readGroup } from '../../src/ingest/group.ts';
import { planGroups } from '../../src/ingest/plan.ts';
import { openBench, type Bench } from '../ingest/bench.ts';
import { homeOf, type Home } from './homes.ts';
import { fixturesOf } from './told.ts';

let bench: Bench;
const homes: Home[] = [];

beforeEach(async () => {
  bench = await openBench();
});
afterEach(async () => {
  for (const home of homes.splice(0)) home.close();
  await bench.close();
});

const placed = (tool: string, scenario: string): string => {
  const home = homeOf(tool, join(fixturesOf(tool), scenario));
  homes.push(home);
  renameSync(home.folder, bench.at(tool));
  return bench.at(tool);
};

const pathsBelow = (folder: string, wanted: RegExp): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => wanted.test(name))
    .sort()
    .map((name) => join(folder, name));

const half = (path: string): string => {
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, text.slice(0, Math.floor(text.length / 2)));
  return text;
};

const longAgo = (path: string): void => utimesSync(path, new Date(Date.UTC(2026, 0, 1)), new Date(Date.UTC(2026, 0, 1)));

/** Reads what changed, as after a restart; says what could not be read, and which entries were taken back so far. */
const lookAgain = async (): Promise<{ readonly problems: readonly string[]; readonly takenBack: number; readonly entries: number }> => {
  const ingest = await bench.ingest();
  await ingest.importAll([bench.root]);
  await ingest.readFiles(ingest.findChanged());
  const entries = await bench.entries();
  return {
    problems: ingest.troubles().map(({ why }) => why),
    takenBack: entries.filter(({ type }) => type === ENTRY_TYPES.takenBack).length,
    entries: entries.length,
  };
};

const skippedBelow = (folder: string): readonly string[] => {
  const { groups, skipped } = planGroups(discover([folder]));
  return [...skipped, ...groups.flatMap((group) => readGroup(group).skipped)].map(({ reason }) => reason);
};

describe('what is half there', () => {
  test('[DIALECT-13] [GEM-3] a document of Gemini that is half written takes nothing back, is named, and is read when it is whole', async () => {
    const [chat = ''] = pathsBelow(placed('gemini', '0.20.2/tools'), /chats.*\.json$/u);
    const whole = await lookAgain();
    expect(whole).toMatchObject({ problems: [], takenBack: 0 });
    const text = half(chat);
    expect(await lookAgain()).toEqual({ ...whole, problems: [expect.stringContaining('it is not a JSON document')] });
    expect(skippedBelow(bench.root)).toEqual([expect.stringMatching(/^unreadable: it is not a JSON document/u)]);
    writeFileSync(chat, text);
    expect(await lookAgain()).toEqual(whole);
  });

  test('[DIALECT-13] [GEM-10] the last line of a chat that is cut off is named, and what is before it is told', async () => {
    const [chat = ''] = pathsBelow(placed('gemini', '0.61.0/tools'), /chats.*\.jsonl$/u);
    const text = readFileSync(chat, 'utf8');
    writeFileSync(chat, text.slice(0, -20));
    const cut = await lookAgain();
    expect(cut).toMatchObject({ problems: ['its last line is cut off'], takenBack: 0 });
    expect(cut.entries).toBeGreaterThan(5);
    expect(skippedBelow(bench.root)).toEqual(['in part: its last line is cut off']);
    writeFileSync(chat, text);
    const whole = await lookAgain();
    expect(whole).toMatchObject({ problems: [], takenBack: 0 });
    expect(whole.entries).toBeGreaterThan(cut.entries);
  });

  test('[DIALECT-13] bytes of a chat that are not text are named', () => {
    const [chat = ''] = pathsBelow(placed('gemini', '0.61.0/plain'), /chats.*\.jsonl$/u);
    writeFileSync(chat, Buffer.concat([readFileSync(chat), Buffer.from('{"id":"x","type":"user","content":"\u00ff"}\n', 'latin1')]));
    expect(skippedBelow(bench.root)).toEqual([expect.stringContaining('some bytes are not UTF-8 text')]);
  });

  test('[DIALECT-13] [OPEN-11] a file of a tree that is half written waits; one that stays half is kept as it stands', async () => {
    const tree = placed('opencode', '1.1.65/plain');
    const whole = await lookAgain();
    expect(whole).toMatchObject({ problems: [], takenBack: 0 });
    const [part = ''] = pathsBelow(tree, /storage\/part\/.*\.json$/u);
    const text = half(part);
    // Somebody may be writing it: as new as that, nobody knows.
    utimesSync(part, new Date(Date.now() + HOUR), new Date(Date.now() + HOUR));
    const written = await lookAgain();
    expect(written.problems.join()).toContain('being written just now');
    expect(written).toMatchObject({ takenBack: 0, entries: whole.entries });
    longAgo(part);
    const { groups } = planGroups(discover([bench.root]));
    const kinds = groups.flatMap((group) => [...readGroup(group).session.kinds]);
    expect(new Map(kinds).get('opencode/unreadable')).toBe(1);
    writeFileSync(part, text);
    longAgo(part);
    expect((await lookAgain()).problems).toEqual([]);
  });

  test('[DIALECT-13] [OPEN-11] [OPEN-12] a session of a tree whose own file is damaged is named, and not taken for deleted', async () => {
    const tree = placed('opencode', '1.1.65/plain');
    const whole = await lookAgain();
    const [session = ''] = pathsBelow(tree, /storage\/session\/.*\.json$/u);
    const text = half(session);
    const { problems, takenBack, entries } = await lookAgain();
    expect(problems).toEqual([expect.stringContaining('whose own files are missing or damaged: ses_')]);
    expect({ takenBack, entries }).toEqual({ takenBack: 0, entries: whole.entries });
    writeFileSync(session, text);
    longAgo(session);
    expect(await lookAgain()).toMatchObject({ problems: [], takenBack: 0 });
  });
});

const HOUR = 60 * 60 * 1000;

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeInspect, inspectDocument } from '@yarnboard/protocol';
import { lineOf } from '@yarnboard/store';
import { combine, DEFAULT_PRICES, DIALECTS, digestSession, reconstruct, renderHtml, renderMarkdown, renderText } from '@yarnboard/transcript';
import { readFileSync } from 'node:fs';
import { discover } from '../../src/ingest/discover.ts';
import { planGroups } from '../../src/ingest/plan.ts';
import { isView } from '../../src/ingest/views.ts';
import { openBench } from '../ingest/bench.ts';
import { accountOf, sumsOf } from './accounts.ts';
import { homeOf } from './homes.ts';
import { diceOf, mutate, MUTATIONS, type Mutation } from './mutations.ts';
import { fixturesOf, readScenario, scenariosIn, type Scenario } from './told.ts';

const TOOLS = DIALECTS.map(({ name }) => name).filter((name) => name !== 'claude-code');
/** How often each scenario is changed in each way. */
const TIMES = Math.max(1, Math.round((fc.readConfigureGlobal().numRuns ?? 100) / 100));

/** Ways in which a time, or a word for a state, may become another. */
const CHANGES_VALUES: ReadonlySet<Mutation> = new Set(['noisy', 'joined', 'retyped']);

type Case = { readonly tool: string; readonly scenario: Scenario; readonly mutation: Mutation; readonly seed: number };

const casesOf = (tool: string): readonly Case[] =>
  scenariosIn(fixturesOf(tool)).flatMap((scenario, nth) =>
    MUTATIONS.flatMap((mutation, kind) =>
      Array.from({ length: TIMES }, (_, time) => ({ tool, scenario, mutation, seed: nth * 1000 + kind * 100 + time })),
    ),
  );

/** One of so many; since there are eight ways, an odd number leaves none of them out. */
const someOf = (tool: string, of: number): readonly Case[] => casesOf(tool).filter((_, nth) => nth % of === 0);

const changed = ({ tool, scenario, mutation, seed }: Case): { readonly folder: string; readonly close: () => void } => {
  const home = homeOf(tool, scenario.folder);
  mutate(home.folder, mutation, diceOf(seed));
  return home;
};

/** Whatever is asked of a session for its report, its page and its text. */
const lookAtAll = (folder: string): void => {
  const { read, close } = readScenario(folder);
  try {
    const counts = { bytes: 0, lines: 0, blank: 0, records: 0, extra: 0, quarantined: 0 };
    const digests = read.map(({ session }) => digestSession(session));
    const report = encodeInspect(combine(digests, { files: read.length, counts, quarantine: [], skipped: [] }, DEFAULT_PRICES));
    expect(inspectDocument.safeParse(report).error?.issues ?? []).toEqual([]);
    for (const { session, recordOf } of read) {
      const source = { session, title: null, project: null, recordOf, outputOf: () => null };
      const flow = reconstruct(session);
      for (const render of [renderText, renderMarkdown, renderHtml]) for (const piece of render(source, flow)) expect(typeof piece).toBe('string');
    }
  } finally {
    close();
  }
};

const nameOf = ({ scenario, mutation, seed }: Case): string => `${scenario.name}, ${mutation}, ${seed}`;

describe('sessions that were damaged on their way', () => {
  test.each(TOOLS)('[DIALECT-13] of %s: every line, row and file is accounted for, whatever became of it', (tool) => {
    const cases = casesOf(tool);
    for (const one of cases) {
      const home = changed(one);
      try {
        const { counts, lines, bytes, lost, untold, left } = accountOf(home.folder);
        const [inFiles, told] = sumsOf(counts);
        // Times that nobody can have written keep a message open for ever: what is behind it waits (OPEN-4).
        const mayWait = tool === 'opencode' && CHANGES_VALUES.has(one.mutation);
        const waiting = mayWait ? [] : untold;
        expect({ name: nameOf(one), inFiles, lines: counts.lines, bytes: counts.bytes, lost, untold: waiting, left: left.named }).toEqual({
          name: nameOf(one),
          inFiles: told,
          lines,
          bytes,
          lost: [],
          untold: [],
          left: left.found,
        });
      } finally {
        home.close();
      }
    }
    expect(cases.length).toBeGreaterThan(80);
  });

  test.each(TOOLS)('[DIALECT-13] of %s: they can be reported on and told, and nothing throws', (tool) => {
    const failed = someOf(tool, 3).flatMap((one) => {
      const home = changed(one);
      try {
        lookAtAll(home.folder);
        return [];
      } catch (cause) {
        return [`${nameOf(one)}: ${String(cause)}`];
      } finally {
        home.close();
      }
    });
    expect(failed).toEqual([]);
  });

  test.each(TOOLS)('[DIALECT-13] of %s: their lines are on the log byte for byte, once, and a second import adds nothing', async (tool) => {
    let looked = 0;
    for (const one of someOf(tool, 17)) {
      const home = changed(one);
      const bench = await openBench();
      try {
        const ingest = await bench.ingest({ roots: () => [home.folder] });
        await ingest.importAll([home.folder]);
        const entries = await bench.entries();
        const texts = new Set(entries.map((entry) => Buffer.from(lineOf(entry, Buffer.from(entry.text, 'latin1'))).toString('latin1')));
        const missing = linesBelow(home.folder).filter((line) => !texts.has(line) && !isMadeOf(line, texts));
        expect({ name: nameOf(one), missing }).toEqual({ name: nameOf(one), missing: [] });
        const again = await (await bench.ingest({ roots: () => [home.folder] })).importAll([home.folder]);
        expect({ name: nameOf(one), added: again.added }).toEqual({ name: nameOf(one), added: 0 });
        looked += entries.length;
      } finally {
        await bench.close();
        home.close();
      }
    }
    expect(looked).toBeGreaterThan(50);
  });
});

/** The complete lines of the files that sessions are read of, with neither blank ones nor a byte order mark. */
const linesBelow = (folder: string): readonly string[] =>
  planGroups(discover([folder], DIALECTS), DIALECTS)
    .groups.flatMap(({ files }) => files)
    .filter(({ path }) => !isView(path))
    .flatMap(({ path }) => readFileSync(path).toString('latin1').split('\n').slice(0, -1))
    .map((line) => line.replace(/^[ \t\r]+|[ \t\r]+$/gu, ''))
    .filter((line) => line !== '');

/** Several objects on one line, or an object behind a half one, are pieces of their own. */
const isMadeOf = (line: string, texts: ReadonlySet<string>): boolean => {
  let rest = line;
  for (const text of [...texts].filter((one) => one !== '' && line.includes(one)).sort((a, b) => b.length - a.length))
    rest = rest.replaceAll(text, '');
  return rest.trim() === '';
};

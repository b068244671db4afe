import { describe, expect, test } from 'vitest';
import { DIALECTS, jsonText, type JsonObject } from '@yarnboard/transcript';
import { discover } from '../../src/ingest/discover.ts';
import { eachKeptLine, isKept, keptEnds, keptText } from '../../src/ingest/kept.ts';
import { accountOf, sumsOf } from './accounts.ts';
import { homeOf } from './homes.ts';
import { fixturesOf, scenariosIn, sharedFixturesOf } from './told.ts';

const TOOLS = DIALECTS.map(({ name }) => name).filter((name) => name !== 'claude-code');

const expectAccounted = (tool: string, root: string): number => {
  const found = scenariosIn(root);
  for (const { name, folder, sessions } of found) {
    const home = homeOf(tool, folder);
    try {
      const { counts, lines, bytes, lost, untold, left, ...rest } = accountOf(home.folder);
      const [inFiles, told] = sumsOf(counts);
      expect({ name, inFiles, lines: counts.lines, bytes: counts.bytes, lost, untold, left: left.named }).toEqual({
        name,
        inFiles: told,
        lines,
        bytes,
        lost: [],
        untold: [],
        left: left.found,
      });
      // The real CLI wrote it: all of it can be read, and every session is there.
      expect({ name, quarantined: rest.quarantined, unread: rest.skipped.filter(({ reason }) => !/^(?:outside|not a )/u.test(reason)) }).toEqual({
        name,
        quarantined: 0,
        unread: [],
      });
      const mains = sessions.filter(({ id, kind, deleted }) => id !== null && kind !== 'subagent' && deleted !== true);
      expect({ name, sessions: rest.sessions }).toEqual({ name, sessions: mains.length });
    } finally {
      home.close();
    }
  }
  return found.length;
};

describe('every scenario of every tool', () => {
  test.each(TOOLS)('[DIALECT-12] of %s: each line, row and file is accounted for, and nothing is quarantined', (tool) => {
    expect(expectAccounted(tool, fixturesOf(tool))).toBeGreaterThan(10);
  });

  test.skipIf(sharedFixturesOf('codex') === null).each(TOOLS)(
    '[DIALECT-12] of %s, as others have it: the same (needs ../shared/fixtures, which has all that the CLI left there)',
    (tool) => {
      const root = sharedFixturesOf(tool);
      expect(root === null ? 0 : expectAccounted(tool, root)).toBeGreaterThan(10);
    },
  );

  test.each(TOOLS.filter((name) => DIALECTS.some((dialect) => dialect.name === name && dialect.store !== undefined)))(
    '[DIALECT-8] of %s: a session has the same lines whoever reads it, and its ends are some of them',
    (tool) => {
      const seen = { sessions: 0, ends: 0 };
      for (const { name, folder } of scenariosIn(fixturesOf(tool))) {
        const home = homeOf(tool, folder);
        try {
          for (const { path } of discover([home.folder]).files.filter((file) => isKept(file.path))) {
            const lines: JsonObject[] = [];
            const problem = eachKeptLine(path, (line) => void lines.push(line));
            const text = keptText(path);
            const written = lines.map((line) => jsonText(line));
            expect({ name, problem, text: written.map((line) => `${line}\n`).join('') }).toEqual({
              name,
              problem: text.problem,
              text: text.text.toString('utf8'),
            });
            const ends = keptEnds(path);
            const first = [...(ends?.first ?? [])].map((line) => jsonText(line));
            expect({ name, first }).toEqual({ name, first: written.slice(0, first.length) });
            seen.sessions += 1;
            if (first.length > 0 && ends !== null && [...ends.last].length > 0) seen.ends += 1;
          }
        } finally {
          home.close();
        }
      }
      expect(seen.sessions).toBeGreaterThan(10);
      expect(seen.ends).toBeGreaterThan(seen.sessions / 2);
    },
  );
});

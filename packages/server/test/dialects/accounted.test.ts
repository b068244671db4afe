import { describe, expect, test } from 'vitest';
import { DIALECTS } from '@yarnboard/transcript';
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
});

import { describe, expect, test } from 'vitest';
import { compareScenario, type Tolerance } from './compare.ts';
import { scenarios } from './told.ts';

/** The same call under the name that everything else knows for it (PI-5). */
const NAMES: Readonly<Record<string, string>> = { bash: 'Bash', read: 'Read', write: 'Write', edit: 'Edit' };

const TOLERANCE: Tolerance = {
  around: { hasBranch: false, interrupted: /^$/u, hasErrors: true, hasFiles: true },
  nameOf: (name) => NAMES[name] ?? name,
  // The original is named by the file, not by what was asked for.
  sessionsOf: (sessions) => {
    const main = sessions.find(({ kind }) => kind === 'main');
    return sessions.map((session) =>
      session.kind === 'fork' && session.forked_from == null && main !== undefined ? { ...session, forked_from: main.id } : session,
    );
  },
  // Long texts are cut in the file.
  textOf: (text) => text.slice(0, 100),
  titleOf: ({ title = null }) => title,
  usageOf: (session) => (session.kind === 'fork' ? session.usage : (session.usage_in_files ?? session.usage)),
};

describe.each(scenarios('pi'))('$name', (scenario) => {
  test('[PI-3] is reported as it happened', () => {
    expect(compareScenario(scenario.folder, scenario, TOLERANCE)).toBeGreaterThan(0);
  });
});

import { describe, expect, test } from 'vitest';
import { compareScenario, type Tolerance } from './compare.ts';
import { scenarios } from './told.ts';

/** The same call under the name that everything else knows for it (COPI-4). */
const NAMES: Readonly<Record<string, string>> = { bash: 'Bash', view: 'Read', create: 'Write', edit: 'Edit', task: 'Agent' };

const TOLERANCE: Tolerance = {
  around: { hasBranch: true, interrupted: / intshell$/u, hasErrors: true, hasFiles: true },
  nameOf: (name) => NAMES[name] ?? name,
  usageOf: (session) => session.usage_in_files ?? session.usage,
};

describe.each(scenarios('copilot'))('$name', (scenario) => {
  test('[COPI-3] is reported as it happened', () => {
    expect(compareScenario(scenario.folder, scenario, TOLERANCE)).toBeGreaterThan(0);
  });
});

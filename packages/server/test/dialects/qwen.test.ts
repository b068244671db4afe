import { describe, expect, test } from 'vitest';
import { compareScenario, type Tolerance } from './compare.ts';
import { scenarios } from './told.ts';

/** The same call under the name that everything else knows for it (QWEN-5). */
const NAMES: Readonly<Record<string, string>> = {
  run_shell_command: 'Bash',
  read_file: 'Read',
  write_file: 'Write',
  edit: 'Edit',
  todo_write: 'TodoWrite',
  agent: 'Agent',
  task: 'Agent',
};

const TOLERANCE: Tolerance = {
  around: { hasBranch: true, interrupted: /^$/u, hasErrors: true, hasFiles: true },
  nameOf: (name) => NAMES[name] ?? name,
  sessionsOf: (sessions) => sessions.filter(({ id }) => id !== null).map((session) => ({ ...session, id: session.id.replace(/^agent-/u, '') })),
  usageOf: (session) => session.usage_in_files ?? session.usage,
};

describe.each(scenarios('qwen'))('$name', (scenario) => {
  test('[QWEN-3] is reported as it happened', () => {
    expect(compareScenario(scenario.folder, scenario, TOLERANCE)).toBeGreaterThan(0);
  });
});

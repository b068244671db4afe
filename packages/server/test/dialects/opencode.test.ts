import { describe, expect, test } from 'vitest';
import { add, compareScenario, type Tolerance } from './compare.ts';
import { homeOf } from './homes.ts';
import { scenarios } from './told.ts';

/** The same call under the name that everything else knows for it (OPEN-7). */
const NAMES: Readonly<Record<string, string>> = {
  bash: 'Bash',
  read: 'Read',
  write: 'Write',
  edit: 'Edit',
  task: 'Agent',
  todowrite: 'TodoWrite',
};

const TOLERANCE: Tolerance = {
  around: { hasBranch: false, interrupted: / abort$/u, hasErrors: true, hasFiles: false },
  nameOf: (name) => NAMES[name] ?? name,
  // Deleted with the next prompt: nothing of it is left unless it was read before (OPEN-10).
  messagesOf: (messages) => messages.filter(({ dropped }) => dropped !== true),
  // Of a tool that is not there only its name is kept.
  inputOf: ({ name, input, result }) =>
    name === 'no_such_tool' ? { tool: name, error: result?.replace('The arguments provided to the tool are invalid: ', '') } : input,
  // Half of a text that a kill cut off.
  textOf: (text) => text.slice(0, 90),
  // What the fork is called is the tool's own.
  titleOf: ({ title = null, kind }) => (title !== null && kind === 'fork' ? `${title} (fork #1)` : title),
  usageOf: (session) => {
    const compactions = (session.own_requests ?? []).filter(({ kind }) => kind === 'compact').map(({ usage }) => usage);
    const own = session.kind === 'fork' ? session.usage : (session.usage_in_files ?? session.usage);
    return compactions.reduce(add, own);
  },
};

describe.each(scenarios('opencode'))('$name', (scenario) => {
  test('[OPEN-2] [OPEN-5] [OPEN-7] [OPEN-9] is reported as it happened', () => {
    const home = homeOf('opencode', scenario.folder);
    try {
      expect(compareScenario(home.folder, scenario, TOLERANCE)).toBeGreaterThan(0);
    } finally {
      home.close();
    }
  });
});

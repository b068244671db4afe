import { describe, expect, test } from 'vitest';
import { compareScenario, type Tolerance } from './compare.ts';
import { homeOf } from './homes.ts';
import { scenarios, type ExpectedMessage, type Scenario } from './told.ts';

/** The same call under the name that everything else knows for it (GEM-6). */
const NAMES: Readonly<Record<string, string>> = {
  run_shell_command: 'Bash',
  read_file: 'Read',
  write_file: 'Write',
  replace: 'Edit',
  write_todos: 'TodoWrite',
  invoke_agent: 'Agent',
  codebase_investigator: 'Agent',
  generalist: 'Agent',
};

const isOld = ({ name }: Scenario): boolean => name.startsWith('0.2');

/** A reply that only calls a tool is merged into the one before by old versions. */
const merged = (messages: readonly ExpectedMessage[]): readonly ExpectedMessage[] => {
  const all: ExpectedMessage[] = [];
  for (const message of messages) {
    const last = all.at(-1);
    if (message.role === 'assistant' && message.text === '' && last?.role === 'assistant')
      all[all.length - 1] = { ...last, tool_calls: [...(last.tool_calls ?? []), ...(message.tool_calls ?? [])] };
    else all.push(message);
  }
  return all;
};

const TOLERANCE: Tolerance = {
  inputOf: ({ name, input }) => (name === 'generalist' ? { agent: name, input } : input),
  around: { hasBranch: false, interrupted: /^$/u, hasErrors: false, hasFiles: true },
  nameOf: (name) => NAMES[name] ?? name,
  hasIds: false,
  // Of old versions only a path that something was done with proves where.
  hasFolder: (scenario) => !isOld(scenario) || / (?:tools|resume)$/u.test(scenario.name),
  resultOf: (result) => {
    if (!result.startsWith('{"')) return result;
    const { output, error } = JSON.parse(result) as { readonly output?: string; readonly error?: string }; // as the model was told
    return output ?? error ?? result;
  },
  // Sub-agents of old versions are mixed into the chat, without a mark.
  sessionsOf: (sessions) => sessions.filter(({ id }) => id !== null),
  messagesOf: (messages, _session, scenario) => (isOld(scenario) ? merged(messages) : messages),
  usageOf: (session, scenario) => (isOld(scenario) ? null : (session.usage_in_files ?? session.usage)),
};

describe.each(scenarios('gemini').filter(({ name }) => !/^0\.2\d*\.\d+ task$/u.test(name)))('$name', (scenario) => {
  test('[GEM-5] is reported as it happened', () => {
    const home = homeOf('gemini', scenario.folder);
    try {
      expect(compareScenario(home.folder, scenario, TOLERANCE)).toBeGreaterThan(0);
    } finally {
      home.close();
    }
  });
});

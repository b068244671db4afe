import { responseCountedAt, titleOf } from '@yarnboard/transcript';
import { expect } from 'vitest';
import {
  aroundOf,
  expectedAround,
  nodesOf,
  readScenario,
  sidechainOf,
  toldOf,
  usageIn,
  type Around,
  type ExpectedCall,
  type ExpectedMessage,
  type ExpectedSession,
  type Scenario,
} from './told.ts';

/** Where a tool keeps less than was said, or something else than the model was told. */
export type Tolerance = {
  /** The name that everything else knows for a call. */
  readonly nameOf: (name: string) => string;
  /** What of a result is compared. */
  readonly resultOf?: (result: string, call: ExpectedCall) => string;
  readonly textOf?: (text: string) => string;
  readonly inputOf?: (call: ExpectedCall) => unknown;
  /** What of a session can be in its files at all. */
  readonly messagesOf?: (messages: readonly ExpectedMessage[], session: ExpectedSession, scenario: Scenario) => readonly ExpectedMessage[];
  readonly usageOf?: (session: ExpectedSession, scenario: Scenario) => ExpectedSession['usage'] | null;
  readonly sessionsOf?: (sessions: readonly ExpectedSession[], scenario: Scenario) => readonly ExpectedSession[];
  /** Whether a call starts a sub-agent that has a conversation of its own. */
  readonly titleOf?: (session: ExpectedSession, scenario: Scenario) => string | null;
  readonly hasThinking?: boolean;
  /** Whether calls have the ids that the model gave them. */
  readonly hasIds?: boolean;
  readonly hasFolder?: (scenario: Scenario) => boolean;
  readonly around: Around;
};

/** Compares what is read of a scenario with what was really said; returns how many sessions were. */
export const compareScenario = (folder: string, scenario: Scenario, tolerance: Tolerance): number => {
  const { read, close } = readScenario(folder);
  const sessions = (tolerance.sessionsOf?.(scenario.sessions, scenario) ?? scenario.sessions).filter(({ deleted }) => deleted !== true);
  try {
    expect(read.map(({ group }) => group.sessionId).sort()).toEqual(
      sessions
        .filter(({ kind }) => kind !== 'subagent')
        .map(({ id }) => id)
        .sort(),
    );
    for (const expected of sessions) {
      const one = read.find(({ session }) => session.id === expected.id || session.agents.has(expected.id));
      if (one === undefined) throw new Error(`${expected.id} was not read`);
      const { session } = one;
      const wanted = (tolerance.messagesOf?.(expected.messages, expected, scenario) ?? expected.messages).filter(
        ({ stored, injected }) => stored !== false && injected !== true,
      );
      const untold = new Set(
        wanted.flatMap(({ tool_calls: calls = [] }, i) =>
          calls.flatMap(({ result, result_stored: isStored }, j) => (result == null || isStored === false || CUT.test(result) ? [`${i}.${j}`] : [])),
        ),
      );
      const plain = (messages: readonly ExpectedMessage[], isExpected: boolean) =>
        messages.map((one, i) => plainly(one, tolerance, isExpected, (j) => untold.has(`${i}.${j}`)));
      expect(plain(toldOf(one, expected.id), false)).toEqual(plain(wanted, true));
      // Every compaction counts once, whatever a tool writes of it.
      if (expected.kind !== 'subagent')
        expect(session.main.nodes.filter(({ entry }) => entry.more?.compaction != null).length).toBe(
          wanted.filter(({ role }) => role === 'compaction').length,
        );
      const { files, ...around } = aroundOf(one, expected.id, folder);
      const wantedAround = expectedAround(expected, scenario, tolerance.around);
      expect({ ...around, files: tolerance.around.hasFiles ? files : [] }).toEqual(wantedAround);
      if (tolerance.hasFolder?.(scenario) !== false) expect([...session.projects]).toEqual([expected.cwd]);
      const title = tolerance.titleOf?.(expected, scenario) ?? null;
      if (title !== null && expected.kind !== 'subagent') expect(titleOf(session)).toBe(title);
      expect([...session.forkedFrom]).toEqual(expected.kind === 'fork' ? [expected.forked_from] : []);
      const chain = sidechainOf(one, expected.id);
      const calls = chain?.toolUseIds.map((id) => (tolerance.hasIds === false ? null : id));
      expect(chain && { calls, parent: chain.parentId ?? session.id }).toEqual(
        expected.kind === 'subagent'
          ? { calls: [tolerance.hasIds === false ? null : expected.spawned_by_call], parent: expected.parent ?? chain?.parentId ?? session.id }
          : undefined,
      );
      const models = new Set(nodesOf(session, expected.id).flatMap(({ entry: { model } }) => model ?? []));
      for (const { model, role } of wanted) if (role === 'assistant' && model !== undefined) expect(models).toContain(model);
      const sum = nodesOf(session, expected.id)
        .flatMap((node) => responseCountedAt(session.responses, node) ?? [])
        .map((response) => usageIn(response.usage))
        .reduce(add, NOTHING);
      const usage = tolerance.usageOf?.(expected, scenario) ?? null;
      if (usage !== null) expect(sum).toEqual(only(usage));
    }
    return sessions.length;
  } finally {
    close();
  }
};

/** Long results are cut in what is expected. */
const CUT = /\d characters removed\]/u;

type Counted = ExpectedSession['usage'];

const NOTHING: Counted = { input: 0, cached: 0, output: 0 };
export const add = (a: Counted, b: Counted): Counted => ({ input: a.input + b.input, cached: a.cached + b.cached, output: a.output + b.output });
const only = ({ input, cached, output }: Counted): Counted => ({ input, cached, output });

/** `isUntold` tells calls whose results cannot be compared: the model was never told, or they were cut. */
const plainly = (message: ExpectedMessage, tolerance: Tolerance, isExpected: boolean, isUntold: (call: number) => boolean): object => {
  const { role, text, thinking, summary, dropped, tool_calls: calls } = message;
  const said = text === undefined ? {} : { text: tolerance.textOf?.(text) ?? text };
  return {
    role,
    ...said,
    ...(thinking === undefined || tolerance.hasThinking === false ? {} : { thinking: thinking.trim() }),
    ...(summary === undefined ? {} : { summary: summary.trim() }),
    ...(dropped === true ? { dropped } : {}),
    ...(calls === undefined ? {} : { calls: calls.map((call, i) => callIn(call, tolerance, isExpected, isUntold(i))) }),
  };
};

const callIn = (
  call: ExpectedCall,
  { nameOf, resultOf = (result) => result, inputOf, hasIds = true }: Tolerance,
  isExpected: boolean,
  isUntold: boolean,
): object => ({
  ...(hasIds ? { id: call.id } : {}),
  name: isExpected ? nameOf(call.name) : call.name,
  words: wordsIn(isExpected && inputOf !== undefined ? inputOf(call) : call.input),
  result: call.result == null || call.result_stored === false || isUntold ? null : resultOf(call.result, call),
  failed: call.failed === true,
});

/** What is asked for, under whatever keys. */
const wordsIn = (input: unknown): readonly string[] =>
  [...new Set(valuesIn(input).join(' ').split(/\s+/u))].filter((word) => word !== '' && word !== 'undefined').sort();

const valuesIn = (value: unknown): readonly string[] =>
  typeof value === 'object' && value !== null ? Object.values(value).flatMap(valuesIn) : [String(value)];

import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { hearMessage, silence, type Hearing } from '../../src/runtimes/claude/facts.ts';
import type { SeatFact } from '../../src/runtimes/port.ts';

const hearAll = (values: readonly unknown[]): { readonly facts: readonly SeatFact[]; readonly hearing: Hearing } => {
  let hearing = silence;
  const facts: SeatFact[] = [];
  for (const value of values) {
    const heard = hearMessage(hearing, value, 1000);
    ({ hearing } = heard);
    facts.push(...heard.facts);
  }
  return { facts, hearing };
};

const reply = (id: string, output: number, parent: string | null) => ({
  type: 'assistant',
  uuid: 'u',
  parent_tool_use_id: parent,
  message: {
    id,
    role: 'assistant',
    model: 'claude-opus-4-5',
    content: [{ type: 'text', text: 'so' }],
    usage: { input_tokens: 5, output_tokens: output },
  },
});

test('[RT-28] every response is counted once, and by the end of the turn all of its tokens are', () => {
  const replies = fc.array(fc.record({ output: fc.nat(50), parts: fc.integer({ min: 1, max: 3 }), isAgent: fc.boolean() }), { maxLength: 12 });
  fc.assert(
    fc.property(replies, fc.nat(500), (given, more) => {
      const said = given.flatMap(({ output, parts, isAgent }, i) =>
        Array.from({ length: parts }, () => reply(`m${i}`, output, isAgent ? 'call' : null)),
      );
      const streamed = given.reduce((sum, { output }) => sum + output, 0);
      const result = { type: 'result', subtype: 'success', usage: { output_tokens: streamed + more } };
      const used = hearAll([...said, result]).facts.flatMap((fact) => (fact.kind === 'usage' ? [fact.usage] : []));
      expect(used.reduce((sum, { outputTokens }) => sum + outputTokens, 0)).toBe(streamed + more);
      expect(used.reduce((sum, { inputTokens }) => sum + inputTokens, 0)).toBe(5 * given.length);
    }),
  );
});

test('[RT-28] whatever comes, nothing is thrown; what a sub-agent says is not what the seat says', () => {
  fc.assert(fc.property(fc.array(fc.jsonValue()), (values) => void hearAll(values)));
  const { facts, hearing } = hearAll([reply('a', 1, 'call'), reply('b', 1, null)]);
  expect(facts.filter(({ kind }) => kind === 'text')).toHaveLength(1);
  expect(hearing.words).toBe('so');
});

test('[RT-15] a limit that Claude has reached is a rest until the time it names', () => {
  const limit = (status: string) => ({ type: 'rate_limit_event', rate_limit_info: { status, resetsAt: 60 } });
  expect(hearAll([limit('allowed')]).facts).toEqual([]);
  expect(hearAll([limit('rejected')]).facts).toMatchObject([{ kind: 'rest', until: 60_000 }]);
});

import { ENVELOPE_ROLES, idOf, SENDERS, SERVICE_KINDS, TURN_STATUSES, type Envelope, type EnvelopeEvent, type Json } from '@yarnboard/transcript';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeEnvelope, encodeEnvelope, unwrapEnvelope, wrapEnvelope } from '../src/wire/envelope.ts';

const id = fc.string().map((text) => idOf(text));
const text = fc.string();
const count = fc.nat();
// As it comes out of a text: JSON has no -0.
const json = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)) as Json);
const usage = fc.record({ input: count, output: count, cacheWrite5m: count, cacheWrite1h: count, cacheRead: count });
const yes = fc.constant(true as const);
const source = { source: fc.nat().map((n) => `MSG-${n + 1}`) };

const EVENTS: { readonly [T in EnvelopeEvent['t']]: fc.Arbitrary<EnvelopeEvent> } = {
  text: fc.record({ t: fc.constant('text'), text, thinking: yes, prompt: yes, model: text, ...source }, { requiredKeys: ['t', 'text'] }),
  'tool-call-start': fc.record(
    { t: fc.constant('tool-call-start'), call: text, name: text, title: text, description: text, args: json, ...source },
    { requiredKeys: ['t', 'call', 'name', 'title', 'description', 'args'] },
  ),
  'tool-call-end': fc.record(
    { t: fc.constant('tool-call-end'), call: text, result: json, isError: fc.boolean(), isInterrupted: yes, ...source },
    { requiredKeys: ['t', 'call', 'result', 'isError'] },
  ),
  'turn-start': fc.record({ t: fc.constant('turn-start') }),
  'turn-end': fc.record({ t: fc.constant('turn-end'), status: fc.constantFrom(...TURN_STATUSES), usage }, { requiredKeys: ['t', 'status'] }),
  start: fc.record({ t: fc.constant('start'), title: text, agent: text, parent: id, isOrphan: yes }, { requiredKeys: ['t'] }),
  stop: fc.record({ t: fc.constant('stop'), status: fc.constantFrom(...TURN_STATUSES), usage }, { requiredKeys: ['t', 'status'] }),
  service: fc.record(
    { t: fc.constant('service'), kind: fc.constantFrom(...SERVICE_KINDS), text, data: json, ...source },
    { requiredKeys: ['t', 'kind', 'text'] },
  ),
  file: fc.record(
    { t: fc.constant('file'), ref: text, name: text, size: count, mimeType: text, call: text, ...source },
    { requiredKeys: ['t', 'ref', 'name', 'size', 'mimeType'] },
  ),
};

const anyEnvelope: fc.Arbitrary<Envelope> = fc
  .oneof(...Object.values(EVENTS))
  .chain((ev) =>
    fc.record(
      { id, time: count, role: fc.constantFrom(...SENDERS[ev.t]), turn: id, subagent: id, ev: fc.constant(ev) },
      { requiredKeys: ['id', 'time', 'role', 'ev'] },
    ),
  );

test('[WIRE-1] every envelope comes back from the wire as it was', () => {
  fc.assert(
    fc.property(anyEnvelope, (envelope) => {
      expect(decodeEnvelope(encodeEnvelope(envelope))).toEqual({ ok: true, value: envelope });
      expect(unwrapEnvelope(JSON.parse(JSON.stringify(wrapEnvelope(envelope))))).toEqual({ ok: true, value: envelope });
    }),
  );
});

test('[WIRE-1] names are snake_case outside, but for the keys of somebody else', () => {
  const own = (value: unknown): readonly string[] =>
    typeof value !== 'object' || value === null
      ? []
      : Object.entries(value).flatMap(([key, inner]) => [key, ...(['args', 'result', 'data'].includes(key) ? [] : own(inner))]);
  fc.assert(
    fc.property(anyEnvelope, (envelope) => {
      for (const key of own(encodeEnvelope(envelope))) expect(key).toMatch(/^[a-z0-9_]+$/u);
    }),
  );
  const args = { filePath: '/a', old_string: 'x', nested: { isError: true } };
  const ev = { t: 'tool-call-start', call: 'toolu_1', name: 'Edit', title: 'Edit call', description: 'Edit call', args } as const;
  expect(encodeEnvelope({ id: idOf('a'), time: 1, role: 'agent', ev }).ev).toMatchObject({ args });
  expect(
    wrapEnvelope({ id: idOf('a'), time: 1, role: 'agent', ev: { t: 'tool-call-end', call: 'c', result: args, isError: true, isInterrupted: true } }),
  ).toEqual({
    content: {
      type: 'session',
      data: {
        id: idOf('a'),
        time: 1,
        role: 'agent',
        ev: { t: 'tool-call-end', call: 'c', result: args, ['is_error']: true, ['is_interrupted']: true },
      },
    },
  });
});

const whole = { id: idOf('a'), time: 1, role: 'agent', turn: idOf('t'), ev: { t: 'text', text: 'hello' } };

const whyNot = (value: unknown): string => {
  const read = decodeEnvelope(value);
  return read.ok ? 'it was read' : `${read.error.field}: ${read.error.why}`;
};

test('[WIRE-2] what is no envelope is refused with the field and the reason', () => {
  expect(decodeEnvelope(whole).ok).toBe(true);
  expect(whyNot({ ...whole, ev: { t: 'shout', text: 'x' } })).toMatch(/^ev\.t: must be one of text, tool-call-start, /u);
  expect(whyNot({ ...whole, ev: { t: 'text' } })).toMatch(/^ev\.text: /u);
  expect(whyNot({ ...whole, ev: { t: 'tool-call-start', call: 'c', name: 'n', title: 't', description: 'd' } })).toMatch(/^ev\.args: /u);
  expect(whyNot({ ...whole, ev: { t: 'text', text: 'x', loud: true } })).toBe('ev.loud: there is no such field');
  expect(whyNot({ ...whole, extra: 1 })).toBe('extra: there is no such field');
  expect(whyNot({ ...whole, role: 'system' })).toMatch(/^role: /u);
  expect(whyNot({ ...whole, time: '1' })).toMatch(/^time: /u);
  for (const value of [null, 1, 'x', [], undefined]) expect(whyNot(value)).toMatch(/^envelope: /u);
});

test('[WIRE-2] ids that are not in the shape of a cuid2 are refused, wherever they stand', () => {
  for (const bad of ['', 'toolu_01ABC', idOf('a').slice(1), `${idOf('a')}x`, idOf('a').toUpperCase(), `1${idOf('a').slice(1)}`, 7]) {
    for (const field of ['id', 'turn', 'subagent']) expect(whyNot({ ...whole, [field]: bad }), `for ${bad}`).toMatch(new RegExp(`^${field}: `, 'u'));
    expect(whyNot({ ...whole, ev: { t: 'start', parent: bad } })).toMatch(/^ev\.parent: /u);
  }
});

test('[WIRE-2] nobody sends what is not theirs to send: the whole table', () => {
  let refused = 0;
  for (const [name, event] of Object.entries(EVENTS)) {
    for (const role of ENVELOPE_ROLES) {
      const [ev] = fc.sample(event, { seed: 1, numRuns: 1 });
      const may = (SENDERS[name as keyof typeof SENDERS] as readonly string[]).includes(role);
      const why = whyNot(ev === undefined ? null : encodeEnvelope({ id: idOf('a'), time: 1, role, ev }));
      expect(why).toMatch(may ? /^it was read$/u : new RegExp(`^role: ${role} may not send ${name}; `, 'u'));
      refused += may ? 0 : 1;
    }
  }
  expect(refused).toBe(15);
});

test('[WIRE-2] a wrapping that is not ours is refused as well', () => {
  const why = (value: unknown): string => {
    const read = unwrapEnvelope(value);
    return read.ok ? 'it was read' : read.error.field;
  };
  expect(why({ content: { type: 'session', data: whole } })).toBe('it was read');
  expect(why({ content: { type: 'output', data: whole } })).toBe('content.type');
  expect(why({ content: { type: 'session', data: { ...whole, id: 'x' } } })).toBe('content.data.id');
  expect(why({ content: { type: 'session', data: whole, more: 1 } })).toBe('content.more');
  expect(why({ content: { type: 'session' } })).toBe('content.data');
  expect(why(whole)).toBe('content');
});

test('[WIRE-2] whatever is sent, reading it never throws', () => {
  fc.assert(
    fc.property(fc.anything(), (value) => {
      const read = decodeEnvelope(value);
      expect(read.ok || read.error.why.length > 0).toBe(true);
    }),
  );
});

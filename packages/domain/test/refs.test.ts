import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findRefs, formatRef, NUMBERED_TYPES, ok, parseRef, type BadRef, type RefOrigin, type Ref } from '../src/index.ts';

const positive = fc.oneof(fc.integer({ min: 1, max: 200 }), fc.maxSafeInteger().map(Math.abs).filter(Boolean));
const orNone = <T>(some: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(some, { nil: null });

const anyRef: fc.Arbitrary<Ref> = fc.oneof(
  fc.record({ kind: fc.constant('numbered' as const), type: fc.constantFrom(...NUMBERED_TYPES), number: positive, part: fc.constant(null) }),
  fc.record({ kind: fc.constant('numbered' as const), type: fc.constant('MSG' as const), number: positive, part: orNone(positive) }),
  fc.record({
    kind: fc.constant('file' as const),
    hash: fc.stringMatching(/^[0-9a-f]{4,64}$/u),
    lines: orNone(fc.tuple(positive, positive).map(([a, b]) => ({ from: Math.min(a, b), to: Math.max(a, b) }))),
  }),
  fc.record({ kind: fc.constant('agent' as const), name: fc.stringMatching(/^\w{1,9}(?:[.-]{1,2}\w{1,9}){0,3}$/u) }),
  fc.record({ kind: fc.constant('scratch' as const), sidebar: positive, finding: orNone(positive) }),
  fc.record({
    kind: fc.constant('item' as const),
    of: fc.constant('SB' as const),
    owner: positive,
    type: fc.constantFrom('CHECKPOINT' as const, 'CLAIM' as const, 'CONFLICT' as const, 'EPISODE' as const),
    number: positive,
  }),
  fc.record({
    kind: fc.constant('item' as const),
    of: fc.constant('GOLD' as const),
    owner: positive,
    type: fc.constant('EPISODE' as const),
    number: positive,
  }),
);

const numbered = (type: (typeof NUMBERED_TYPES)[number], number: number, part: number | null = null): Ref => ({
  kind: 'numbered',
  type,
  number,
  part,
});
const file = (hash: string, from?: number, to = from): Ref => ({
  kind: 'file',
  hash,
  lines: from === undefined || to === undefined ? null : { from, to },
});
const agent = (name: string): Ref => ({ kind: 'agent', name });
const scratch = (sidebar: number, finding: number | null = null): Ref => ({ kind: 'scratch', sidebar, finding });

const reads = (text: string, ref: Ref): void => expect({ text, read: parseRef(text) }).toEqual({ text, read: ok(ref) });
const refusal = (text: string): BadRef | null => {
  const read = parseRef(text);
  return read.ok ? null : read.error;
};
const whyNot = (text: string): BadRef['why'] | null => refusal(text)?.why ?? null;
/** The texts that were read, or refused for another reason. */
const notRefused = (why: BadRef['why'], texts: readonly string[]): readonly string[] => texts.filter((text) => whyNot(text) !== why);
const found = (text: string): readonly string[] => findRefs(text).map(({ ref }) => formatRef(ref));

describe('reading and printing', () => {
  test('[REF-1] references survive a round trip through text', () => {
    fc.assert(
      fc.property(anyRef, (ref) => {
        expect(parseRef(formatRef(ref))).toEqual(ok(ref));
      }),
    );
  });

  test('[REF-1] the reference of an origin is one that can be read', () => {
    const origin: RefOrigin = { id: 'MSG-4521', uuid: 'u', createdIn: 'SB-89', createdBy: 'AGENT-research_001', createdAt: 1_764_685_920_000 };
    expect([origin.id, origin.createdIn, origin.createdBy].map(parseRef)).toEqual([
      ok(numbered('MSG', 4521)),
      ok(numbered('SB', 89)),
      ok(agent('research_001')),
    ]);
  });

  test('[REF-2] every numbered type is read, in any case and with space around it', () => {
    for (const type of NUMBERED_TYPES)
      for (const text of [`${type}-47`, `${type.toLowerCase()}-47`, ` ${type}-47\n`]) {
        reads(text, numbered(type, 47));
        expect(formatRef(numbered(type, 47))).toBe(`${type}-47`);
      }
  });

  test('[REF-2] a number is a positive safe integer without leading zeros', () => {
    reads('MSG-9007199254740991', numbered('MSG', Number.MAX_SAFE_INTEGER));
    expect(
      notRefused(
        'bad-number',
        ['', '0', '01', '-1', '+1', '1.0', '1e3', '0x1', '١', '1 2', '1a', '9007199254740992', '9'.repeat(400)].map((digits) => `MSG-${digits}`),
      ),
    ).toEqual([]);
  });

  test('[REF-3] only a message has parts', () => {
    reads('msg-12#3', numbered('MSG', 12, 3));
    expect(notRefused('bad-part', ['MSG-12#', 'MSG-12#0', 'MSG-12#a', 'MSG-12#3#4', 'MSG-12# 3'])).toEqual([]);
    expect(
      notRefused(
        'part-not-allowed',
        NUMBERED_TYPES.slice(1).map((type) => `${type}-12#3`),
      ),
    ).toEqual([]);
  });

  test('[REF-4] a file is a hash with a line, lines or none', () => {
    reads('FILE-a3b2', file('a3b2'));
    reads('file-A3B2:10', file('a3b2', 10));
    reads('FILE-a3b2:10-20', file('a3b2', 10, 20));
    reads(`FILE-${'0f'.repeat(32)}`, file('0f'.repeat(32)));
    expect(formatRef(file('a3b2', 7, 7))).toBe('FILE-a3b2:7');
    expect(
      notRefused(
        'bad-hash',
        ['', 'a3b', 'a3bg', `${'0f'.repeat(32)}0`, 'a3b2-10'].map((hash) => `FILE-${hash}`),
      ),
    ).toEqual([]);
    expect(
      notRefused(
        'bad-lines',
        ['', '0', '20-10', '10-', '-10', '1-2-3', 'x', '1:2'].map((lines) => `FILE-a3b2:${lines}`),
      ),
    ).toEqual([]);
  });

  test('[REF-5] an agent has a name, whose case is kept', () => {
    for (const name of ['security_001', 'code-reviewer', 'Explore', 'v1.2', 'x', '007', '_', 'a'.repeat(128)]) reads(`agent-${name}`, agent(name));
    expect(
      notRefused(
        'bad-name',
        ['', '-', 'a.', '.a', 'a-', 'a b', 'a:b', 'a/b', 'é', 'a'.repeat(129)].map((name) => `AGENT-${name}`),
      ),
    ).toEqual([]);
  });

  test('[REF-6] a scratchpad is named by its sidebar, with or without SB', () => {
    for (const text of ['SCRATCH-89', 'SCRATCH-SB-89', 'scratch-sb-89']) reads(text, scratch(89));
    for (const text of ['SCRATCH-89:FINDING-3', 'SCRATCH-SB-89:FINDING-3', 'scratch-sb-89:finding-3']) reads(text, scratch(89, 3));
    expect([formatRef(scratch(89)), formatRef(scratch(89, 3))]).toEqual(['SCRATCH-89', 'SCRATCH-89:FINDING-3']);
    expect(notRefused('bad-number', ['SCRATCH-', 'SCRATCH-SB-', 'SCRATCH-MSG-1', 'SCRATCH-SB-SB-1'])).toEqual([]);
    expect(notRefused('bad-finding', ['SCRATCH-1:', 'SCRATCH-1:3', 'SCRATCH-1:FINDING-', 'SCRATCH-1:FINDING-0'])).toEqual([]);
  });

  test('[REF-11] checkpoints, conflicts and episodes are named after the sidebar that counts them', () => {
    const item = { kind: 'item', of: 'SB', owner: 4, number: 1 } as const;
    for (const type of ['CHECKPOINT', 'CLAIM', 'CONFLICT', 'EPISODE'] as const) {
      for (const text of [`SB-4:${type}-1`, `sb-4:${type.toLowerCase()}-1`, ` SB-4:${type}-1 `]) reads(text, { ...item, type });
      expect(formatRef({ ...item, type })).toBe(`SB-4:${type}-1`);
    }
    for (const of of ['GOLD', 'EXCH', 'MSG'] as const) reads(`${of}-4:EPISODE-1`, { ...item, of, type: 'EPISODE' });
    expect(
      notRefused('bad-item', ['SB-4:', 'SB-4:1', 'SB-4:FINDING-1', 'SB-4:CONFLICT-', 'SB-4:CONFLICT-0', 'GOLD-4:CONFLICT-1', 'MSG-4:CONFLICT-1']),
    ).toEqual([]);
    expect(notRefused('bad-number', ['SB-:CONFLICT-1', 'SB-x:CONFLICT-1', 'CITE-4:EPISODE-1'])).toEqual([]);
    expect(
      found('see SB-4:CONFLICT-2, SB-4: CONFLICT-2 and SB-4:NOTE-1 (GOLD-1:EPISODE-1), MSG-3:EPISODE-1 in EXCH-2:EPISODE-1, EXCH-2: yes.'),
    ).toEqual(['SB-4:CONFLICT-2', 'SB-4', 'SB-4', 'GOLD-1:EPISODE-1', 'MSG-3:EPISODE-1', 'EXCH-2:EPISODE-1', 'EXCH-2']);
  });

  test('[REF-7] a refusal has the text, the reason and forms that would do', () => {
    expect(refusal('CITE-12#3')).toEqual({ kind: 'bad-ref', text: 'CITE-12#3', why: 'part-not-allowed', wanted: 'CITE-12' });
    expect(refusal(' MSG-x ')).toEqual({ kind: 'bad-ref', text: ' MSG-x ', why: 'bad-number', wanted: 'MSG-12, MSG-12#3 or MSG-12:EPISODE-1' });
    expect(notRefused('no-type', ['', '-', 'MSG', 'MSG 1', '12', 'M1-2'])).toEqual([]);
    expect(notRefused('unknown-type', ['ISSUE-1', 'XMSG-1', 'constructor-1', 'FINDING-3'])).toEqual([]);
  });

  test('[REF-7] every form that a refusal shows can be read', () => {
    for (const text of ['', 'MSG-', 'SB-', 'SB-1:', 'GOLD-1:', 'FILE-', 'AGENT-', 'SCRATCH-']) {
      const forms = refusal(text)?.wanted.split(/, | or /u) ?? [];
      expect(forms.length).toBeGreaterThan(0);
      expect(forms.filter((form) => !parseRef(form).ok)).toEqual([]);
    }
  });
});

const between = fc.constantFrom(' ', ', ', '. ', ': ', ')(', '] [', '\n', ' – ', '"', ' and é ', '!?', '; ', '/', '…', '👍');

describe('finding in prose', () => {
  test('[REF-8] every planted reference is found at its place, and nothing else', () => {
    fc.assert(
      fc.property(between, fc.array(fc.tuple(anyRef, between)), (before, planted) => {
        let text = before;
        const want = planted.map(([ref, after]) => {
          const from = text.length;
          text += formatRef(ref);
          const to = text.length;
          text += after;
          return { ref, from, to };
        });
        expect(findRefs(text)).toEqual(want);
      }),
    );
  });

  test('[REF-8] a range of messages, a path and a branch name hold references', () => {
    expect(found('MSG-4521-MSG-4525, /api/SB-3, fix/SB-12-timeout')).toEqual(['MSG-4521', 'MSG-4525', 'SB-3', 'SB-12']);
    expect(found('in SCRATCH-SB-89:FINDING-3')).toEqual(['SCRATCH-89:FINDING-3']);
  });

  test('[REF-9] letters, digits and _ that touch it make it none', () => {
    expect(
      ['XMSG-1', 'MSG-1a', '_MSG-1', 'MSG-1_', '1MSG-1', 'éMSG-1', 'MSG-1é', 'MSG-1𝒳', 'MSG-01', 'MSG-0', 'MSG-', 'MSG-9007199254740992'].filter(
        (text) => found(text).length > 0,
      ),
    ).toEqual([]);
    expect(
      ['FILE-a3b2x', 'FILE-a3', 'AGENT-', 'AGENT-.', 'AGENT-né', `AGENT-${'a.'.repeat(100)}a`, 'SCRATCH-x'].filter((text) => found(text).length > 0),
    ).toEqual([]);
  });

  test('[REF-9] punctuation behind a reference is not part of it', () => {
    for (const mark of ['.', ',', ')', ':', ';', '#', '...', '-', "'s", ': 10', '. Then', '!'])
      for (const text of [
        'MSG-1',
        'MSG-1#2',
        'FILE-a3b2',
        'FILE-a3b2:10',
        'FILE-a3b2:10-20',
        'AGENT-code-reviewer',
        'SCRATCH-8',
        'SCRATCH-8:FINDING-3',
      ])
        expect({ mark, found: found(`(${text}${mark}`) }).toEqual({ mark, found: [text] });
  });

  test('[REF-9] a part or a range that cannot be read is left to the prose', () => {
    expect(found('MSG-1#0 MSG-1#2a SB-1#2 FILE-a3b2:0 FILE-a3b2:20-10 FILE-a3b2:10-x SCRATCH-8:FINDING-0')).toEqual([
      'MSG-1',
      'MSG-1',
      'SB-1',
      'FILE-a3b2',
      'FILE-a3b2',
      'FILE-a3b2:10',
      'SCRATCH-8',
    ]);
  });

  test('[REF-9] in lower case they are words', () => {
    expect(found('an agent-based file-face, msg-1 and agent-a1b2.jsonl, FILE-A3B2')).toEqual([]);
  });
});

describe('hostile text', () => {
  test('[REF-10] any text is read or refused, and searched', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('MSG-', '1', '#', 'FILE-', 'abcd', ':', '-', 'AGENT-', 'SCRATCH-SB-', 'FINDING-', '\ud800'),
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const text = pieces.join('');
        const read = parseRef(text);
        if (read.ok) reads(formatRef(read.value), read.value);
        for (const { ref, from, to } of findRefs(text)) expect(parseRef(text.slice(from, to))).toEqual(ok(ref));
      }),
    );
  });

  test('[REF-10] megabytes of beginnings are searched and refused', () => {
    for (const piece of ['a', 'MSG-', 'MSG-1#', 'FILE-abcdef', 'FILE-a3b2:10-', 'AGENT-', 'AGENT-a.', 'a.', '-', 'SCRATCH-SB-', '1']) {
      const text = `AGENT-${piece.repeat(Math.ceil(2_000_000 / piece.length))}é`;
      expect({ piece, why: whyNot(text) }).toEqual({ piece, why: 'bad-name' });
      expect(findRefs(text).length).toBeLessThan(text.length / 5);
    }
  });
});

import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readMeta, type Session, type Spending, type Usage } from '../src/index.ts';
import { mainOf, record, reportOf, sessionOf, text, use, type GivenFile } from './reading.ts';

type Tokens = { readonly input?: number; readonly output?: number; readonly write?: number; readonly write1h?: number; readonly read?: number };

const wire = ({ input = 0, output = 0, write = 0, write1h, read = 0 }: Tokens): object => ({
  input_tokens: input,
  output_tokens: output,
  cache_creation_input_tokens: write,
  cache_read_input_tokens: read,
  ...(write1h === undefined ? {} : { cache_creation: { ephemeral_5m_input_tokens: write - write1h, ephemeral_1h_input_tokens: write1h } }),
});

let made = 0;
/** One record of a response; the uuid is new unless given. */
const block = (
  id: string | null,
  tokens: Tokens,
  more: Readonly<Record<string, unknown>> = {},
  model: string | null = 'claude-sonnet-4-5',
  content: unknown = text('x'),
): Record<string, unknown> => {
  made += 1;
  return record({
    type: 'assistant',
    uuid: `u${made}`,
    message: { role: 'assistant', ...(id === null ? {} : { id }), ...(model === null ? {} : { model }), content: [content], usage: wire(tokens) },
    ...more,
  });
};

const usage = (tokens: Partial<Usage>): Usage => ({ input: 0, output: 0, cacheWrite5m: 0, cacheWrite1h: 0, cacheRead: 0, ...tokens });

const spendingOf = (...sessions: readonly Session[]): Spending => reportOf(sessions).totals.spending;

const named = (id: string, ...lines: readonly object[]): Session => sessionOf([{ path: `${id}.jsonl`, lines }], id);

describe('one response, many records', () => {
  test('[COST-1] a response of three blocks is one response, and the placeholder counts of its first blocks are not added', () => {
    const session = mainOf(
      block('m1', { input: 10, output: 1, write: 100, read: 1000 }, { requestId: 'q1' }),
      block('m1', { input: 10, output: 1, write: 100, read: 1000 }, { requestId: 'q1' }, 'claude-sonnet-4-5', use('t1')),
      block('m1', { input: 10, output: 250, write: 100, read: 1000 }, { requestId: 'q1' }, 'claude-sonnet-4-5', use('t2')),
    );
    expect(spendingOf(session)).toEqual({
      responses: 1,
      usage: usage({ input: 10, output: 250, cacheWrite5m: 100, cacheRead: 1000 }),
      costUsd: (10 * 3 + 250 * 15 + 100 * 3.75 + 1000 * 0.3) / 1e6,
    });
  });

  test('[COST-2] the largest copy counts in whatever order the records come', () => {
    const outputs = fc.uniqueArray(fc.nat({ max: 1000 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(outputs, (given) => {
        const session = mainOf(...given.map((output) => block('m1', { output })));
        expect(spendingOf(session).usage.output).toBe(Math.max(...given));
      }),
    );
  });

  test('[COST-1] copies in other files of other sessions are not counted again', () => {
    const line = block('m1', { output: 100 }, { timestamp: '2026-01-01T00:00:00Z' });
    const copied = { ...line, timestamp: '2026-01-02T00:00:00Z', sessionId: 'B' };
    expect(spendingOf(named('A', line), named('B', copied, block('m2', { output: 11 })))).toMatchObject({ responses: 2, usage: { output: 111 } });
  });

  test('[COST-2] the largest copy counts also when another file has it', () => {
    const early = block('m1', { output: 1 }, { uuid: 'same', timestamp: '2026-01-01T00:00:00Z' });
    const final = block('m1', { output: 500 }, { uuid: 'same', timestamp: '2026-01-01T00:00:00Z' });
    expect(spendingOf(named('A', early), named('B', final)).usage.output).toBe(500);
    expect(spendingOf(named('B', final), named('A', early)).usage.output).toBe(500);
  });

  test('[COST-1] a reply without message id counts by its uuid', () => {
    expect(spendingOf(mainOf(block(null, { output: 1 }), block(null, { output: 2 })))).toMatchObject({ responses: 2, usage: { output: 3 } });
  });

  test('[COST-1] a reply without usage is no response to count', () => {
    const silent = record({ type: 'assistant', uuid: 'x', message: { role: 'assistant', id: 'm1', model: 'claude-sonnet-4-5', content: [] } });
    expect(spendingOf(mainOf(silent))).toEqual({ responses: 0, usage: usage({}), costUsd: 0 });
  });
});

describe('request ids', () => {
  test('[COST-2] an endpoint that reuses message ids has as many responses as request ids', () => {
    const session = mainOf(
      block('m1', { output: 1 }, { requestId: 'q1' }),
      block('m1', { output: 10 }, { requestId: 'q2' }),
      block('m1', { output: 100 }, { requestId: 'q1' }),
    );
    expect(spendingOf(session)).toMatchObject({ responses: 2, usage: { output: 110 } });
  });

  test('[COST-2] a copy that lost its request id is a copy (resumes of 1.0.x), before or after', () => {
    const full = block('m1', { output: 100 }, { requestId: 'q1' });
    const bare = block('m1', { output: 100 });
    expect(spendingOf(mainOf(full, bare)).responses).toBe(1);
    expect(spendingOf(mainOf(bare, full)).responses).toBe(1);
    expect(spendingOf(named('A', full), named('B', bare)).responses).toBe(1);
    expect(spendingOf(named('A', bare), named('B', full)).responses).toBe(1);
  });

  test('[COST-2] a copy with its request id in between still tells a second request apart', () => {
    const session = mainOf(
      block('m1', { output: 5 }),
      block('m1', { output: 3 }, { requestId: 'q1' }),
      block('m1', { output: 7 }, { requestId: 'q2' }),
    );
    expect(spendingOf(session)).toMatchObject({ responses: 2, usage: { output: 12 } });
  });

  test('[COST-1] however a response is split over records and files, the total is the same', () => {
    const responses = fc.uniqueArray(fc.record({ id: fc.nat({ max: 50 }), output: fc.integer({ min: 1, max: 1000 }) }), {
      selector: (one) => one.id,
      maxLength: 10,
    });
    const spread = fc.array(
      fc.record({ of: fc.nat(), file: fc.nat({ max: 3 }), share: fc.double({ min: 0, max: 1, noNaN: true }), hasRequest: fc.boolean() }),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(responses, spread, (given, copies) => {
        const files: object[][] = [[], [], [], []];
        given.forEach(({ id, output }, i) => files[i % 4]?.push(block(`m${id}`, { output }, { requestId: `q${id}` })));
        for (const { of, file, share, hasRequest } of copies) {
          const one = given[of % Math.max(given.length, 1)];
          if (one !== undefined)
            files[file]?.push(block(`m${one.id}`, { output: Math.floor(one.output * share) }, hasRequest ? { requestId: `q${one.id}` } : {}));
        }
        const spending = spendingOf(...files.map((lines, i) => named(`S${i}`, ...lines)));
        expect({ responses: spending.responses, output: spending.usage.output }).toEqual({
          responses: given.length,
          output: given.reduce((sum, one) => sum + one.output, 0),
        });
      }),
    );
  });
});

const agentFile = (lines: readonly object[]): GivenFile => ({ path: 'agent-A.jsonl', agentId: 'A', lines });

describe('whose response it is', () => {
  test('[COST-2] at equal size the main thread’s copy counts, whichever file is read first', () => {
    const inMain = block('m1', { output: 100 });
    const inAgent = block('m1', { output: 100 }, { isSidechain: true });
    for (const files of [
      [{ path: 'main.jsonl', lines: [inMain] }, agentFile([inAgent])],
      [agentFile([inAgent]), { path: 'main.jsonl', lines: [inMain] }],
    ]) {
      const report = reportOf([sessionOf(files)]);
      expect(report.sessions.map(({ spending, sidechains }) => [spending.responses, sidechains.map((one) => one.spending.responses)])).toEqual([
        [1, [0]],
      ]);
    }
  });

  test('[COST-1] what sub-agents used is in their session’s sum and told apart', () => {
    const session = sessionOf([
      { path: 'main.jsonl', lines: [block('m1', { output: 1 })] },
      agentFile([block('m2', { output: 10 }, { isSidechain: true })]),
    ]);
    const [report] = reportOf([session]).sessions;
    expect(report?.spending).toMatchObject({ responses: 2, usage: { output: 11 } });
    expect(report?.sidechains.map((one) => one.spending)).toEqual([{ responses: 1, usage: usage({ output: 10 }), costUsd: 150 / 1e6 }]);
  });

  test('[COST-3] a copied response belongs to the first session of the chain and to its day, with the largest copy’s tokens', () => {
    const first = block('m1', { output: 1 }, { uuid: 'shared', timestamp: '2026-01-01T00:00:00Z', sessionId: 'Z' });
    const copy = block('m1', { output: 100 }, { uuid: 'shared', timestamp: '2026-01-05T00:00:00Z', sessionId: 'Z' });
    const more = block('m2', { output: 7 }, { timestamp: '2026-01-05T00:00:00Z', sessionId: 'B' });
    const report = reportOf([named('B', copy, more), named('Z', first)]);
    expect(report.sessions.map(({ id, spending }) => [id, spending.usage.output])).toEqual([
      ['Z', 100],
      ['B', 7],
    ]);
    expect([...report.byDay].map(([day, spending]) => [day, spending.usage.output])).toEqual([
      ['2026-01-01', 100],
      ['2026-01-05', 7],
    ]);
  });
});

describe('tokens and dollars', () => {
  test('[COST-4] one-hour writes are told from five-minute writes', () => {
    expect(spendingOf(mainOf(block('m1', { write: 1000, write1h: 400 })))).toEqual({
      responses: 1,
      usage: usage({ cacheWrite5m: 600, cacheWrite1h: 400 }),
      costUsd: (600 * 3.75 + 400 * 6) / 1e6,
    });
  });

  test('[COST-4] a recorded cost is believed, for known and unknown models', () => {
    const report = reportOf([
      mainOf(block('m1', { output: 1000 }, { costUSD: 0.25 }), block('m2', { output: 1000 }, { costUSD: 0.5 }, 'claude-nobody-knows')),
    ]);
    expect([report.totals.spending.costUsd, report.totals.unpriced]).toEqual([0.75, []]);
  });

  test('[COST-5] a model without a price costs nothing, is named, and keeps its tokens', () => {
    const report = reportOf([
      mainOf(
        block('m1', { output: 1000 }, {}, 'zzz'),
        block('m2', { output: 10 }, {}, 'constructor'),
        block('m3', { output: 1 }, {}, null),
        block('m4', { output: 1 }),
      ),
    ]);
    expect({ spending: report.totals.spending, unpriced: report.totals.unpriced, models: [...report.byModel.keys()] }).toEqual({
      spending: { responses: 4, usage: usage({ output: 1012 }), costUsd: 15 / 1e6 },
      unpriced: ['constructor', 'unknown', 'zzz'],
      models: ['claude-sonnet-4-5', 'constructor', 'unknown', 'zzz'],
    });
  });

  test('[COST-8] synthetic replies and API errors cost nothing and are no model', () => {
    const report = reportOf([mainOf(block('m1', { output: 5 }, {}, '<synthetic>'), block('m2', { output: 5 }, { isApiErrorMessage: true }))]);
    expect({ spending: report.totals.spending, unpriced: report.totals.unpriced, models: [...report.byModel] }).toEqual({
      spending: { responses: 0, usage: usage({}), costUsd: 0 },
      unpriced: [],
      models: [],
    });
  });

  test('[COST-7] another table gives other costs and its own date', () => {
    const rates = { input: 0, output: 1_000_000, cacheWrite5m: 0, cacheWrite1h: 0, cacheRead: 0 };
    const report = reportOf([mainOf(block('m1', { output: 3 }))], { date: 'mine', models: { 'claude-sonnet-4-5': rates } });
    expect([report.totals.spending.costUsd, report.pricesDate]).toEqual([3, 'mine']);
  });
});

// What 2.1.325 wrote, with its own account of the money at the end of the main file.
describe('the CLI’s own account', () => {
  const root = fileURLToPath(new URL('../../../fixtures/claude-code/2.1.325/', import.meta.url));

  test.each(['task', 'think', 'nestedfg', 'parsame', 'tools'])('[COST-6] %s costs what its last cost-state record says', (scenario) => {
    const folder = join(root, scenario, 'projects', '-home-dev-proj');
    const main = readdirSync(folder).find((name) => name.endsWith('.jsonl')) ?? '';
    const lines = readFileSync(join(folder, main), 'utf8').split('\n');
    const agents = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /agent-.+\.jsonl$/u.test(name));
    const session = sessionOf([
      { path: main, lines },
      ...agents.map((name) => ({
        path: name,
        agentId: /agent-(.+)\.jsonl$/u.exec(name)?.[1] ?? '',
        meta: readMeta(JSON.parse(readFileSync(join(folder, name.replace('.jsonl', '.meta.json')), 'utf8'))) ?? {},
        lines: readFileSync(join(folder, name), 'utf8').split('\n'),
      })),
    ]);
    const account = lines.findLast((line) => line.startsWith('{"type":"cost-state"')) ?? '{}';
    const { totalCostUSD } = JSON.parse(account) as { totalCostUSD: number };
    expect(totalCostUSD).toBeGreaterThan(0);
    expect(spendingOf(session).costUsd).toBeCloseTo(totalCostUSD, 12);
  });
});

import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEFAULT_PRICES, type Report } from '@yarnboard/transcript';
import type { SessionRow } from '@yarnboard/store';
import { readTree } from '../../../cli/src/read/tree.ts';
import type { ImportCounts } from '../../src/ingest/ingest.ts';
import { openBench, type Bench } from './bench.ts';

const FIXTURES = fileURLToPath(new URL('../../../../fixtures/claude-code', import.meta.url));
const VERSIONS = readdirSync(FIXTURES, { withFileTypes: true }).filter((entry) => entry.isDirectory());

let bench: Bench;
let report: Report;
let counts: ImportCounts;
let rows: ReadonlyMap<string, SessionRow>;
beforeAll(async () => {
  bench = await openBench();
  report = await readTree([FIXTURES], { prices: DEFAULT_PRICES, now: Date.UTC(2100, 0, 1), threads: 1 });
  counts = await (await bench.ingest()).importAll([FIXTURES]);
  rows = new Map((await bench.store.library.sessions({ limit: 10_000 })).map((row) => [row.sessionId, row]));
});
afterAll(() => bench.close());

const sumOf = (of: (row: SessionRow) => number): number => [...rows.values()].reduce((sum, row) => sum + of(row), 0);
const perSession = <T>(of: (session: Report['sessions'][number], row: SessionRow | undefined) => T): ReadonlyMap<string, T> =>
  new Map(report.sessions.map((session) => [session.id, of(session, rows.get(session.id))]));

describe('what the real CLI wrote, all versions in one tree', () => {
  test('[ING-16] every line of every transcript is on the log, and what lies beside them is kept', () => {
    expect(VERSIONS.length).toBeGreaterThanOrEqual(9);
    expect(counts.lines - sumOf((row) => row.companions)).toBe(report.totals.lines);
    expect(counts).toMatchObject({ quarantined: report.totals.quarantined, known: 0 });
    expect(sumOf((row) => row.companions)).toBeGreaterThan(50);
  });

  test('[ING-16] messages, tool uses, compactions, responses, tokens and cost are those that inspect reports', async () => {
    const totals = await bench.store.library.totals();
    expect({ messages: totals.messages, responses: totals.spent.responses, usage: totals.usage, toolUses: sumOf((row) => row.toolUses) }).toEqual({
      messages: report.totals.messages,
      responses: report.totals.spending.responses,
      usage: report.totals.spending.usage,
      toolUses: report.totals.toolUses,
    });
    expect(sumOf((row) => row.compactions)).toBe(report.totals.compactions);
    expect(totals.spent.costNano / 1e9).toBeCloseTo(report.totals.spending.costUsd, 6);
  });

  test('[ING-16] the sessions are the same, besides those without any message, which inspect does not list', () => {
    const more = [...rows.values()].filter((row) => !report.sessions.some(({ id }) => id === row.sessionId));
    expect(report.sessions.filter(({ id }) => !rows.has(id))).toEqual([]);
    expect(more.filter((row) => row.messages + row.copied > 0)).toEqual([]);
  });

  test('[ING-16] each session has the title, the times, the project, the responses and the cost that inspect reports', () => {
    const reported = perSession(({ title, startedAt, endedAt, project, spending }) => ({
      title,
      startedAt,
      endedAt,
      project,
      responses: spending.responses,
      usage: spending.usage,
    }));
    const found = perSession((_, row) => ({
      title: row?.title,
      startedAt: row?.firstAt,
      endedAt: row?.lastAt,
      project: row?.project,
      responses: row?.spent.responses,
      usage: row?.spent.usage,
    }));
    expect(found).toEqual(reported);
  });

  test('[ING-16] each session has the messages of its main thread, its own or copied', async () => {
    const found = new Map<string, number>();
    for (const { id } of report.sessions) {
      const messages = await bench.store.library.messages({ sessionId: id, thread: { kind: 'main' }, from: 0, limit: 100_000 });
      found.set(id, new Set(messages.filter(({ type }) => ['user', 'assistant', 'system'].includes(type)).map(({ uuid }) => uuid)).size);
    }
    expect(found).toEqual(perSession(({ messages }) => messages));
  });

  test('[ING-16] each session continues the one that inspect names', () => {
    // How much they share is told differently on purpose: inspect compares all messages of two files; a copied entry points to where the record
    // stood first, attachments included, so that a copy of a copy shares with both.
    expect(perSession((_, row) => row?.continues && { ...row.continues, shared: 0 })).toEqual(
      perSession(({ continues }) => continues && { ...continues, shared: 0 }),
    );
    expect(report.sessions.filter(({ continues }) => continues !== null).length).toBeGreaterThan(20);
  });

  test('[ING-16] each session has as many sidechains', () => {
    // Versions before 2.0.28 wrote sub-agents into the session's own file without an id: which line is whose is found when the session is opened;
    // until then they are one.
    const isInline = new Set(report.sessions.filter(({ sidechains, files }) => sidechains.some(({ file }) => file === files[0])).map(({ id }) => id));
    const rest = <T>(all: ReadonlyMap<string, T>): ReadonlyMap<string, T> => new Map([...all].filter(([id]) => !isInline.has(id)));
    expect(rest(perSession((_, row) => row?.sidechains))).toEqual(rest(perSession(({ sidechains }) => sidechains.length)));
    expect([...isInline].map((id) => rows.get(id)?.sidechains)).toEqual([...isInline].map(() => 1));
    expect(report.sessions.length - isInline.size).toBeGreaterThan(200);
  });

  test('[ING-16] [LIB-13] each kind of sub-agent has the responses that inspect reports', async () => {
    // Where only its words tell a sub-agent's call (it has no id, or was cut off before there was an answer) the kind is found when the session is opened.
    const expected = new Map<string, number>();
    for (const { agent, linkedBy, spending } of report.sessions.flatMap(({ sidechains }) => sidechains)) {
      const kind = agent === 'unknown' || linkedBy === 'prompt' || linkedBy === 'position' ? 'sub-agent' : agent;
      expected.set(kind, (expected.get(kind) ?? 0) + spending.responses);
    }
    const [main, ...kinds] = (await bench.store.library.spending('agent', {})).map(({ key, spent }) => [key, spent.responses] as const);
    const called = [...expected.values()].reduce((sum, n) => sum + n, 0);
    expect(main).toEqual(['main', report.totals.spending.responses - called]);
    expect(new Map(kinds)).toEqual(expected);
    expect([...expected.keys()].sort()).toEqual(['Explore', 'general-purpose', 'sub-agent']);
  });

  test('[ING-3] reading the whole tree again adds nothing, with its marks or without them', async () => {
    const again = await bench.ingest();
    expect(again.findChanged()).toEqual([]);
    expect(await again.importAll([FIXTURES])).toMatchObject({ files: 0, lines: 0 });
    for (const mark of await bench.store.log.files()) await bench.store.log.forgetFile(mark.path);
    expect(await (await bench.ingest()).importAll([FIXTURES])).toMatchObject({ added: 0, copied: 0, known: counts.lines, lines: counts.lines });
  });
});

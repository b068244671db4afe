import { isDecided } from '@yarnboard/domain';
import type { OutputOf } from '@yarnboard/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeBoard, type TestBoard } from './boards.ts';
import { actOn, randomFrom, sessionsOf } from './chance.ts';

type Json = Readonly<Record<string, unknown>>;
/** What a string is called by, in whichever direction it is seen. */
type Known = { readonly from: string; readonly kind: string; readonly to: string };

/** The kinds that can be read off the log with nothing but its bytes. */
const KINDS = ['answers', 'used', 'result-of', 'read', 'edited', 'mentions', 'rests-on', 'made-of'] as const;

const isRecord = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);
const listOf = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.filter(isRecord) : []);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const textsOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : []);

type Line = {
  readonly name: string;
  readonly uuid: string;
  readonly refs: readonly string[];
  readonly session: string;
  readonly type: string;
  readonly body: Json;
};

/** The whole log, as it lies there. */
const readLog = async ({ board: { store } }: TestBoard): Promise<readonly Line[]> => {
  const lines: Line[] = [];
  for (let after = 0; ;) {
    const entries = await store.log.entriesAfter(after, 500);
    const payloads = await store.log.payloadsOf(entries.map(({ position }) => position));
    for (const { position, refs, uuid, sessionId, type } of entries) {
      const bytes = payloads.get(position);
      const parsed: unknown = bytes === undefined ? null : JSON.parse(Buffer.from(bytes).toString('utf8'));
      lines.push({ name: refs[0] ?? uuid, uuid, refs, session: sessionId, type, body: isRecord(parsed) ? parsed : {} });
    }
    const last = entries.at(-1)?.position;
    if (last === undefined) return lines;
    after = last;
  }
};

/** Every string of these kinds, found by comparing everything with everything. */
const stringsIn = (lines: readonly Line[]): readonly Known[] => {
  const there = new Set(lines.flatMap(({ refs }) => refs));
  const records = lines.filter(({ type }) => !isDecided(type));
  const known: Known[] = [];
  const add = (from: string, kind: (typeof KINDS)[number], to: string): void => {
    if (from !== to && !known.some((one) => one.from === from && one.kind === kind && one.to === to)) known.push({ from, kind, to });
  };
  for (const { name, session, body } of records) {
    const parent = records.find((other) => other.session === session && other.body['uuid'] === body['parentUuid']);
    if (parent !== undefined) add(name, 'answers', parent.name);
    const { content } = isRecord(body['message']) ? body['message'] : { content: '' };
    const prose = [textOf(content), ...listOf(content).map((block) => textOf(block['text']))].join('\n');
    for (const [mention] of prose.matchAll(/\b(?:MSG|GOLD)-\d+\b/gu)) if (there.has(mention)) add(name, 'mentions', mention);
    for (const [at, block] of listOf(content).entries()) {
      if (block['type'] === 'tool_use') {
        add(name, 'used', `${name}#${at + 1}`);
        const path = isRecord(block['input']) ? textOf(block['input']['file_path']) : '';
        add(`${name}#${at + 1}`, block['name'] === 'Read' ? 'read' : 'edited', path);
      }
      if (block['type'] !== 'tool_result') continue;
      for (const other of records) {
        if (other.session !== session || !isRecord(other.body['message'])) continue;
        const use = listOf(other.body['message']['content']).findIndex((one) => one['type'] === 'tool_use' && one['id'] === block['tool_use_id']);
        if (use >= 0) add(name, 'result-of', `${other.name}#${use + 1}`);
      }
    }
  }
  const sidebars = new Map(lines.flatMap(({ type, uuid, refs }) => (type === 'sidebar.spawned' ? [[uuid, refs[0] ?? ''] as const] : [])));
  const findings = new Map<string, number>();
  for (const { type, session, name, body } of lines) {
    if (type === 'gold.created') for (const ref of textsOf(body['sourceRefs'])) add(name, 'made-of', ref);
    if (type !== 'finding.submitted') continue;
    const nth = (findings.get(session) ?? 0) + 1;
    findings.set(session, nth);
    const sidebar = [...sidebars].find(([uuid]) => session.includes(uuid))?.[1] ?? '';
    for (const ref of textsOf(body['sourceRefs'])) add(`SCRATCH-${sidebar.slice('SB-'.length)}:FINDING-${nth}`, 'rests-on', ref);
  }
  return known;
};

const told = ({ from, kind, to }: Known): string => `${from} ${kind} ${to}`;

describe('tracing against a look at the whole log', () => {
  let board: TestBoard;
  let known: readonly Known[] = [];

  beforeAll(async () => {
    const random = randomFrom(77);
    board = await makeBoard({ files: sessionsOf(random, 200) });
    await actOn(board, random);
    known = stringsIn(await readLog(board));
  });
  afterAll(() => board.close());

  test('[TRACE-16] for a thousand references taken at random, the strings that are told are those that the log has', async () => {
    for (const kind of KINDS) expect([kind, known.some((one) => one.kind === kind)]).toEqual([kind, true]);
    const names = [...new Set(known.flatMap(({ from, to }) => [from, to]))];
    const random = randomFrom(78);
    const wrong: object[] = [];
    const answers = new Map<string, OutputOf<'trace'>>();
    for (let n = 0; n < 1000; n += 1) {
      const ref = names[random(names.length)] ?? '';
      const answer = answers.get(ref) ?? (await board.get('trace', { ref, depth: 1, limit: 500, kinds: KINDS.join(',') }));
      answers.set(ref, answer);
      const own = answer.edges.filter(({ from, to }) => from === answer.root || to === answer.root);
      const expected = known.filter(({ from, to }) => from === ref || to === ref);
      const [seen, wanted] = [own.map(told), expected.map(told)];
      const [missing, more] = [wanted.filter((one) => !seen.includes(one)), seen.filter((one) => !wanted.includes(one))];
      if (missing.length + more.length > 0) wrong.push({ ref, missing, more });
    }
    expect(wrong).toEqual([]);
  });
});

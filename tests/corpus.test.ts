import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { encodeInspect, inspectDocument, type InspectDocument } from '@yarnboard/protocol';
import { DEFAULT_PRICES } from '@yarnboard/transcript';
import { readTree } from '../packages/cli/src/read/tree.ts';

const given = process.env['YARNBOARD_CORPUS'];
const root = given ?? fileURLToPath(new URL('../../shared/corpus', import.meta.url));
// A root that somebody named must be there; only the default may be missing.
const isThere = given !== undefined || existsSync(root);

const AFTER_ALL = Date.UTC(2100, 0, 1);
const inspect = async (path: string): Promise<InspectDocument> =>
  encodeInspect(await readTree([path], { prices: DEFAULT_PRICES, now: AFTER_ALL, threads: 1 }));

const fileEnding = (ending: string): string => transcripts().find((path) => path.endsWith(ending)) ?? ending;

const transcripts = (): readonly string[] =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => join(root, name));

describe.skipIf(!isThere)('sessions that people published (needs ../shared/corpus or YARNBOARD_CORPUS; they are not ours to ship)', () => {
  let whole: InspectDocument;
  beforeAll(async () => {
    whole = await inspect(root);
  });

  test('[PARSE-6] the whole corpus is read, and the document is valid', () => {
    expect(inspectDocument.safeParse(whole).error?.issues ?? []).toEqual([]);
    expect(whole.totals.files).toBeGreaterThanOrEqual(172);
    expect(whole.totals.sessions).toBeGreaterThanOrEqual(87);
    expect(whole.totals.files).toBe(transcripts().length);
  });

  test('[PARSE-1] in every file, lines and extra objects are records, blanks or quarantined lines', async () => {
    for (const path of transcripts()) {
      const { totals } = await inspect(path);
      const bytes = readFileSync(path);
      const newlines = bytes.reduce((count, byte) => count + (byte === 10 ? 1 : 0), 0);
      const lines = newlines + (bytes.length > 0 && bytes.at(-1) !== 10 ? 1 : 0);
      expect({ path, bytes: totals.bytes, lines: totals.lines }).toEqual({ path, bytes: bytes.length, lines });
      expect({ path, sum: totals.lines + totals.extra }).toEqual({ path, sum: totals.records + totals.blank + totals.quarantined });
    }
  });

  test('[FILE-1] every transcript is in a session or skipped with a reason', () => {
    const named = new Set([...whole.sessions.flatMap((session) => session.files), ...whole.skipped.map((one) => one.file)]);
    expect(transcripts().filter((path) => !named.has(path))).toEqual([]);
    expect(whole.skipped.filter((one) => one.file.endsWith('.jsonl')).map((one) => one.reason)).toEqual(expect.arrayContaining(['no messages']));
  });

  test('[BRANCH-1] [BRANCH-2] there is exactly one branch point, the one rewind', () => {
    const branched = whole.sessions.filter((session) => session.branches.length > 0);
    expect(branched.map(({ session_id, branches }) => ({ session_id, branches }))).toEqual([
      {
        session_id: '03eb5929-52b3-4b13-ada3-b93ae35806b8',
        branches: [
          {
            parent_uuid: 'eb84e3ee-fc54-4fe4-ad76-badc5ebb4671',
            children: [
              { uuid: '5270777a-1975-4e8a-9cad-b36280ae0ec5', active: false, messages: 13 },
              { uuid: '9edc38e6-0ac0-42c0-b911-e24611af2a5b', active: true, messages: expect.any(Number) },
            ],
          },
        ],
      },
    ]);
    expect(whole.totals.branch_points).toBe(1);
  });

  test('[PATH-4] at least 99 % of the conversation is on the active path, on a named branch or a replay, and the rest has its reason', () => {
    let conversation = 0;
    let lost = 0;
    for (const { off_path } of whole.sessions) {
      conversation += off_path.conversation;
      lost += off_path.other_root + off_path.dead_end;
    }
    expect(conversation).toBeGreaterThan(5000);
    expect(lost / conversation).toBeLessThan(0.01);
  });

  test('[BRANCH-3] history replayed under new uuids is counted as a replay, not as branches', () => {
    const session = whole.sessions.find((one) => one.session_id.startsWith('d318c4ce'));
    expect(session).toMatchObject({ branches: [], off_path: { conversation: 526, other_root: 0, dead_end: 0 } });
    // Of its records, 84 repeat the words and the time of an earlier one; a few more differ in form.
    expect(session?.off_path.replayed).toBeGreaterThan(0);
    expect(session?.off_path.replayed).toBeLessThan(526 / 4);
  });

  test('[PATH-2] a local command as last line hides nothing', async () => {
    const { sessions } = await inspect(fileEnding('kiliman__claude-transcript/test/test2.jsonl'));
    expect(sessions.map(({ messages, off_path }) => ({ messages, off_path }))).toEqual([
      { messages: 335, off_path: { conversation: 323, replayed: 0, other_root: 0, dead_end: 0 } },
    ]);
    expect(sessions[0]?.active_path.messages).toBeGreaterThanOrEqual(330);
    const leaf = sessions[0]?.active_path.leaf_uuid ?? '';
    const line = readFileSync(fileEnding('kiliman__claude-transcript/test/test2.jsonl'), 'utf8')
      .split('\n')
      .find((one) => one.includes(`"uuid":"${leaf}"`));
    expect(line).not.toMatch(/<command-name>|<local-command-stdout>/u);
  });

  test.each(['entireio__cli/37/995ebed6e4/2/full.jsonl', 'entireio__cli/bd/7375936c5c/0/full.jsonl'])(
    '[PARSE-4] the second object on a line of %s is counted as extra, and nothing of it is quarantined',
    async (name) => {
      const { totals } = await inspect(fileEnding(name));
      expect({ extra: totals.extra, quarantined: totals.quarantined, surplus: totals.records - totals.lines + totals.blank }).toEqual({
        extra: 1,
        quarantined: 0,
        surplus: 1,
      });
    },
  );

  test('[PARSE-3] the only lines that are no JSON are the comments that their authors put there', () => {
    const faults = whole.quarantine.map(({ file, line, reason }) => ({
      reason,
      startsLikeJson: /^\s*[[{]/u.test(readFileSync(file, 'utf8').split('\n')[line - 1] ?? ''),
    }));
    expect(faults).toEqual(Array.from({ length: 8 }, () => ({ reason: 'invalid JSON', startsLikeJson: false })));
  });

  test('[CONT-3] the sessions’ costs add up to the total', () => {
    expect(whole.sessions.reduce((sum, session) => sum + session.cost_usd, 0)).toBeCloseTo(whole.totals.cost_usd, 6);
    expect(whole.totals.cost_usd).toBeGreaterThan(100);
    expect(whole.totals.unpriced).toEqual([]);
  });

  test('[SIDE-3] every sidechain with calls has evidence, and every one without is orphaned', () => {
    const sidechains = whole.sessions.flatMap((session) => session.sidechains);
    expect(sidechains.length).toBeGreaterThanOrEqual(86);
    for (const { tool_use_ids, linked_by, state } of sidechains) {
      expect([linked_by === 'none', state === 'orphaned']).toEqual([tool_use_ids.length === 0, tool_use_ids.length === 0]);
    }
  });
});

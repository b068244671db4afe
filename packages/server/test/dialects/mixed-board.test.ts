import { DIALECTS } from '@yarnboard/transcript';
import { beforeAll, describe, expect, test } from 'vitest';
import { DEMO, makeBoard, walk, walkMessages, type TestBoard } from '../operations/boards.ts';

let board: TestBoard;
beforeAll(async () => {
  board = await makeBoard({ roots: [DEMO] });
});

describe('a board with sessions of every tool', () => {
  test('[DIALECT-7] spending is reported by tool, by each day as well, and adds up to all of it', async () => {
    const { totals, by_tool: byTool, by_day_split: daily } = await board.get('stats', { split: 'tool' });
    expect(byTool.map(({ key }) => key)).toEqual(DIALECTS.map(({ name }) => name).sort());
    for (const field of ['responses', 'cost_usd', 'unpriced'] as const) {
      expect(byTool.reduce((sum, row) => sum + row[field], 0)).toBeCloseTo(totals[field], 6);
      expect(daily.reduce((sum, row) => sum + row[field], 0)).toBeCloseTo(totals[field], 6);
    }
  });

  test('[DIALECT-9] what is searched is limited to a tool by either name, and what is found names its tool', async () => {
    const found = await walk(board, 'search', { q: 'files', limit: 100 });
    expect(new Set(found.map(({ tool }) => tool)).size).toBeGreaterThan(4);
    for (const given of [{ ['session_tool']: 'codex' }, { tool: 'codex' }]) {
      const hits = await walk(board, 'search', { q: 'files', ...given });
      expect(hits.length).toBeGreaterThan(0);
      expect(new Set(hits.map(({ tool }) => tool))).toEqual(new Set(['codex']));
    }
    const calls = await walk(board, 'search', { q: 'ls', tool: 'Bash', ['session_tool']: 'copilot' });
    expect(new Set(calls.map(({ tool }) => tool))).toEqual(new Set(['copilot']));
    expect(await walk(board, 'search', { q: 'files', ['session_tool']: 'nothing' })).toEqual([]);
  });

  test.each(DIALECTS.map(({ name }) => name))(
    '[DIALECT-2] a session of %s is reported, shown, cited and branched off like any other',
    async (tool) => {
      const sessions = await walk(board, 'sessions', { tool });
      const { session_id: id } = sessions.find(({ sidechains }) => sidechains > 0) ?? sessions[0] ?? { session_id: '' };
      const messages = await walkMessages(board, id, { limit: 500 });
      const said = messages.find(({ role }) => role === 'prompt') ?? messages[0];
      const ref = said?.ref ?? '';
      expect(ref).toMatch(/^MSG-\d+$/u);
      const kinds = new Set((await walk(board, 'envelopes', { id, limit: 500 })).map(({ content }) => content.data.ev.t));
      expect([...kinds]).toEqual(expect.arrayContaining(['turn-start', 'text', 'tool-call-start', 'tool-call-end']));
      const { ref: sidebar } = await board.command('sidebar_spawn', { parent_id: ref, task_description: `look at ${tool}` });
      const cited = await board.command('citation_created', { sidebar_id: sidebar, source: ref, note: 'where it began' });
      const gold = await board.command('gold_created', {
        ['source_refs']: [ref],
        ['key_insight']: `${tool} counts files`,
        ['reuse_pattern']: 'count again',
        ['trigger_conditions']: [`count files with ${tool}`],
      });
      expect([cited, gold].every((answer) => typeof answer === 'object')).toBe(true);
      expect(board.faults).toEqual([]);
    },
  );
});

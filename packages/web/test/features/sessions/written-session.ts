import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export const SESSION = '5e551011-0000-4000-8000-000000000001';
/** A session in which nobody said anything. */
export const SILENT = '5e551011-0000-4000-8000-000000000002';
export const LONG = 'A sentence that is said again and again. '.repeat(200);

const AGENT = 'a0123456789abcdef';

/** A session that has one of everything, and a silent one. */
export const writeSession = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'yarnboard-session-'));
  const project = join(folder, 'projects', '-home-dev-loom');
  const clock = { now: Date.parse('2026-01-01T10:00:00Z'), made: 0 };
  const main = thread(clock, null);
  main.asks('Weave a basket; see MSG-1.');
  main.says([{ type: 'thinking', thinking: 'Willow or reed?' }, said('I **begin** with the rim.')]);
  main.uses('Read', { ['file_path']: '/home/dev/loom/rim.ts' }, { content: '     1\tconst rim = 1;\n     2\tconst reed = 2;' });
  main.uses('Edit', { ['file_path']: '/home/dev/loom/rim.ts', ['old_string']: 'rim = 1', ['new_string']: 'rim = 2' }, { content: 'updated' });
  main.uses('Bash', { command: 'npm test', description: 'Tests it' }, { content: '\u001B[31mbroken\u001B[39m', ['is_error']: true });
  main.uses('mcp__loom__turn', { by: 3 }, { content: '{"turned":true}' });
  const call = main.uses(
    'Task',
    { description: 'Find reed', prompt: 'Where is reed?', ['subagent_type']: 'Explore' },
    { content: 'In the shed.' },
    { toolUseResult: { status: 'completed', agentId: AGENT } },
  );
  const weaver = thread(clock, AGENT);
  weaver.asks('Where is reed?');
  weaver.says([said('In the shed.')]);
  main.says([said(LONG)]);
  main.compacts('The rim is woven.');
  const fork = main.says([said('What next?')]);
  main.asks('A lid.', fork);
  main.says([said('A lid it is.')]);
  main.asks('A handle.', fork);
  for (let n = 1; n <= 9; n += 1) main.uses('Bash', { command: `bend ${n}` }, { content: `bent ${n}`, ...(n === 8 ? { ['is_error']: true } : {}) });
  main.says([said('Done.')]);
  const agentFile = join(project, SESSION, 'subagents', `agent-${AGENT}`);
  put(join(project, `${SESSION}.jsonl`), main.lines);
  put(`${agentFile}.jsonl`, weaver.lines);
  put(`${agentFile}.meta.json`, [{ agentType: 'Explore', description: 'Find reed', toolUseId: call }]);
  put(join(project, `${SILENT}.jsonl`), [{ type: 'file-history-snapshot', messageId: 'm1', snapshot: {}, sessionId: SILENT }]);
  return folder;
};

export const said = (text: string): object => ({ type: 'text', text });

export const put = (path: string, lines: readonly object[]): void => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
};

/** Records one below the other, a second apart. */
export const thread = (clock: { now: number; made: number }, agentId: string | null, sessionId = SESSION) => {
  const lines: object[] = [];
  let tip: string | null = null;
  const add = (record: object, parentUuid: string | null = tip): string => {
    clock.made += 1;
    clock.now += 1000;
    const uuid = `5e551011-0000-4000-9000-${String(clock.made).padStart(12, '0')}`;
    const place = {
      isSidechain: agentId !== null,
      ...(agentId === null ? {} : { agentId }),
      sessionId,
      cwd: '/home/dev/loom',
      version: '2.1.325',
    };
    lines.push({ parentUuid, ...record, uuid, timestamp: new Date(clock.now).toISOString(), ...place });
    tip = uuid;
    return uuid;
  };
  const says = (content: readonly object[], reason = 'end_turn'): string =>
    add({
      type: 'assistant',
      message: {
        id: `msg_${clock.made}`,
        role: 'assistant',
        model: 'claude-opus-5-5',
        content,
        ['stop_reason']: reason,
        usage: { ['input_tokens']: 14, ['cache_read_input_tokens']: 41_000, ['output_tokens']: 620 },
      },
    });
  return {
    lines,
    add,
    says,
    asks: (text: string, after: string | null = tip) => add({ type: 'user', message: { role: 'user', content: text } }, after),
    /** Gives the id of the use. */
    uses: (name: string, input: object, result: object, more: object = {}): string => {
      const id = `toolu_${clock.made}`;
      says([{ type: 'tool_use', id, name, input }], 'tool_use');
      add({ type: 'user', message: { role: 'user', content: [{ type: 'tool_result', ['tool_use_id']: id, ...result }] }, ...more });
      return id;
    },
    compacts: (summary: string) => {
      const compaction = { trigger: 'auto', preTokens: 155_000 };
      add(
        { type: 'system', subtype: 'compact_boundary', content: 'Conversation compacted', logicalParentUuid: tip, compactMetadata: compaction },
        null,
      );
      return add({ type: 'user', isCompactSummary: true, message: { role: 'user', content: summary } });
    },
  };
};

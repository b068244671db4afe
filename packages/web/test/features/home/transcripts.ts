import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { JsonObject } from '@yarnboard/transcript';

/** A folder with transcripts that grow, as Claude Code writes them. */
export type Transcripts = {
  readonly root: string;
  /** Adds records to a session, or to a sub-agent of it. */
  readonly add: (sessionId: string, records: readonly JsonObject[], agentId?: string) => void;
  readonly remove: () => void;
};

export const makeTranscripts = (): Transcripts => {
  const root = mkdtempSync(join(tmpdir(), 'yarnboard-transcripts-'));
  return {
    root,
    add: (sessionId, records, agentId) => {
      const path = agentId === undefined ? `${sessionId}.jsonl` : join(sessionId, 'subagents', `agent-${agentId}.jsonl`);
      const file = join(root, '-home-ada-loom', path);
      mkdirSync(dirname(file), { recursive: true });
      appendFileSync(file, records.map((record) => `${JSON.stringify({ sessionId, ...record })}\n`).join(''));
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
};

export const SESSION = '11111111-0000-4000-8000-000000000001';
export const OTHER = '22222222-0000-4000-8000-000000000002';

const base = (type: string, uuid: string, parentUuid: string | null, more: JsonObject): JsonObject => ({
  type,
  uuid,
  parentUuid,
  timestamp: new Date().toISOString(),
  cwd: '/home/ada/loom',
  version: '2.1.0',
  isSidechain: false,
  ...more,
});

export const prompt = (uuid: string, parent: string | null, text: string, more: JsonObject = {}): JsonObject => ({
  ...base('user', uuid, parent, more),
  message: { role: 'user', content: text },
});

export const reply = (uuid: string, parent: string | null, text: string, more: JsonObject = {}): JsonObject => ({
  ...base('assistant', uuid, parent, more),
  message: {
    id: `m-${uuid}`,
    role: 'assistant',
    model: 'claude-opus-4-5-20251101',
    content: [{ type: 'text', text }],
    ['stop_reason']: 'end_turn',
    usage: { ['input_tokens']: 10, ['output_tokens']: 1000 },
  },
});

export const call = (uuid: string, parent: string | null, name: string, input: JsonObject, more: JsonObject = {}): JsonObject => ({
  ...base('assistant', uuid, parent, more),
  message: { id: `m-${uuid}`, role: 'assistant', model: 'claude-opus-4-5-20251101', content: [{ type: 'tool_use', id: `t-${uuid}`, name, input }] },
});

/** A record of another day, or another project. */
export const elsewhere = (
  record: JsonObject,
  { daysAgo = 0, cwd = '/home/ada/loom' }: { readonly daysAgo?: number; readonly cwd?: string },
): JsonObject => ({
  ...record,
  cwd,
  timestamp: new Date(Date.now() - daysAgo * 86_400_000).toISOString(),
});

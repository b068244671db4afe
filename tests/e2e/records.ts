import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** A record of a transcript or a message of a stream: both have the same shape where it matters here. */
export type ClaudeRecord = {
  readonly type: string;
  readonly subtype: string | null;
  readonly uuid: string | null;
  readonly sessionId: string | null;
  readonly agentId: string | null;
  /** Of a stream: the call of the sub-agent that says it. */
  readonly parentCall: string | null;
  readonly blocks: readonly ClaudeBlock[];
  readonly raw: Raw;
};

export type ClaudeBlock =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'call'; readonly id: string; readonly name: string }
  | { readonly kind: 'result'; readonly call: string; readonly isError: boolean; readonly text: string }
  | { readonly kind: 'other' };

/** Foreign JSON: whatever is asked of it may be missing. */
export type Raw = Readonly<Record<string, unknown>>;

export type Transcript = {
  /** Relative to the folder of projects. */
  readonly path: string;
  /** The session's or sub-agent's id, by the name of the file. */
  readonly id: string;
  readonly isAgent: boolean;
  readonly records: readonly ClaudeRecord[];
  /** What `agent-ID.meta.json` beside it says. */
  readonly meta: Raw | null;
};

/** All transcripts below a Claude Code folder that hold something that was said; agents that warm up have nothing to do with any session. */
export const transcriptsIn = (claudeFolder: string): readonly Transcript[] => {
  const root = join(claudeFolder, '.claude', 'projects');
  if (!existsSync(root)) return [];
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.jsonl'))
    .map((path) => {
      const name = basename(path, '.jsonl');
      const metaFile = join(root, path.replace(/\.jsonl$/u, '.meta.json'));
      const isAgent = name.startsWith('agent-');
      return {
        path,
        id: isAgent ? name.slice('agent-'.length) : name,
        isAgent,
        records: recordsIn(readFileSync(join(root, path), 'utf8')),
        meta: existsSync(metaFile) ? asRaw(JSON.parse(readFileSync(metaFile, 'utf8'))) : null,
      };
    })
    .filter(({ records }) => records.some(({ blocks }) => blocks.length > 0))
    .filter(({ records }) => !textsOf(records).includes('Warmup'));
};

export const recordsIn = (text: string): readonly ClaudeRecord[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => recordOf(asRaw(JSON.parse(line))));

export const recordOf = (raw: Raw): ClaudeRecord => {
  const content = asRaw(raw['message'])['content'];
  return {
    type: asText(raw['type']) ?? '',
    subtype: asText(raw['subtype']),
    uuid: asText(raw['uuid']),
    sessionId: asText(raw['sessionId'] ?? raw['session_id']),
    agentId: asText(raw['agentId']),
    parentCall: asText(raw['parent_tool_use_id']),
    blocks: raw['type'] === 'user' || raw['type'] === 'assistant' ? blocksOf(content) : [],
    raw,
  };
};

export const textsOf = (records: readonly ClaudeRecord[]): readonly string[] =>
  records.flatMap(({ blocks }) => blocks).flatMap((block) => (block.kind === 'text' ? [block.text] : []));

/** Every message of a stream must be found on disk under its uuid: else Yarnboard would take it for two. */
export const assertOnDisk = (streamed: readonly ClaudeRecord[], claudeFolder: string): void => {
  const onDisk = new Set(transcriptsIn(claudeFolder).flatMap(({ records }) => records.map(({ uuid }) => uuid)));
  const said = streamed.filter(({ blocks }) => blocks.length > 0);
  assert.ok(said.length > 1, `only ${said.length} messages were streamed`);
  assert.deepEqual(
    said.filter(({ uuid }) => !onDisk.has(uuid)).map(({ raw }) => raw),
    [],
  );
};

export const callsOf = (records: readonly ClaudeRecord[]): readonly Extract<ClaudeBlock, { kind: 'call' }>[] =>
  records.flatMap(({ blocks }) => blocks).filter((block) => block.kind === 'call');

export const resultsOf = (records: readonly ClaudeRecord[]): readonly Extract<ClaudeBlock, { kind: 'result' }>[] =>
  records.flatMap(({ blocks }) => blocks).filter((block) => block.kind === 'result');

export const asRaw = (value: unknown): Raw => (typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Raw) : {});

export const asText = (value: unknown): string | null => (typeof value === 'string' ? value : null);

const blocksOf = (content: unknown): readonly ClaudeBlock[] => {
  if (typeof content === 'string') return [{ kind: 'text', text: content }];
  if (!Array.isArray(content)) return [];
  return content.map(asRaw).map((block): ClaudeBlock => {
    switch (block['type']) {
      case 'text':
        return { kind: 'text', text: asText(block['text']) ?? '' };
      case 'tool_use':
        return { kind: 'call', id: asText(block['id']) ?? '', name: asText(block['name']) ?? '' };
      case 'tool_result':
        return {
          kind: 'result',
          call: asText(block['tool_use_id']) ?? '',
          isError: block['is_error'] === true,
          text: textsOf([{ ...EMPTY, blocks: blocksOf(block['content']) }]).join('\n'),
        };
      default:
        return { kind: 'other' };
    }
  });
};

const EMPTY: ClaudeRecord = { type: '', subtype: null, uuid: null, sessionId: null, agentId: null, parentCall: null, blocks: [], raw: {} };

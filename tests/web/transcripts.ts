import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Writes transcripts as Claude Code does, of sessions that were never had. */
export type Author = {
  readonly main: Thread;
  /** A sub-agent's own file. */
  readonly agent: (agentId: string, meta: AgentMeta) => Thread;
  readonly write: () => void;
};

type AgentMeta = {
  readonly agentType: string;
  readonly description: string;
  readonly toolUseId: string;
  /** The sub-agent that started it, if one did. */
  readonly parentAgentId?: string;
};

export type Thread = {
  /** All of them return the uuid of what was written last. */
  readonly asks: (text: string, more?: { readonly after?: string }) => string;
  readonly says: (text: string, more?: { readonly thinking?: string; readonly cost?: Spent }) => string;
  readonly uses: (name: string, input: object, result: Result | null) => string;
  /** The id that a next use has: a sub-agent is told which use it belongs to. */
  readonly nextUse: () => string;
  readonly compacts: (summary: string) => string;
};

export type Result = { readonly text: string | readonly object[]; readonly isError?: boolean; readonly more?: object };
type Spent = { readonly model?: string; readonly input?: number; readonly cached?: number; readonly output?: number };
type Options = { readonly folder: string; readonly sessionId: string; readonly cwd: string; readonly startsAt: number; readonly pace?: number };

/** Everything in one session happens `pace` milliseconds after the other. */
export const author = ({ folder, sessionId, cwd, startsAt, pace = 7000 }: Options): Author => {
  const project = join(folder, 'projects', cwd.replaceAll('/', '-'));
  const files = new Map<string, string[]>();
  const metas = new Map<string, string>();
  let made = 0;
  let clock = startsAt;
  // Unlike those of every other session, as long as their ids begin differently.
  const newId = (): string => `${sessionId.slice(0, 24)}${String((made += 1)).padStart(12, '0')}`;

  const threadIn = (path: string, agentId: string | null): Thread => {
    const lines: string[] = [];
    files.set(path, lines);
    let tip: string | null = null;
    let uses = 0;
    const put = (record: object, parentUuid: string | null = tip): string => {
      const uuid = newId();
      const head = { parentUuid, isSidechain: agentId !== null, ...(agentId === null ? {} : { agentId }) };
      const place = { userType: 'external', cwd, sessionId, version: '2.1.325', gitBranch: 'main' };
      lines.push(JSON.stringify({ ...head, ...record, uuid, timestamp: new Date(clock).toISOString(), ...place }));
      clock += pace;
      tip = uuid;
      return uuid;
    };
    const answer = (
      content: readonly object[],
      stop: string,
      { model = 'claude-opus-5-5', input = 14, cached = 41_000, output = 620 }: Spent = {},
    ): string =>
      put({
        type: 'assistant',
        message: {
          id: `msg_${newId()}`,
          type: 'message',
          role: 'assistant',
          model,
          content,
          ['stop_reason']: stop,
          usage: { ['input_tokens']: input, ['cache_creation_input_tokens']: 1800, ['cache_read_input_tokens']: cached, ['output_tokens']: output },
        },
      });
    const useId = (n: number): string => `toolu_${sessionId.slice(0, 8)}${agentId ?? ''}${n}`;
    return {
      asks: (text, { after } = {}) => put({ type: 'user', message: { role: 'user', content: text } }, after ?? tip),
      says: (text, { thinking, cost } = {}) =>
        answer(
          [...(thinking === undefined ? [] : [{ type: 'thinking', thinking, signature: 'c2lnbmVk' }]), { type: 'text', text }],
          'end_turn',
          cost,
        ),
      nextUse: () => useId(uses + 1),
      uses: (name, input, result) => {
        uses += 1;
        const id = useId(uses);
        const asked = answer([{ type: 'tool_use', id, name, input }], 'tool_use');
        if (result === null) return asked;
        const block = { ['tool_use_id']: id, type: 'tool_result', content: result.text, ...(result.isError === true ? { ['is_error']: true } : {}) };
        return put({
          type: 'user',
          message: { role: 'user', content: [block] },
          ...(result.more === undefined ? {} : { toolUseResult: result.more }),
        });
      },
      compacts: (summary) => {
        const before = tip;
        const metadata = { trigger: 'auto', preTokens: 155_000, postTokens: 4200 };
        put(
          { type: 'system', subtype: 'compact_boundary', content: 'Conversation compacted', logicalParentUuid: before, compactMetadata: metadata },
          null,
        );
        return put({ type: 'user', isCompactSummary: true, message: { role: 'user', content: summary } });
      },
    };
  };

  const mainFile = join(project, `${sessionId}.jsonl`);
  return {
    main: threadIn(mainFile, null),
    agent: (agentId, meta) => {
      const path = join(project, sessionId, 'subagents', `agent-${agentId}.jsonl`);
      metas.set(path.replace(/\.jsonl$/u, '.meta.json'), JSON.stringify({ ...meta, spawnDepth: meta.parentAgentId === undefined ? 1 : 2 }));
      return threadIn(path, agentId);
    },
    write: () => {
      for (const [path, lines] of files) put(path, lines.map((line) => `${line}\n`).join(''));
      for (const [path, text] of metas) put(path, text);
    },
  };
};

const put = (path: string, text: string): void => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};

import { objectOf, stringOf, type Json } from '../../json.ts';
import type { AgentMeta, Session } from '../../session.ts';
import type { FileRole, Sniffed } from '../../dialect.ts';

/** FILE-1: tells transcripts, sub-agents' files and their companions from everything else. Accepts both kinds of slashes. */
export const classifyPath = (path: string): FileRole => {
  const parts = path.split(/[/\\]/u);
  const name = parts.at(-1) ?? '';
  const folder = parts.at(-2) ?? '';
  const sessionId = sessionOfFolder(parts);
  if (folder === 'tool-results') return { role: 'companion', what: 'tool result', sessionId: parts.at(-3) ?? null };
  if (/^agent-.+\.meta\.json$/u.test(name)) return { role: 'companion', what: 'agent meta', sessionId };
  if (!name.endsWith('.jsonl')) return { role: 'foreign', reason: `not a transcript: ${extensionOf(name)}` };
  const agent = /^agent-(.+)\.jsonl$/u.exec(name)?.[1];
  if (agent !== undefined) return { role: 'agent', agentId: agent, sessionId };
  if (sessionId !== null && name === 'journal.jsonl') return { role: 'companion', what: 'workflow journal', sessionId };
  if (name === 'history.jsonl') return { role: 'foreign', reason: 'the prompt history, not a transcript' };
  const stem = name.slice(0, -'.jsonl'.length);
  return { role: 'main', sessionId: UUID.test(stem) ? stem : null };
};

/** The session ids in a piece of a transcript, and whether it looks like a stream log instead. */
export const sniff = (text: string): Sniffed => {
  const sessionIds = new Map<string, number>();
  for (const [, id = ''] of text.matchAll(/"sessionId":\s*"([^"\\]+)"/gu)) sessionIds.set(id, (sessionIds.get(id) ?? 0) + 1);
  const isStream = sessionIds.size === 0 && /"session_id":\s*"/u.test(text) && !/"(?:parentUuid|isSidechain|leafUuid)":/u.test(text);
  return { sessionIds, isStream };
};

/** Whether a file is a log of `--output-format stream-json`, whatever its name: such a log has no session ids and no parents. */
export const isStreamLog = (session: Session): boolean =>
  session.sessionIds.size === 0 &&
  session.main.nodes.length > 0 &&
  (session.kinds.has('system/init') || [...session.kinds.keys()].some((kind) => kind.startsWith('result/'))) &&
  session.main.nodes.every((node) => node.entry.parentUuid === undefined);

/** Reads `agent-<id>.meta.json`; a field that is missing or has another type becomes null. */
export const readMeta = (value: Json | undefined): AgentMeta | null => {
  const meta = objectOf(value);
  if (meta === null) return null;
  const spawnDepth = meta['spawnDepth'];
  return {
    agentType: stringOf(meta['agentType']),
    description: stringOf(meta['description']),
    toolUseId: stringOf(meta['toolUseId']),
    parentAgentId: stringOf(meta['parentAgentId']),
    spawnDepth: typeof spawnDepth === 'number' ? spawnDepth : null,
  };
};

// …/<session>/subagents/agent-x.jsonl, …/<session>/subagents/workflows/wf_y/agent-x.jsonl
const sessionOfFolder = (parts: readonly string[]): string | null => {
  const at = parts.lastIndexOf('subagents');
  return at > 0 ? (parts[at - 1] ?? null) : null;
};

const extensionOf = (name: string): string => (name.includes('.') ? `.${name.split('.').at(-1) ?? ''} file` : 'no .jsonl file');

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/iu;

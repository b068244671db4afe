import type { FileRole, Sniffed } from '../../dialect.ts';

/** GEM-1: chats in both formats; a sub-agent's chat is in a folder named after its session. */
export const classifyPath = (path: string): FileRole => {
  if (CHAT.test(path)) return { role: 'main', sessionId: null };
  const [, sessionId, agentId] = AGENT.exec(path) ?? [];
  if (sessionId !== undefined && agentId !== undefined) return { role: 'agent', agentId, sessionId };
  return { role: 'foreign', reason: 'not a chat of Gemini', ...(BESIDE.test(path) ? { isKnown: true } : {}) };
};

/** GEM-2: the first line of a chat names its session; the file name contains only part of the id. */
export const sniff = (text: string): Sniffed => {
  const id = /^\{"kind":"session"[^\n]*?"sessionId":\s*"([^"\\]+)"/u.exec(text)?.[1];
  return { sessionIds: new Map(id === undefined ? [] : [[id, 1]]), isStream: false };
};

export const isChat = (path: string): boolean => CHAT.test(path) || AGENT.test(path);

/** The folder of the project that a chat belongs to. */
export const projectFolderOf = (path: string): string => path.split(/[/\\]chats[/\\]/u)[0] ?? '';

const CHAT = /[/\\]chats[/\\]session-[^/\\]+\.jsonl?$/u;
/** The files that map projects to folders, and the prompts typed in a project. */
const BESIDE = /[/\\](?:\.project_root|projects\.json|tmp[/\\][^/\\]+[/\\]logs\.json)$/u;
const AGENT = /[/\\]chats[/\\]([0-9a-f-]{36})[/\\]([\w-]+)\.jsonl?$/iu;

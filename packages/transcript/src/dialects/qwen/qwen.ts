import type { Dialect, FileRole } from '../../dialect.ts';
import { countOf, objectOf, stringOf } from '../../json.ts';
import { shellWord, startedIn } from '../../shell.ts';
import { ALIBABA_PRICES } from './prices.ts';
import { beginChat } from './translation.ts';

/** Qwen Code: records like Claude Code's, with the contents in Gemini's format; see the README in this folder. */
export const qwen: Dialect = {
  name: 'qwen',
  roots: ({ env, home, exists }) => {
    const named = [env['QWEN_RUNTIME_DIR'], env['QWEN_HOME']].filter((path): path is string => path !== undefined && path !== '');
    const folders = named.length === 0 ? [`${home}/.qwen`] : named.map((path) => path.replace(/^~(?=[/\\]|$)/u, home));
    return [...new Set(folders)].filter(exists);
  },
  transcriptsIn: (folder, names) =>
    names.includes('projects') && (folder === '.qwen' || names.includes('usage_record.jsonl')) ? ['projects'] : null,
  classify: classifyPath,
  sniff: () => ({ sessionIds: new Map(), isStream: false }), // paths tell
  lines: {
    kind: 'ordered',
    begin: beginChat,
    baseOf: () => null,
    besideOf: (path) => (classifyPath(path).role === 'agent' ? path.replace(/\.jsonl$/u, '.meta.json') : null),
    neighbours,
    whereIs: () => ({ folders: [], isIt: () => false }),
  },
  readMeta: (value) => {
    const meta = objectOf(value);
    if (meta === null) return null;
    return {
      agentType: stringOf(meta['agentType']) ?? stringOf(meta['subagentName']),
      description: stringOf(meta['description']),
      toolUseId: stringOf(meta['toolUseId']),
      spawnDepth: countOf(meta['depth']),
      parentAgentId: stringOf(meta['parentAgentId']),
    };
  },
  prices: ALIBABA_PRICES,
  resumeCommand: (sessionId, folder) => startedIn(folder, `qwen --resume ${shellWord(sessionId)}`),
};

/** QWEN-1: chats, and the sub-agents of each session in files next to them. */
function classifyPath(path: string): FileRole {
  const [, sessionId] = /[/\\]projects[/\\][^/\\]+[/\\]chats[/\\]([\w-]+)\.jsonl$/u.exec(path) ?? [];
  if (sessionId !== undefined) return { role: 'main', sessionId };
  const [, session, agentId, isMeta] =
    /[/\\]projects[/\\][^/\\]+[/\\]subagents[/\\]([\w-]+)[/\\]agent-([^/\\]+?)(\.meta\.json|\.jsonl)$/u.exec(path) ?? [];
  if (session === undefined || agentId === undefined)
    return { role: 'foreign', reason: 'not a chat of Qwen Code', ...(BESIDE.test(path) ? { isKnown: true } : {}) };
  return isMeta === '.meta.json' ? { role: 'companion', what: 'agent meta', sessionId: session } : { role: 'agent', agentId, sessionId: session };
}

/** Files next to chats: which process writes one, and the memory of the project. */
const BESIDE = /[/\\]projects[/\\][^/\\]+[/\\](?:chats[/\\][\w-]+\.runtime\.json|extract-cursor\.json|meta\.json|memory[/\\][^/\\]+\.md)$/u;

function neighbours(path: string): readonly string[] {
  const [, project, session] = /^(.+)[/\\]chats[/\\]([\w-]+)\.jsonl$/u.exec(path) ?? [];
  return project === undefined || session === undefined ? [] : [`${project}/subagents/${session}`];
}

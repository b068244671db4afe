import type { Dialect, FileRole } from '../../dialect.ts';
import { shellWord, startedIn } from '../../shell.ts';
import { beginEvents } from './translation.ts';

/** GitHub's Copilot CLI: one file of events is one session with all its sub-agents; see the README in this folder. */
export const copilot: Dialect = {
  name: 'copilot',
  roots: ({ env, home, exists }) => {
    const configured = env['COPILOT_HOME'] ?? '';
    return [configured === '' ? `${home}/.copilot` : configured].filter(exists);
  },
  // Wherever its home is, no other tool has such folders.
  transcriptsIn: (_folder, names) => (names.some((name) => FOLDERS.includes(name)) ? FOLDERS.filter((name) => names.includes(name)) : null),
  classify: (path): FileRole => {
    const [, folder, file] = /[/\\](?:history-)?session-state[/\\](?:([\w-]+)[/\\]events|([\w-]+))\.jsonl$/u.exec(path) ?? [];
    const sessionId = folder ?? file;
    if (sessionId !== undefined) return { role: 'main', sessionId };
    return { role: 'foreign', reason: 'not a session of Copilot', ...(BESIDE.test(path) ? { isKnown: true } : {}) };
  },
  sniff: () => ({ sessionIds: new Map(), isStream: false }), // paths tell
  lines: { kind: 'ordered', begin: beginEvents, baseOf: () => null, neighbours: () => [], whereIs: () => ({ folders: [], isIt: () => false }) },
  readMeta: () => null,
  prices: { date: '', models: {} },
  resumeCommand: (sessionId, folder) => startedIn(folder, `copilot --resume ${shellWord(sessionId)}`),
};

/** The contents of a session's folder: its workspace, compaction summaries, plans and files. */
const BESIDE = /[/\\](?:history-)?session-state[/\\][0-9a-f-]{36}[/\\]/iu;

const FOLDERS = ['session-state', 'history-session-state'];

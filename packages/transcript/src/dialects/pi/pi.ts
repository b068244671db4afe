import type { Dialect, FileRole } from '../../dialect.ts';
import { objectOf, parseJson, stringOf } from '../../json.ts';
import { shellWord, startedIn } from '../../shell.ts';
import { beginTree } from './translation.ts';

/** pi: one file is one session, a tree of entries; see the README in this folder. */
export const pi: Dialect = {
  name: 'pi',
  roots: ({ env, home, exists }) => {
    const configured = env['PI_CODING_AGENT_DIR'] ?? '';
    const folder = configured === '' ? `${home}/.pi/agent` : configured.replace(/^~(?=[/\\]|$)/u, home);
    return [folder].filter(exists);
  },
  transcriptsIn: (folder, names) => (folder === 'agent' && names.includes('sessions') ? ['sessions'] : null),
  classify: (path): FileRole => (FILE.test(path) ? { role: 'main', sessionId: null } : { role: 'foreign', reason: 'not a session of pi' }),
  sniff: (text, path) => {
    const first = objectOf(parseJson(text.slice(0, text.indexOf('\n') === -1 ? undefined : text.indexOf('\n'))));
    const id = (first?.['type'] === 'session' ? stringOf(first['id']) : null) ?? FILE.exec(path)?.[1] ?? null;
    return { sessionIds: new Map(id === null ? [] : [[id, 1]]), isStream: false };
  },
  lines: { kind: 'ordered', begin: beginTree, baseOf: () => null, neighbours: () => [], whereIs: () => ({ folders: [], isIt: () => false }) },
  readMeta: () => null,
  prices: { date: '', models: {} }, // it records itself what each response cost
  resumeCommand: (sessionId, folder) => startedIn(folder, `pi --session ${shellWord(sessionId)}`),
};

// 2026-11-16T00-08-22-171Z_01a1e1ae-f59a-70fd-8edd-ede91fe91ba0.jsonl
const FILE = /[/\\]\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d+Z_([\w-]+)\.jsonl$/u;

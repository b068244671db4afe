import type { Dialect } from '../../dialect.ts';
import { shellWord, startedIn } from '../../shell.ts';
import { classifyPath, isContainer, isDatabase } from './files.ts';
import { toRecord } from './records.ts';
import { opencodeStore } from './store.ts';

/** opencode keeps all sessions in one database; older versions keep them in a tree of small files. See the README in this folder. */
export const opencode: Dialect = {
  name: 'opencode',
  roots: ({ env, home, exists }) => {
    const data = env['XDG_DATA_HOME'] ?? '';
    const folder = `${data === '' ? `${home}/.local/share` : data}/opencode`;
    const database = env['OPENCODE_DB'] ?? '';
    if (database === '' || database === ':memory:') return [folder].filter(exists);
    // A bare name is relative to opencode's own folder, where the others are found anyway.
    if (!/^(?:[/\\]|[a-zA-Z]:)/u.test(database)) return [folder, ...(isDatabase(database) ? [] : [`${folder}/${database}`])].filter(exists);
    return [folder, database].filter(exists);
  },
  transcriptsIn: (folder, names) => {
    if (folder === 'opencode' && names.some((name) => name === 'storage' || isDatabase(name)))
      return names.filter((name) => name === 'storage' || isDatabase(name));
    // A tree is read through `store`, which knows its contents.
    return isContainer(folder, names) ? [] : null;
  },
  classify: classifyPath,
  sniff: () => ({ sessionIds: new Map(), isStream: false }), // paths tell
  lines: { kind: 'single', toRecord },
  store: opencodeStore,
  readMeta: () => null,
  prices: { date: '', models: {} }, // it resells other providers' models, and records itself what each response cost
  resumeCommand: (sessionId, folder) => startedIn(folder, `opencode --session ${shellWord(sessionId)}`),
};

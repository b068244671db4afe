import type { Dialect } from '../../dialect.ts';
import { shellWord, startedIn } from '../../shell.ts';
import { classifyPath, sniff } from './files.ts';
import { GOOGLE_PRICES } from './prices.ts';
import { toRecord } from './records.ts';
import { geminiStore } from './store.ts';

/** Google's Gemini CLI: a document that is rewritten, and in newer versions a list of changes to one; see the README in this folder. */
export const gemini: Dialect = {
  name: 'gemini',
  roots: ({ env, home, exists }) => {
    const configured = env['GEMINI_CLI_HOME'] ?? '';
    return [`${configured === '' ? home : configured}/.gemini`].filter(exists);
  },
  transcriptsIn: (folder, names) => (folder === '.gemini' && names.includes('tmp') ? ['tmp'] : null),
  classify: classifyPath,
  sniff,
  lines: { kind: 'single', toRecord },
  store: geminiStore,
  readMeta: () => null,
  prices: GOOGLE_PRICES,
  resumeCommand: (sessionId, folder) => startedIn(folder, `gemini --resume ${shellWord(sessionId)}`),
};

import type { Dialect } from '../../dialect.ts';
import { shellWord, startedIn } from '../../shell.ts';
import { classifyPath, neighbours, sniff, whereIs } from './files.ts';
import { OPENAI_PRICES } from './prices.ts';
import { baseOf, beginRollout } from './translation.ts';

/** OpenAI's Codex CLI: one thread is one file, or continues in others; see the README in this folder. */
export const codex: Dialect = {
  name: 'codex',
  roots: ({ env, home, exists }) => {
    const configured = env['CODEX_HOME'] ?? '';
    return [configured === '' ? `${home}/.codex` : configured].filter(exists);
  },
  transcriptsIn: (folder, names) =>
    names.includes('sessions') && (folder === '.codex' || names.some((name) => HOME_FILES.has(name))) ? TRANSCRIPTS : null,
  classify: classifyPath,
  sniff,
  isArchived: (path) => /[/\\]archived_sessions[/\\][^/\\]+$/u.test(path),
  lines: { kind: 'ordered', begin: beginRollout, baseOf, neighbours, whereIs },
  readMeta: () => null,
  prices: OPENAI_PRICES,
  resumeCommand: (sessionId, folder) => startedIn(folder, `codex resume ${shellWord(sessionId)}`),
};

const TRANSCRIPTS = ['sessions', 'archived_sessions', 'session_index.jsonl'] as const;
const HOME_FILES: ReadonlySet<string> = new Set([
  'config.toml',
  'auth.json',
  'version.json',
  'history.jsonl',
  'session_index.jsonl',
  'archived_sessions',
]);

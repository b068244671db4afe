import type { Dialect } from '../../dialect.ts';
import { classifyPath, readMeta, sniff } from './files.ts';
import { CLAUDE_PRICES } from './prices.ts';
import { resumeCommand } from './resume.ts';

/** Claude Code. Everything downstream reads records in its form; an entry that names no dialect is one of its own. */
export const claudeCode: Dialect = {
  name: 'claude-code',
  roots: ({ env, home, exists }) => {
    const configured = env['CLAUDE_CONFIG_DIR'] ?? '';
    if (configured === '') return [`${home}/.claude`, `${home}/.config/claude`].filter(exists);
    // A comma separates several folders; but the name of a folder may contain a comma, too.
    const homes = exists(configured) ? [configured] : configured.split(',').map((folder) => folder.trim());
    return homes.filter((folder) => folder !== '' && exists(folder));
  },
  transcriptsIn: (folder, names) =>
    names.includes('projects') && (HOME_NAMES.has(folder) || names.some((name) => HOME_FILES.has(name))) ? ['projects'] : null,
  classify: classifyPath,
  sniff,
  lines: { kind: 'records' },
  readMeta,
  prices: CLAUDE_PRICES,
  resumeCommand,
};

const HOME_NAMES: ReadonlySet<string> = new Set(['.claude', 'claude']);
const HOME_FILES: ReadonlySet<string> = new Set([
  'history.jsonl',
  'settings.json',
  'todos',
  'statsig',
  'shell-snapshots',
  'file-history',
  '.credentials.json',
]);

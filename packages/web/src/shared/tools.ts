/** What people call the programs whose sessions are listed; one that is not known here goes by its own name. */
export const toolName = (tool: string): string => NAMES.get(tool) ?? tool;

/** Most sessions are of this one: its name is left out. */
export const isUsual = (tool: string): boolean => tool === 'claude-code';

const NAMES: ReadonlyMap<string, string> = new Map([
  ['claude-code', 'Claude Code'],
  ['codex', 'Codex'],
  ['opencode', 'opencode'],
  ['gemini', 'Gemini CLI'],
  ['qwen', 'Qwen Code'],
  ['pi', 'pi'],
  ['copilot', 'Copilot CLI'],
]);

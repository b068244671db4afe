/** The usual names of the programs whose sessions are listed; an unknown one keeps its own. */
export const toolName = (tool: string): string => NAMES.get(tool) ?? tool;

/** Most sessions are of this program: its name is omitted. */
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

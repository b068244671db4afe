import { claudeCode } from './claude-code/claude-code.ts';
import { codex } from './codex/codex.ts';
import { gemini } from './gemini/gemini.ts';
import { opencode } from './opencode/opencode.ts';
import { pi } from './pi/pi.ts';
import { qwen } from './qwen/qwen.ts';
import { copilot } from './copilot/copilot.ts';
import { dialectNamed, pricesOf, type Dialects } from '../dialect.ts';

/** The default dialects. Claude Code comes last, because it accepts nearly every `.jsonl` file. */
export const DIALECTS: Dialects = [codex, opencode, gemini, qwen, pi, copilot, claudeCode];

/** The command that resumes a session in a terminal, in the folder where it began; null for an unknown tool. */
export const resumeCommandOf = (tool: string, sessionId: string, folder: string | null): string | null =>
  dialectNamed(DIALECTS, tool)?.resumeCommand(sessionId, folder) ?? null;

export const DEFAULT_PRICES = pricesOf(DIALECTS);

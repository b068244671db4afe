/** The programs whose sessions are read, as inputs and descriptions name them: a test compares this with the dialects, which clients don't load. */
export const SESSION_TOOLS = 'claude-code, codex, opencode, gemini, qwen, pi, copilot';

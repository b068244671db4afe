/** The programs whose sessions are read, as inputs and descriptions name them: a test holds this against the dialects, which clients do not load. */
export const SESSION_TOOLS = 'claude-code, codex, opencode, gemini, qwen, pi, copilot';

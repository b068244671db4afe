import { shellWord, startedIn } from '../../shell.ts';

/** Claude Code looks for sessions by the folder it is started in, so the command changes to the folder where this one began. */
export const resumeCommand = (sessionId: string, folder: string | null): string => startedIn(folder, `claude --resume ${shellWord(sessionId)}`);

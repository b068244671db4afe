import { appendFileSync, statSync } from 'node:fs';
import { appendSpool, faultFileOf, isLaunchId, spoolOf, type Spool, type SpoolLine } from '@yarnboard/server/spool';
import type { ExitCode, Io } from '../io.ts';
import { ownWords, quoted } from '../launch/own-command.ts';
import { newsFor } from '../launch/news.ts';
import { pasteableSettings } from '../launch/settings.ts';

/**
 * `yarnboard hook`: called by Claude Code when a session starts or ends, and at each prompt. LAUNCH-4: it opens no database and always succeeds: the
 * user at the terminal must not notice it.
 */
export const hook = async (args: readonly string[], io: Io): Promise<ExitCode> => {
  const [first = ''] = args;
  if (first === '--print-settings') {
    await io.out(`${pasteableSettings(ownWords('hook', '--context').map(quoted).join(' '))}\n`);
    return 0;
  }
  const spool = spoolOf({ env: io.env, home: io.home });
  const { folder } = spool;
  const launchedBy = io.env['YARNBOARD_LAUNCH'] ?? '';
  // In `yarnboard claude`, its own hook does this already.
  if (first === '--context' && launchedBy !== '') return 0;
  try {
    const said = fieldsOf(await readInput());
    if (first !== '--context') write(folder, first === '' ? launchedBy : first, said, io.now());
    await tellNews(spool, said, io);
  } catch (cause) {
    note(folder, `${new Date(io.now()).toISOString()} ${cause instanceof Error ? cause.message : String(cause)}`);
  }
  return 0;
};

type Said = Readonly<Record<string, unknown>>;

const fieldsOf = (text: string): Said => {
  const input: unknown = JSON.parse(text);
  return (typeof input === 'object' && input !== null ? input : {}) as Said; // every field is checked where it is used
};

const textIn = (said: Said, key: string): string => {
  const value = said[key];
  return typeof value === 'string' ? value : '';
};

const write = (folder: string, launchId: string, said: Said, at: number): void => {
  if (!isLaunchId(launchId)) throw new Error(`"${launchId}" is no id of a launch; \`yarnboard claude\` gives its hook one`);
  const line = lineOf(said, at);
  if (line !== null) appendSpool(folder, launchId, line);
};

/** LAUNCH-17: what Claude Code reads of a hook's output. */
const tellNews = async (spool: Spool, said: Said, io: Io): Promise<void> => {
  const event = textIn(said, 'hook_event_name');
  if (event !== 'SessionStart' && event !== 'UserPromptSubmit') return;
  const seconds = Number(io.env['YARNBOARD_HOOK_WAIT'] ?? '');
  const news = await newsFor(spool, {
    sessionId: textIn(said, 'session_id'),
    prompt: event === 'SessionStart' ? null : textIn(said, 'prompt'),
    ...(seconds > 0 && { patience: seconds * 1000 }),
  });
  if (news === null) return;
  await io.out(`${JSON.stringify({ hookSpecificOutput: { hookEventName: event, additionalContext: news.text } })}\n`);
  news.told();
};

/** Null if there is nothing to report about a session. */
const lineOf = (said: Said, at: number): SpoolLine | null => {
  const text = (key: string): string => textIn(said, key);
  const [sessionId, transcriptPath, event] = [text('session_id'), text('transcript_path'), text('hook_event_name')];
  if (sessionId === '' || transcriptPath === '')
    throw new Error(`the hook was told no session_id or transcript_path: ${JSON.stringify(said).slice(0, 200)}`);
  if (event === 'SessionStart') return { kind: 'session', at, sessionId, transcriptPath, source: text('source'), cwd: text('cwd') };
  if (event === 'SessionEnd') return { kind: 'session-end', at, sessionId, transcriptPath, reason: text('reason') };
  if (event === 'UserPromptSubmit') return null;
  throw new Error(`the hook was called for "${event}"; it is for SessionStart, SessionEnd and UserPromptSubmit`);
};

/** Reads standard input, no more than needed and no longer than it takes. */
const readInput = (): Promise<string> =>
  new Promise((resolve) => {
    let text = '';
    const done = (): void => {
      clearTimeout(timer);
      process.stdin.removeAllListeners();
      process.stdin.destroy();
      resolve(text);
    };
    const timer = setTimeout(done, PATIENCE);
    process.stdin.setEncoding('utf8');
    process.stdin.on('data', (chunk: string) => {
      text += chunk;
      if (text.length > MOST) done();
    });
    process.stdin.on('end', done);
    process.stdin.on('error', done);
  });

// If even this fails, nothing more can be done.
const note = (folder: string, text: string): void => {
  const path = faultFileOf(folder);
  try {
    const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    if (size < MOST_FAULTS) appendFileSync(path, `${text.replaceAll(/\s+/gu, ' ')}\n`, { mode: 0o600 });
  } catch {
    return;
  }
};

const PATIENCE = 2000;
const MOST = 1_000_000;
const MOST_FAULTS = 65_536;

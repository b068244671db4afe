import { appendFileSync, statSync } from 'node:fs';
import { appendSpool, faultFileOf, isLaunchId, spoolOf, type SpoolLine } from '@yarnboard/server/spool';
import type { ExitCode, Io } from '../io.ts';

/**
 * `yarnboard hook`: what Claude Code calls when a session begins or ends. LAUNCH-4: writes one line and ends; it opens nothing, prints nothing, and always
 * succeeds: whoever sits at the terminal must not notice it.
 */
export const hook = async (args: readonly string[], io: Io): Promise<ExitCode> => {
  const [id = ''] = args;
  const { folder } = spoolOf({ env: io.env, home: io.home });
  try {
    const launchId = id === '' ? (io.env['YARNBOARD_LAUNCH'] ?? '') : id;
    if (!isLaunchId(launchId)) throw new Error(`"${launchId}" is no id of a launch; \`yarnboard claude\` gives its hook one`);
    const line = lineOf(JSON.parse(await readInput()), io.now());
    appendSpool(folder, launchId, line);
  } catch (cause) {
    note(folder, `${new Date(io.now()).toISOString()} ${cause instanceof Error ? cause.message : String(cause)}`);
  }
  return 0;
};

const lineOf = (input: unknown, at: number): SpoolLine => {
  const said = (typeof input === 'object' && input !== null ? input : {}) as Readonly<Record<string, unknown>>; // every field is looked at below
  const text = (key: string): string => {
    const value = said[key];
    return typeof value === 'string' ? value : '';
  };
  const [sessionId, transcriptPath, event] = [text('session_id'), text('transcript_path'), text('hook_event_name')];
  if (sessionId === '' || transcriptPath === '')
    throw new Error(`the hook was told no session_id or transcript_path: ${JSON.stringify(input).slice(0, 200)}`);
  if (event === 'SessionStart') return { kind: 'session', at, sessionId, transcriptPath, source: text('source'), cwd: text('cwd') };
  if (event === 'SessionEnd') return { kind: 'session-end', at, sessionId, transcriptPath, reason: text('reason') };
  throw new Error(`the hook was called for "${event}"; it is for SessionStart and SessionEnd`);
};

/** What is on standard input; not more than is needed, nor longer than it takes. */
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

// Nothing more can be done where even this fails.
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

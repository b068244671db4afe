import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { homeOf, makePrivateFolder, readTextIfThere, writePrivateFile, type Home, type Place } from '../home/home.ts';

// What a terminal and its hooks report to the server, and what the server asks of the terminal. It uses files only, so it works without a server: the
// next one reads what was written meanwhile. Don't import anything heavy here: Claude Code waits for the hook.

/** Every kind of line of a launch's spool, with its fields. */
const LINES = {
  /** The launcher is about to start `claude`. `isFork`: the user asked for a copy of a session. */
  started: { pid: 'number', mark: 'text?', host: 'text', cwd: 'text', isFork: 'flag' },
  /** `claude` runs as this process. */
  spawned: { pid: 'number', mark: 'text?' },
  /** From the hook: `claude` begins, resumes, compacts or copies a session. */
  session: { sessionId: 'text', transcriptPath: 'text', source: 'text', cwd: 'text' },
  /** From the hook: `claude` leaves a session. */
  'session-end': { sessionId: 'text', transcriptPath: 'text', reason: 'text' },
  /** `claude` was ended so that the session can continue elsewhere; the terminal waits. */
  released: { nonce: 'text' },
  /** The user at the terminal wants the session back. */
  'wants-back': {},
  /** The terminal continues with this session. */
  'taken-back': { sessionId: 'text', nonce: 'text?' },
  /** `stoppedBy`: the signal the launcher received shortly before, however `claude` exited. */
  ended: { code: 'number?', signal: 'text?', stoppedBy: 'text?' },
  /** Written by a server that found the processes gone. */
  lost: {},
} as const satisfies Readonly<Record<string, Fields>>;

/** What the server may ask of a launcher, once per nonce. */
const COMMANDS = {
  release: { nonce: 'text', sessionId: 'text' },
  'take-back': { nonce: 'text', sessionId: 'text' },
  /** The session cannot come back now. */
  refuse: { nonce: 'text', why: 'text' },
} as const satisfies Readonly<Record<string, Fields>>;

type Values = {
  readonly number: number;
  readonly 'number?': number | null;
  readonly text: string;
  readonly 'text?': string | null;
  readonly flag: boolean;
};
type Fields = Readonly<Record<string, keyof Values>>;
type Shape<T extends Fields> = { readonly [F in keyof T]: Values[T[F]] };
type Kinds<T extends Readonly<Record<string, Fields>>> = {
  [K in keyof T & string]: { readonly kind: K; readonly at: number } & Shape<T[K]>;
}[keyof T & string];

export type SpoolLine = Kinds<typeof LINES>;
export type ControlCommand = Kinds<typeof COMMANDS>;

export const launchFolderOf = (home: Pick<Home, 'folder'>): string => join(home.folder, 'launches');

/** Where launchers and hooks write, and where the server leaves its files. */
export type Spool = { readonly home: string; readonly folder: string; readonly serverFile: string; readonly tokenFile: string };

export const spoolOf = (place: Place): Spool => {
  const home = homeOf(place);
  return { home: home.folder, folder: launchFolderOf(home), serverFile: home.serverFile, tokenFile: home.tokenFile };
};

/** The files of a launch. */
export const launchFiles = (folder: string, launchId: string) => ({
  spool: join(folder, `${launchId}.jsonl`),
  control: join(folder, `${launchId}.control.json`),
  /** A copy of the user's settings with our hook added; one for each time the user passes settings. */
  settings: (ordinal: number): string => join(folder, `${launchId}.settings-${ordinal}.json`),
});

/** Where hooks log their errors: they must never disturb their caller. */
export const faultFileOf = (folder: string): string => join(folder, 'faults.log');

/** Ids become file names, so nothing else may pass as one. */
export const isLaunchId = (text: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u.test(text);

/** LAUNCH-5: one write with a newline on both ends, so that a line that was cut off spoils no other. */
export const appendSpool = (folder: string, launchId: string, line: SpoolLine): void => {
  makePrivateFolder(folder);
  appendFileSync(launchFiles(folder, launchId).spool, `\n${JSON.stringify(line)}\n`, { mode: 0o600 });
};

/** Parses a line; returns the reason if it cannot. */
export const parseSpoolLine = (text: string): SpoolLine | { readonly fault: string } => parseAs<SpoolLine>(LINES, text);

export const writeControl = (folder: string, launchId: string, command: ControlCommand): void => {
  makePrivateFolder(folder);
  writePrivateFile(launchFiles(folder, launchId).control, `${JSON.stringify(command)}\n`);
};

/** The server's latest request; null if there is none, or none that this version knows. */
export const readControl = (folder: string, launchId: string): ControlCommand | null => {
  const text = readTextIfThere(launchFiles(folder, launchId).control);
  const command = text === null ? null : parseAs<ControlCommand>(COMMANDS, text);
  return command === null || 'fault' in command ? null : command;
};

const parseAs = <T>(kinds: Readonly<Record<string, Fields>>, text: string): T | { readonly fault: string } => {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { fault: 'not JSON' };
  }
  if (typeof json !== 'object' || json === null) return { fault: 'not an object' };
  const line = json as Readonly<Record<string, unknown>>; // every field is checked below
  const kind = typeof line['kind'] === 'string' ? line['kind'] : '';
  const fields = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
  if (fields === undefined) return { fault: `of an unknown kind "${kind}"` };
  const wrong = Object.entries({ at: 'number' as const, ...fields }).find(([name, type]) => !IS[type](line[name]));
  if (wrong !== undefined) return { fault: `${wrong[0]} of "${kind}" must be ${WANTED[wrong[1]]}` };
  return line as T; // has every field of its kind
};

const isNumber = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value);
const isText = (value: unknown): boolean => typeof value === 'string';
const IS = {
  number: isNumber,
  'number?': (value) => value === null || isNumber(value),
  text: isText,
  'text?': (value) => value === null || isText(value),
  flag: (value) => typeof value === 'boolean',
} as const satisfies Record<keyof Values, (value: unknown) => boolean>;
const WANTED = {
  number: 'a number',
  'number?': 'a number or null',
  text: 'a text',
  'text?': 'a text or null',
  flag: 'true or false',
} as const satisfies Record<keyof Values, string>;

/** A process; the mark distinguishes it from a later one with the same pid. */
export type Process = { readonly pid: number; readonly mark: string | null };

export const processOf = (pid: number): Process => ({ pid, mark: statOf(pid)?.mark ?? null });

/** Whether a process is still running. A zombie is not. */
export const isGoing = ({ pid, mark }: Process): boolean => {
  const stat = statOf(pid);
  if (stat !== null) return !'ZX'.includes(stat.state) && (mark === null || mark === stat.mark);
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === 'EPERM';
  }
};

/** Whether it is stopped (Ctrl-Z) and waiting to be continued; null if the system doesn't say. */
export const isStopped = (pid: number): boolean | null => {
  const stat = statOf(pid);
  return stat === null ? null : 'Tt'.includes(stat.state);
};

// Linux only. A program's name may contain anything, even parentheses, so the fields start after the last one.
const statOf = (pid: number): { readonly state: string; readonly mark: string } | null => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0] ?? '', mark: fields[19] ?? '' };
  } catch {
    return null;
  }
};

/** Whether a server seems to be running for this home, judging by its note. */
export const hasServer = ({ serverFile }: Pick<Spool, 'serverFile'>): boolean => {
  try {
    const { pid } = JSON.parse(readTextIfThere(serverFile) ?? '{}') as { readonly pid?: unknown }; // our own file; anything else does not count
    return typeof pid === 'number' && isGoing({ pid, mark: null });
  } catch {
    return false;
  }
};

import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What the stand-in does, one after the other. */
export type Act =
  /** Begins, resumes, copies or compacts a session: calls the hooks of its settings as the real one does. */
  | { readonly do: 'start'; readonly session: string; readonly source: string; readonly cwd?: string }
  /** Leaves it. */
  | { readonly do: 'leave'; readonly session?: string; readonly reason: string }
  /** Writes lines to the session's transcript, as they are. */
  | { readonly do: 'write'; readonly text: string; readonly session?: string }
  | { readonly do: 'print'; readonly text: string }
  /** Leaves a file, or waits for one. */
  | { readonly do: 'mark' | 'wait'; readonly file: string }
  /** Keeps what is typed next in a file. */
  | { readonly do: 'read'; readonly file: string }
  | { readonly do: 'exit'; readonly code: number }
  | { readonly do: 'die'; readonly signal: NodeJS.Signals };

export type Play = {
  readonly acts: readonly Act[];
  /** What it does instead when it is started with --resume. */
  readonly resumed?: readonly Act[];
  /** What it ends with when it gets a signal; without one it dies by it. */
  readonly on?: Readonly<Partial<Record<NodeJS.Signals, number | 'ignore'>>>;
};

/** How it was started, and what its hooks printed. */
export type Seen = {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly pid: number;
  readonly settings: readonly unknown[];
  /** Who may do what with the files they are in. */
  readonly modes: readonly number[];
  readonly hooks: readonly { readonly code: number | null; readonly out: string; readonly err: string }[];
};

/** A program that stands in for `claude`: it is somebody else's, so this is no mock of ours. */
export const standIn = (folder: string) => {
  const bin = join(folder, 'bin');
  mkdirSync(bin, { recursive: true });
  const program = join(bin, 'claude');
  writeFileSync(program, SCRIPT);
  chmodSync(program, 0o755);
  const seen = join(folder, 'seen.jsonl');
  return {
    bin,
    program,
    env: (play: Play): Record<string, string> => ({ STAND_IN: JSON.stringify(play), STAND_IN_SEEN: seen }),
    seen: (): readonly Seen[] =>
      existsSync(seen)
        ? readFileSync(seen, 'utf8')
            .split('\n')
            .filter((line) => line !== '')
            .map((line) => JSON.parse(line) as Seen) // written below
        : [],
  };
};

const SCRIPT = `#!/usr/bin/env node
const { appendFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } = require('node:fs');
const { spawnSync } = require('node:child_process');
const { dirname, join } = require('node:path');

const play = JSON.parse(process.env.STAND_IN);
const args = process.argv.slice(2);
const options = args.includes('--') ? args.slice(0, args.indexOf('--')) : args;
const modes = [];
const settings = options.flatMap((arg, at) => {
  const value = arg.startsWith('--settings=') ? arg.slice('--settings='.length) : arg === '--settings' ? args[at + 1] : null;
  if (value === null) return [];
  if (existsSync(value)) modes.push(statSync(value).mode & 0o777);
  return [JSON.parse(value.trim().startsWith('{') ? value : readFileSync(value, 'utf8'))];
});
const hooks = [];
const fileOf = (session) => process.env.STAND_IN_TRANSCRIPT ?? join(process.env.CLAUDE_CONFIG_DIR, 'projects', process.cwd().replace(/[^0-9A-Za-z]/g, '-'), session + '.jsonl');
const call = (event, session, more) => {
  for (const { hooks: list } of settings.at(-1)?.hooks?.[event] ?? []) {
    for (const { command } of list) {
      const input = JSON.stringify({ session_id: session, transcript_path: fileOf(session), cwd: process.cwd(), hook_event_name: event, ...more });
      const { status, stdout, stderr } = spawnSync('sh', ['-c', command], { input, encoding: 'utf8', cwd: '/' });
      hooks.push({ code: status, out: stdout, err: stderr });
    }
  }
};
const see = () => appendFileSync(process.env.STAND_IN_SEEN, JSON.stringify({ args, env: process.env, cwd: process.cwd(), pid: process.pid, settings, modes, hooks }) + '\\n');
for (const [name, code] of Object.entries(play.on ?? {})) process.on(name, () => { if (code !== 'ignore') { see(); process.exit(code); } });

let session = null;
const sleep = () => new Promise((resolve) => setTimeout(resolve, 20));
const act = async (one) => {
  if (one.do === 'start') { session = one.session; call('SessionStart', session, { source: one.source, ...(one.cwd ? { cwd: one.cwd } : {}) }); }
  if (one.do === 'leave') call('SessionEnd', one.session ?? session, { reason: one.reason });
  if (one.do === 'write') { const path = fileOf(one.session ?? session); mkdirSync(dirname(path), { recursive: true }); appendFileSync(path, one.text); }
  if (one.do === 'print') process.stdout.write(one.text);
  if (one.do === 'mark') writeFileSync(one.file, String(process.pid));
  if (one.do === 'wait') while (!existsSync(one.file)) await sleep();
  if (one.do === 'read') await new Promise((resolve) => process.stdin.once('data', (text) => { writeFileSync(one.file, text); process.stdin.pause(); resolve(); }));
  if (one.do === 'exit') { see(); process.exit(one.code); }
  if (one.do === 'die') { see(); process.kill(process.pid, one.signal); await new Promise((resolve) => setTimeout(resolve, 5000)); }
};
(async () => {
  for (const one of args.includes('--resume') && play.resumed ? play.resumed : play.acts) await act(one);
  see();
})();
`;

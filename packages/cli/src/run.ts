import { printable, printableLine } from '@yarnboard/transcript';
import type { ExitCode, Io } from './io.ts';
import { HELP, helpFor } from './help.ts';
import { reasonOf } from './read/discover.ts';
import { Refusal } from './refusal.ts';
import { VERSION } from './version.ts';
import { inspect } from './verbs/inspect.ts';

type Verb = (args: readonly string[], io: Io) => Promise<ExitCode>;

const VERBS: ReadonlyMap<string, Verb> = new Map([
  ['inspect', inspect],
  // Loaded when asked for: rendering Markdown is a large part of the program.
  ['show', async (args, io) => (await import('./verbs/show.ts')).show(args, io)],
]);

/** Runs one command line and says how it ended. Whatever goes wrong becomes one clear sentence and an exit code. */
export const run = async (argv: readonly string[], io: Io): Promise<ExitCode> => {
  const [first, ...rest] = argv;
  try {
    if (first === '--version' || first === '-v') return await print(io, `${VERSION}\n`);
    if (first === 'help' || first === '--help' || first === '-h') return await print(io, rest[0] === undefined ? HELP : helpFor(rest[0]));
    if (first === undefined || first.startsWith('-')) return await inspect(first === undefined ? ['--or-demo'] : argv, io);
    const verb = VERBS.get(first);
    if (verb === undefined) throw new Refusal(2, `there is no command "${first}"; \`yarnboard help\` lists them`);
    if (rest.includes('--help') || rest.includes('-h')) return await print(io, helpFor(first));
    return await verb(rest, io);
  } catch (cause) {
    if (cause instanceof Refusal) {
      io.err(`yarnboard: ${printableLine(cause.message)}\n`);
      return cause.code;
    }
    // What the system refuses has a code; anything else is a fault of ours, and its trace is what we need to mend it.
    const isOurs = !(cause instanceof Error && 'code' in cause);
    io.err(`yarnboard: ${printableLine(reasonOf(cause))}\n${isOurs && cause instanceof Error ? `${printable(cause.stack ?? '')}\n` : ''}`);
    return 3;
  }
};

const print = async (io: Io, text: string): Promise<ExitCode> => {
  await io.out(text);
  return 0;
};

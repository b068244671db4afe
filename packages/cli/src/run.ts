import type { ExitCode, Io } from './io.ts';
import { HELP, helpFor } from './help.ts';
import { Refusal } from './refusal.ts';
import { VERSION } from './version.ts';

type Verb = (args: readonly string[], io: Io) => Promise<number>;

// Loaded on demand: a command needs only a part of the program, and Claude Code waits for `hook`.
const VERBS: ReadonlyMap<string, Verb> = new Map<string, Verb>([
  ['start', async (args, io) => (await import('./verbs/start.ts')).start(args, io)],
  ['open', async (args, io) => (await import('./verbs/open.ts')).open(args, io)],
  ['status', async (args, io) => (await import('./verbs/status.ts')).status(args, io)],
  ['stop', async (args, io) => (await import('./verbs/status.ts')).stop(args, io)],
  ['import', async (args, io) => (await import('./verbs/import.ts')).importVerb(args, io)],
  ['inspect', async (args, io) => (await import('./verbs/inspect.ts')).inspect(args, io)],
  ['show', async (args, io) => (await import('./verbs/show.ts')).show(args, io)],
  ['envelopes', async (args, io) => (await import('./verbs/envelopes.ts')).envelopes(args, io)],
  ['chat', async (args, io) => (await import('./verbs/chat.ts')).chat(args, io)],
  ['completion', async (args, io) => (await import('./verbs/completion.ts')).completion(args, io, [...VERB_NAMES, 'help'])],
  ['claude', async (args, io) => (await import('./verbs/claude.ts')).claude(args, io)],
  ['hook', async (args, io) => (await import('./verbs/hook.ts')).hook(args, io)],
  ['mcp', async (args, io) => (await import('./verbs/mcp.ts')).mcp(args, io)],
  ['search', async (args, io) => (await import('./verbs/search.ts')).search(args, io)],
  ['trace', async (args, io) => (await import('./verbs/trace.ts')).trace(args, io)],
  ['similar', async (args, io) => (await import('./verbs/similar.ts')).similar(args, io)],
  ['verify', async (args, io) => (await import('./verbs/verify.ts')).verify(args, io)],
  ['doctor', async (args, io) => (await import('./verbs/doctor.ts')).doctor(args, io)],
  ['backup', async (args, io) => (await import('./verbs/data.ts')).backup(args, io)],
  ['restore', async (args, io) => (await import('./verbs/data.ts')).restore(args, io)],
  ['export', async (args, io) => (await import('./verbs/data.ts')).exportVerb(args, io)],
  ['rebuild', async (args, io) => (await import('./verbs/data.ts')).rebuild(args, io)],
  ['repair', async (args, io) => (await import('./verbs/data.ts')).repair(args, io)],
  ['forget', async (args, io) => (await import('./verbs/data.ts')).forget(args, io)],
]);

/** SEC-27: the verbs whose exits the tests check. */
export const VERB_NAMES: readonly string[] = [...VERBS.keys()];

/** INST-3: these must work where no database can be opened. */
const WITHOUT_DATABASE: ReadonlySet<string> = new Set(['inspect', 'show', 'envelopes', 'completion', 'claude', 'hook']);

/** Runs one command line to its exit code. Any failure becomes one clear sentence and an exit code. */
export const run = async (argv: readonly string[], io: Io): Promise<number> => {
  const [first, ...rest] = argv;
  try {
    if (first === '--version' || first === '-v') return await print(io, `${VERSION}\n`);
    if (first === 'help' || first === '--help' || first === '-h') return await print(io, await help(rest));
    const isStart = first === undefined || first.startsWith('-');
    const verb = VERBS.get(isStart ? 'start' : first);
    if (verb === undefined) return await otherVerb(first ?? '', rest, io);
    // LAUNCH-1: what follows `claude` is claude's.
    const isOurs = first !== 'claude';
    if (isOurs && (rest.includes('--help') || rest.includes('-h'))) return await print(io, helpFor(first ?? 'start'));
    if (!WITHOUT_DATABASE.has(first ?? '')) await ready(io, first !== 'mcp');
    return await verb(isStart ? argv : rest, io);
  } catch (cause) {
    const { tell } = await import('./fault.ts');
    return tell(cause, io);
  }
};

/** The verbs of the registry. */
const otherVerb = async (first: string, rest: readonly string[], io: Io): Promise<number> => {
  const { isGroup, registryVerb } = await import('./verbs/registry.ts');
  if (isGroup(first)) {
    if (!rest.includes('--help') && !rest.includes('-h')) await ready(io, true);
    return registryVerb(first, rest, io);
  }
  const { groupsOf, meantBy } = await import('./registry/verbs.ts');
  throw new Refusal(2, `unknown command "${first}"${meantBy(first, [...VERB_NAMES, ...groupsOf()])}; \`yarnboard help\` lists them`);
};

/** An MCP client is a program that waits for an answer: it must not wait for a compiler. */
const ready = async (io: Io, mayBuild: boolean): Promise<void> => (await import('./sqlite/ready.ts')).readySqlite(io, { mayBuild });

const help = async (words: readonly string[]): Promise<string> => {
  const [first] = words;
  if (first === undefined) return HELP;
  return VERBS.has(first) ? helpFor(first) : ((await import('./verbs/registry.ts')).registryHelp(words) ?? helpFor(first));
};

const print = async (io: Io, text: string): Promise<ExitCode> => {
  await io.out(text);
  return 0;
};

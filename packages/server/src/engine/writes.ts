import { autoMergeConfigOf, isRoutineTask, normalType, parseRef, rowsOf, sidebarOf, type Board, type Command, type Sidebar } from '@yarnboard/domain';
import type { LogPort, Store } from '@yarnboard/store';
import * as z from 'zod';
import { SHELLS, writesFiles } from '../sessions/shell-commands.ts';

type NumberedRef = Parameters<LogPort['positionsOfRefs']>[0][number];

type Needs = Pick<Store, 'log' | 'library'>;

/** What is known about work that wrote files, in the sidebar of a command. */
export type Writes = { readonly sidebarId: string; readonly refs: readonly string[] };

/** AUTO-12: looked up only if it matters: for a merge that might need no approval, or is recorded as one that might have needed none. */
export const writesFor = async (store: Needs, board: Board, command: Command): Promise<Writes | null> => {
  if (command.type !== 'merge.check' && command.type !== 'sidebar.merge' && command.type !== 'sidebar.consolidate') return null;
  const sidebar = sidebarOf(board, command.sidebar);
  if (sidebar === null || !isRoutineTask(normalType(sidebar.taskType))) return null;
  if (command.type !== 'sidebar.merge' && !autoMergeConfigOf(board).isEnabled) return null;
  return { sidebarId: sidebar.id, refs: await writesIn(store, board, sidebar) };
};

/** Messages and exchanges cited by the findings, and sessions of seats, in which a tool wrote a file. */
export const writesIn = async ({ log, library }: Needs, board: Board, sidebar: Sidebar): Promise<readonly string[]> => {
  const refs = new Set(sidebar.scratchpad.findings.flatMap(({ sourceRefs }) => sourceRefs.map((ref) => citedBy(board, ref))));
  const cited = [...refs].flatMap((ref) => messageOf(ref) ?? []);
  const some = cited.slice(0, MOST_CITED);
  const places = some.length === 0 ? [] : await log.positionsOfRefs(some);
  const bytes = await log.payloadsOf(places.flatMap((position) => position ?? []));
  const found: string[] = [];
  const lines = { left: MOST_LINES };
  for (const [at, { type, number }] of some.entries()) {
    const position = places[at] ?? null;
    if (position === null) continue;
    if (wrote(bytes.get(position)) || (type === 'EXCH' && (await wroteInExchange(log, position, lines)))) found.push(`${type}-${number}`);
  }
  for (const run of rowsOf(board.seatRuns))
    if (run.sidebarId === sidebar.id && (await seatWrote({ log, library }, run.sessionId))) found.push(run.agent);
  // There is more than we check: somebody has to look.
  return [...found, ...cited.slice(MOST_CITED, MOST_CITED + 1).map(({ type, number }) => `${type}-${number}`)];
};

/** Of a long session, only a limited number of calls that may have written are read. */
const seatWrote = async ({ log, library }: Needs, sessionId: string): Promise<boolean> => {
  if ((await library.placesOfUses(sessionId, WRITERS, 1)).length > 0) return true;
  const commands = await library.placesOfUses(sessionId, [...SHELLS], MOST_COMMANDS + 1);
  if (commands.length > MOST_COMMANDS) return true;
  const bytes = await log.payloadsOf(commands);
  // The content of a forgotten call is unknown.
  return bytes.size < commands.length || [...bytes.values()].some(wrote);
};

/** What a citation points at; anything else stands for itself. */
const citedBy = (board: Board, ref: string): string => {
  const source = board.citations.get(board.ids.get(ref) ?? '')?.source;
  return source?.kind === 'reference' ? source.ref : ref;
};

const messageOf = (ref: string): NumberedRef | null => {
  const read = parseRef(ref);
  return read.ok && read.value.kind === 'numbered' && (read.value.type === 'MSG' || read.value.type === 'EXCH') ? read.value : null;
};

/**
 * An exchange is found by its prompt; its work follows, up to the next prompt. Everyone else waits in the meantime, so reading is limited, and if
 * there is too much, somebody has to look.
 */
const wroteInExchange = async (log: LogPort, position: number, lines: { left: number }): Promise<boolean> => {
  const [entry] = await log.entriesAt([position]);
  for (let from = position; entry !== undefined;) {
    if (lines.left <= 0) return true;
    const some = await log.linesOf(entry.sessionId, from, STEP);
    lines.left -= some.length;
    for (const { bytes } of some) {
      const text = bytes === null ? '' : Buffer.from(bytes).toString('utf8');
      if (PROMPT.test(text) && !text.includes('"tool_result"') && !text.includes('"isMeta":true')) return false;
      if (wroteIn(text)) return true;
    }
    const last = some.at(-1);
    if (last === undefined || some.length < STEP) return false;
    from = last.position;
  }
  return false;
};

const wrote = (bytes: Uint8Array | undefined): boolean => bytes !== undefined && wroteIn(Buffer.from(bytes).toString('utf8'));

/** Calls have the same names in every dialect. */
const wroteIn = (text: string): boolean => WRITING.test(text) || (RUNNING.test(text) && commandsIn(text).some(writesFiles));

/** The command lines in a record. */
const commandsIn = (text: string): readonly string[] => {
  const read = callsOfShells.safeParse(parsed(text));
  return (read.success ? read.data.message.content : []).flatMap((block) => {
    const call = shellCall.safeParse(block);
    const command = call.success && SHELLS.has(call.data.name) ? call.data.input.command : undefined;
    return command === undefined ? [] : [typeof command === 'string' ? command : command.join(' ')];
  });
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null; // not a record: it contains no calls
  }
};

const callsOfShells = z.looseObject({ message: z.looseObject({ content: z.array(z.unknown()) }) });
const shellCall = z.looseObject({ name: z.string(), input: z.looseObject({ command: z.union([z.string(), z.array(z.string())]) }) });

const WRITERS = ['Edit', 'MultiEdit', 'Write', 'NotebookEdit', 'apply_patch', 'str_replace_based_edit_tool'] as const;
const WRITING = new RegExp(`"name"\\s*:\\s*"(?:${WRITERS.join('|')})"`, 'u');
const RUNNING = new RegExp(`"name"\\s*:\\s*"(?:${[...SHELLS].join('|')})"`, 'u');
const PROMPT = /"type"\s*:\s*"user"/u;
const MOST_CITED = 500;
const STEP = 50;
const MOST_LINES = 5000;
const MOST_COMMANDS = 500;

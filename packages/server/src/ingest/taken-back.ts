import { draftOfDeed, ENTRY_TYPES } from '@yarnboard/domain';
import {
  contextIdOf,
  IN_TOOL,
  NOWHERE,
  recordOf,
  sha256,
  uuidFor,
  type Appended,
  type FileMark,
  type InTool,
  type Item,
  type LogPort,
} from '@yarnboard/store';
import { isConversation, jsonText, readEntry, type Entry } from '@yarnboard/transcript';
import { isWithin, type FoundFile } from './discover.ts';
import type { SourceFile } from './source.ts';
import { outsideOf } from './views.ts';

export type TakenBackOptions = {
  readonly log: LogPort;
  readonly now: () => number;
  readonly marks: () => ReadonlyMap<string, FileMark>;
  /** The files being read now, including those read for the first time. */
  readonly reading: () => readonly SourceFile[];
  readonly isArchived: (path: string) => boolean;
  /** Whether other machines read files onto this log, too: then only what this process has seen can be missed. */
  readonly isShared: boolean;
  readonly onCommit: (results: readonly Appended[]) => void;
};

/** Where files were looked for, and what of that could not be examined. */
export type Walk = { readonly files: readonly FoundFile[]; readonly roots: readonly string[]; readonly unreadable: readonly string[] };

/** BACK-3: notices what tools do to sessions that are on the log. What was read stays there; a later entry says that it was taken back. */
export type TakenBack = {
  /** All files below some roots were listed. Returns the paths that show a change of their sessions. */
  readonly walked: (walk: Walk) => readonly string[];
  /** A file is missing; its folder could be read. */
  readonly missed: (path: string) => void;
  /** A file was rewritten, and has these records now. */
  readonly rewritten: (file: SourceFile, uuids: ReadonlySet<string>) => Promise<void>;
  /** Logs what was found, as far as it still holds. */
  readonly tell: () => Promise<void>;
};

type Told = { readonly state: InTool; readonly times: number };

export const createTakenBack = async ({ log, now, marks, reading, isArchived, isShared, onCommit }: TakenBackOptions): Promise<TakenBack> => {
  const told = new Map<string, Told>();
  for (const { sessionId, note } of await log.entriesAt(await log.positionsOfType(ENTRY_TYPES.takenBack))) {
    const state = IN_TOOL.find((one) => one === note);
    if (state !== undefined) told.set(sessionId, { state, times: (told.get(sessionId)?.times ?? 0) + 1 });
  }
  const seen = new Set<string>();
  const differing = new Set<string>();
  let archived: ReadonlySet<string> = new Set();

  const say = async (sessionId: string, about: string, note: string, payload: object): Promise<void> => {
    const text = jsonText(payload);
    const draft = draftOfDeed({
      // Named after its content: after a crash before the next commit, it is logged again under the same name.
      uuid: uuidFor(`${ENTRY_TYPES.takenBack}|${sessionId}|${about}`),
      type: ENTRY_TYPES.takenBack,
      timestamp: now(),
      sender: 'system',
      senderType: 'system',
      sessionId,
      contextId: sessionId,
      contentLength: text.length,
      note,
    });
    const item: Item = { draft, payload: Buffer.from(text), reading: null };
    onCommit(await log.append({ items: [item], files: [] }));
  };

  const mainFiles = (): ReadonlyMap<string, readonly string[]> => {
    const paths = new Map<string, string[]>();
    for (const { path, sessionId, role } of marks().values()) {
      if (role !== 'main') continue;
      const known = paths.get(sessionId);
      if (known === undefined) paths.set(sessionId, [path]);
      else known.push(path);
    }
    return paths;
  };

  const walked: TakenBack['walked'] = ({ files, roots, unreadable }) => {
    const found = new Map(files.map((file) => [file.path, file]));
    for (const path of found.keys()) seen.add(path);
    archived = new Set([...archived].filter((path) => !isWithin(roots, path)));
    archived = new Set([...archived, ...files.filter((file) => file.isArchived === true).map(({ path }) => path)]);
    const changed: string[] = [];
    for (const [sessionId, paths] of mainFiles()) {
      const states = paths.map((path): InTool | null => {
        const file = found.get(path);
        if (file !== undefined) return file.isArchived === true ? 'archived' : 'there';
        // Without looking, nobody knows.
        return isWithin(roots, path) && !isWithin(unreadable, path) && (!isShared || seen.has(path)) ? 'deleted' : null;
      });
      const state = together(states);
      if (state === null || state === (told.get(sessionId)?.state ?? 'there')) continue;
      differing.add(sessionId);
      changed.push(...paths.slice(0, 1));
    }
    return changed;
  };

  const missed = (path: string): void => {
    const mark = marks().get(path);
    if (mark?.role === 'main' && (!isShared || seen.has(path))) differing.add(mark.sessionId);
  };

  // Checked again: the file may have been moved, and read at its new place.
  const stateNow = (path: string): InTool | null => {
    try {
      if (outsideOf(path) === null) return 'deleted';
      return archived.has(path) || isArchived(path) ? 'archived' : 'there';
    } catch {
      return null; // nobody can say
    }
  };

  const tell = async (): Promise<void> => {
    const paths = mainFiles();
    for (const sessionId of differing) {
      differing.delete(sessionId);
      const state = together((paths.get(sessionId) ?? []).map(stateNow));
      const known = told.get(sessionId) ?? { state: 'there', times: 0 };
      if (state === null || state === known.state) continue;
      await say(sessionId, `${state}|${known.times}`, state, { state });
      told.set(sessionId, { state, times: known.times + 1 });
    }
  };

  const rewritten: TakenBack['rewritten'] = async ({ path, context }, uuids) => {
    const contextId = contextIdOf(context);
    // Another file of the same conversation may still have them.
    const others = [
      ...marks().values(),
      ...reading().map((file) => ({ path: file.path, role: file.role, sessionId: file.context.sessionId, agentId: file.context.agentId })),
    ].filter(
      (other) => other.path !== path && other.sessionId === context.sessionId && other.agentId === context.agentId && other.role !== 'companion',
    );
    if (others.some((other) => stateNow(other.path) !== 'deleted')) return;
    const { said, withdrawn } = await onLog(log, context.sessionId, contextId);
    const gone = [...said].filter((uuid) => !uuids.has(uuid) && !withdrawn.has(uuid));
    const back = [...withdrawn].filter((uuid) => uuids.has(uuid));
    if (gone.length + back.length === 0) return;
    const about = sha256(Buffer.from(jsonText({ contextId, gone, back, times: withdrawn.size }))).toString('hex');
    await say(context.sessionId, about, 'rewritten', { contextId, gone, back });
  };

  return { walked, missed, rewritten, tell };
};

/** A session's state in its tool, derived from each of its files: the best of them counts; null if a possibly better one is unknown. */
const together = (states: readonly (InTool | null)[]): InTool | null => {
  if (states.includes('there')) return 'there';
  if (states.includes('archived')) return 'archived';
  return states.length === 0 || states.includes(null) ? null : 'deleted';
};

type OnLog = { readonly said: ReadonlySet<string>; readonly withdrawn: ReadonlySet<string> };

/** The logged records of a conversation that have text, and which of them were taken back already. */
const onLog = async (log: LogPort, sessionId: string, contextId: string): Promise<OnLog> => {
  const said = new Set<string>();
  const withdrawn = new Set<string>();
  for (let after = 0; ;) {
    const lines = await log.linesOf(sessionId, after, STEP);
    const last = lines.at(-1);
    if (last === undefined) return { said, withdrawn };
    after = last.position;
    for (const line of lines) {
      if (line.type === ENTRY_TYPES.takenBack) {
        const { gone, back } = withdrawalIn(line.bytes);
        for (const uuid of gone) withdrawn.add(uuid);
        for (const uuid of back) withdrawn.delete(uuid);
      }
      if (line.type !== ENTRY_TYPES.line || line.contextId !== contextId) continue;
      const record = line.bytes === null ? null : recordOf(line, line.bytes);
      const entry = record === null ? null : readEntry(record, NOWHERE);
      if (entry?.uuid != null && saysSomething(entry)) said.add(entry.uuid);
    }
  }
};

const saysSomething = ({ role, says, uses, results }: Entry): boolean =>
  isConversation(role) && (role === 'prompt' || says || uses.length > 0 || results.length > 0);

/** Which records an entry reports as gone, and which as back. */
export const withdrawalIn = (bytes: Uint8Array | null): { readonly gone: readonly string[]; readonly back: readonly string[] } => {
  const { gone, back } = recordOf({ note: null }, bytes) ?? {};
  return { gone: uuidsIn(gone), back: uuidsIn(back) };
};

const uuidsIn = (value: unknown): readonly string[] => (Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : []);

const STEP = 500;

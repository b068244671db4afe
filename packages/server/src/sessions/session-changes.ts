import { absolutePath } from '@yarnboard/store';
import {
  changesIn,
  isObject,
  linesChanged,
  mayChange,
  type FileChange,
  type Json,
  type JsonObject,
  type Node,
  type Session,
  type Show,
  type Thread,
  type ToolUse,
} from '@yarnboard/transcript';
import type { FlowRecords } from './flow-records.ts';
import { operationsIn } from './message-view.ts';
import { TURNS } from './turns.ts';

/** The outcome of a call: `open`: it wasn't answered yet, or never will be. */
export type Outcome = 'done' | 'failed' | 'rejected' | 'open';

/** CHANGE-1: one file that one call changed, or was meant to change. Its content is read again to be shown. */
export type Edit = {
  readonly node: Node;
  /** Which use of its record it is, and which file of that use. */
  readonly use: number;
  readonly nth: number;
  readonly tool: string;
  readonly path: string;
  readonly kind: FileChange['kind'];
  readonly basis: FileChange['basis'];
  readonly ref: string | null;
  readonly outcome: Outcome;
  readonly added: number;
  readonly removed: number;
};

export type SessionChanges = {
  /** In order of time. */
  readonly edits: readonly Edit[];
  /** Shell calls, whose changes are unknown. */
  readonly unknownCalls: number;
  /** Edits that a session repeats from the one it continues. */
  readonly copied: number;
};

type Opened = { readonly session: Session; readonly records: Pick<FlowRecords, 'records' | 'rows'> };

/** A call as the session stores it. */
type Call = { readonly node: Node; readonly index: number; readonly use: ToolUse };

type Kept = {
  readonly reached: Map<Thread, number>;
  edits: Edit[];
  /** Unanswered calls: they are checked again. */
  open: readonly Call[];
  unknownCalls: number;
  copied: number;
  /** The read in progress: concurrent callers wait for it. */
  work: Promise<void>;
};

const KEPT = new WeakMap<Session, Kept>();

/** CHANGE-4: every edit of a session and its sub-agents. Reads only what is new since the last query. */
export const changesOf = async (opened: Opened): Promise<SessionChanges> => {
  const { session } = opened;
  const kept = KEPT.get(session) ?? { reached: new Map(), edits: [], open: [], unknownCalls: 0, copied: 0, work: Promise.resolve() };
  KEPT.set(session, kept);
  const work = kept.work.then(() => bringUpToDate(opened, kept));
  kept.work = work.catch(() => {}); // the next one retries
  await work;
  return { edits: kept.edits, unknownCalls: kept.unknownCalls, copied: kept.copied };
};

const bringUpToDate = async (opened: Opened, kept: Kept): Promise<void> => {
  const { session } = opened;
  const threads = [session.main, session.inline, ...session.agents.values()];
  const reached = threads.map((thread) => [thread, thread.nodes.length] as const);
  const fresh: Call[] = [];
  let shells = 0;
  for (const [thread, end] of reached) {
    for (let at = kept.reached.get(thread) ?? 0; at < end; at += 1) {
      const node = thread.nodes[at];
      if (node === undefined) continue;
      for (const [index, use] of node.entry.uses.entries()) {
        if (SHELLS.has(use.name)) shells += 1;
        else if (mayChange(use.name)) fresh.push({ node, index, use });
      }
    }
    await TURNS.go();
  }
  const answered = kept.open.filter(({ use }) => session.results.has(use.id));
  if (fresh.length + answered.length > 0) {
    const isAnswered = new Set(answered);
    const told = new Set(answered.map(keyOf));
    const read = await readCalls(opened, [...answered, ...fresh]);
    const edits = [...kept.edits.filter((edit) => !told.has(keyOf({ node: edit.node, index: edit.use }))), ...read.edits];
    kept.edits = edits.toSorted((a, b) => timeOf(a) - timeOf(b) || a.node.index - b.node.index || a.use - b.use || a.nth - b.nth);
    kept.open = [...kept.open.filter((call) => !isAnswered.has(call)), ...fresh].filter(({ use }) => !session.results.has(use.id));
    kept.copied += read.copied;
  }
  kept.unknownCalls += shells;
  for (const [thread, end] of reached) kept.reached.set(thread, end);
};

const keyOf = ({ node, index }: Pick<Call, 'node' | 'index'>): string => `${node.uuid}#${index}`;

const timeOf = ({ node }: Edit): number => (Number.isFinite(node.entry.at) ? node.entry.at : 0);

const readCalls = async (opened: Opened, calls: readonly Call[]): Promise<{ readonly edits: readonly Edit[]; readonly copied: number }> => {
  const edits: Edit[] = [];
  let copied = 0;
  for (let at = 0; at < calls.length; at += AT_ONCE) {
    const part = calls.slice(at, at + AT_ONCE);
    const rows = await opened.records.rows([...new Set(part.map(({ node }) => node))]);
    const own = part.filter(({ node }) => rows.get(node)?.copyOf == null);
    copied += part.length - own.length;
    for (const { call, changes } of await changesOfCalls(opened, own)) {
      const { node, index, use } = call;
      const outcome = outcomeOf(opened.session, use);
      const ref = rows.get(node)?.ref ?? null;
      for (const [nth, change] of changes.entries()) {
        const { kind, basis } = change;
        const { added, removed } = linesChanged(change);
        const path = absolutePath(change.path, node.entry.cwd);
        edits.push({
          node,
          use: index,
          nth,
          tool: use.name,
          path,
          kind,
          basis,
          ref: ref === null ? null : `${ref}#${index + 1}`,
          outcome,
          added,
          removed,
        });
      }
    }
    await TURNS.go();
  }
  return { edits, copied };
};

const outcomeOf = (session: Session, { id }: ToolUse): Outcome => {
  const result = session.results.get(id)?.result;
  if (result === undefined) return 'open';
  if (result.answer === 'void') return 'rejected';
  return result.isError ? 'failed' : 'done';
};

type ReadCall = { readonly call: Call; readonly changes: readonly FileChange[] };

/** The changes made by calls, from their records and those of their answers, each parsed once. */
const changesOfCalls = async ({ session, records }: Opened, calls: readonly Call[], show?: Show): Promise<readonly ReadCall[]> => {
  const answers = calls.map(({ use }) => session.results.get(use.id)?.node);
  const read = await records.records([...new Set([...calls.map(({ node }) => node), ...answers.filter((node) => node !== undefined)])]);
  const inputs = new Map<Node, readonly Json[]>();
  const inputOf = ({ node, index }: Call): Json | undefined => {
    const record = read.get(node);
    if (record === undefined) return undefined;
    const known = inputs.get(node) ?? operationsIn(record).uses.map(({ input }) => input);
    inputs.set(node, known);
    return known[index];
  };
  return calls.map((call, at) => {
    const { use } = call;
    const answer = answers[at];
    const input = inputOf(call);
    // The session may still know the file of a forgotten call.
    if (input === undefined) return { call, changes: use.file === undefined ? [] : [forgotten(use.file.path)] };
    return { call, changes: changesIn(use.name, input, answer === undefined ? undefined : reportOf(read.get(answer), answer), show) };
  });
};

const forgotten = (path: string): FileChange => ({ path, kind: 'edited', basis: 'none', hunks: [], isEverywhere: false });

// If a record has several results, its data describes only one of them, and we can't tell which.
const reportOf = (record: JsonObject | undefined, { entry }: Node): Json | undefined =>
  record === undefined || entry.results.length !== 1 || !isObject(record) ? undefined : record['toolUseResult'];

/** The same edits with their changes, to be shown. */
export const changesAt = async (opened: Opened, edits: readonly Edit[], show: Show): Promise<ReadonlyMap<Edit, FileChange>> => {
  const calls = new Map<string, Call>();
  for (const { node, use: index } of edits) {
    const use = node.entry.uses[index];
    if (use !== undefined) calls.set(keyOf({ node, index }), { node, index, use });
  }
  const read = new Map((await changesOfCalls(opened, [...calls.values()], show)).map(({ call, changes }) => [keyOf(call), changes]));
  return new Map(
    edits.flatMap((edit) => {
      const change = read.get(keyOf({ node: edit.node, index: edit.use }))?.[edit.nth];
      return change === undefined ? [] : [[edit, change] as const];
    }),
  );
};

/** CHANGE-8: a shell command may change anything. */
export const SHELLS: ReadonlySet<string> = new Set(['Bash', 'PowerShell']);
const AT_ONCE = 100;

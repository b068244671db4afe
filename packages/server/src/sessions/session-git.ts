import { cutText } from '@yarnboard/domain';
import {
  gitDeedsIn,
  isObject,
  mayTellGit,
  type GitDeed,
  type Json,
  type JsonObject,
  type Node,
  type Session,
  type Thread,
  type ToolUse,
} from '@yarnboard/transcript';
import type { FlowRecords } from './flow-records.ts';
import { operationsIn } from './message-view.ts';
import { SHELLS } from './session-changes.ts';
import { TURNS } from './turns.ts';

/** A commit or a pull request, and the call that made it. */
export type PlacedDeed = { readonly deed: GitDeed; readonly node: Node; readonly use: number; readonly ref: string | null };

export type SessionGit = {
  /** The branches of the working copy, in the order of the calls made on them. */
  readonly branches: readonly string[];
  readonly deeds: readonly PlacedDeed[];
};

type Opened = { readonly session: Session; readonly records: Pick<FlowRecords, 'records' | 'rows'> };
type Call = { readonly node: Node; readonly index: number; readonly use: ToolUse };
type Kept = {
  readonly reached: Map<Thread, number>;
  readonly branches: Set<string>;
  readonly deeds: PlacedDeed[];
  /** Unanswered calls that may result in a commit or pull request. */
  open: readonly Call[];
  work: Promise<void>;
};

const KEPT = new WeakMap<Session, Kept>();

/** GIT-2: what a session and its sub-agents did with git. Only shell calls are read, each once. Calls copied from another session count there. */
export const gitOf = async (opened: Opened): Promise<SessionGit> => {
  const { session } = opened;
  const kept = KEPT.get(session) ?? { reached: new Map(), branches: new Set(), deeds: [], open: [], work: Promise.resolve() };
  KEPT.set(session, kept);
  const work = kept.work.then(() => bringUpToDate(opened, kept));
  kept.work = work.catch(() => {}); // the next call tries again
  await work;
  return { branches: [...kept.branches], deeds: kept.deeds };
};

const bringUpToDate = async (opened: Opened, kept: Kept): Promise<void> => {
  const { session, records } = opened;
  const threads = [session.main, session.inline, ...session.agents.values()];
  const reached = threads.map((thread) => [thread, thread.nodes.length] as const);
  const fresh = reached.flatMap(([thread, end]) =>
    thread.nodes
      .slice(kept.reached.get(thread) ?? 0, end)
      .flatMap((node) => node.entry.uses.flatMap((use, index): readonly Call[] => (SHELLS.has(use.name) ? [{ node, index, use }] : []))),
  );
  const found: PlacedDeed[] = [];
  const open: Call[] = [];
  const calls = [...kept.open, ...fresh].toSorted((a, b) => a.node.index - b.node.index);
  const branches = new Set<string>();
  for (let at = 0; at < calls.length; at += AT_ONCE) {
    const part = calls.slice(at, at + AT_ONCE);
    const asked = await records.records([...new Set(part.map(({ node }) => node))]);
    const telling = part.filter((call) => {
      const record = asked.get(call.node);
      if (typeof record?.['gitBranch'] === 'string' && record['gitBranch'] !== '') branches.add(record['gitBranch']);
      return mayTellGit(commandIn(record, call.index));
    });
    open.push(...telling.filter(({ use }) => !session.results.has(use.id)));
    const answered = telling.flatMap((call) => {
      const returned = session.results.get(call.use.id);
      return returned === undefined ? [] : [{ call, answer: returned.node }];
    });
    const [answers, rows] = await Promise.all([
      records.records([...new Set(answered.map(({ answer }) => answer))]),
      records.rows([...new Set(answered.map(({ call }) => call.node))]),
    ]);
    for (const { call, answer } of answered) {
      const { node, index, use } = call;
      const row = rows.get(node);
      if (row?.copyOf != null) continue;
      const ref = row?.ref == null ? null : `${row.ref}#${index + 1}`;
      const output = outputIn(answers.get(answer), answer, use.id);
      for (const deed of gitDeedsIn(commandIn(asked.get(node), index), output)) found.push({ deed: shownDeed(deed), node, use: index, ref });
    }
    await TURNS.go();
  }
  kept.deeds.push(...found);
  for (const branch of branches) kept.branches.add(branch);
  kept.open = open;
  for (const [thread, end] of reached) kept.reached.set(thread, end);
};

/** Cuts long subjects, but never inside a secret. */
const shownDeed = (deed: GitDeed): GitDeed => (deed.kind === 'commit' ? { ...deed, subject: cutText(deed.subject, LONGEST_SUBJECT) } : deed);

const commandIn = (record: JsonObject | undefined, index: number): string => {
  const input: Json = (record === undefined ? null : operationsIn(record).uses[index]?.input) ?? null;
  return isObject(input) && typeof input['command'] === 'string' ? input['command'] : '';
};

const outputIn = (record: JsonObject | undefined, { entry }: Node, toolUseId: string): string => {
  const nth = entry.results.findLastIndex((result) => result.toolUseId === toolUseId);
  return record === undefined ? '' : (operationsIn(record).results[nth]?.text ?? '');
};

const AT_ONCE = 100;
const LONGEST_SUBJECT = 1000;

import { degreesIn, type Counts, type Degrees, type Strings, type Tie } from '@yarnboard/domain';
import { contextIdOf, contextOf, type MessageRow, type OperationRow, type SessionRow, type Store, type TouchRow } from '@yarnboard/store';
import { nameOfRow } from './names.ts';

type Library = Store['library'];

/** A record of a session, or one of its calls (from 1). */
export type RecordNode = { readonly row: MessageRow; readonly part: number | null };

const derived = (from: string, kind: Tie['kind'], to: string, place: Pick<MessageRow, 'at' | 'position'>, note: string | null = null): Tie => ({
  from,
  to,
  kind,
  at: place.at,
  by: null,
  entry: place.position,
  how: 'derived',
  note,
});

/** TRACE-7: what a record is connected to: its parent and replies, its conversation, its copies, its calls and their results. */
export const stringsOfRecord = async (library: Library, { row, part }: RecordNode): Promise<Strings> => {
  const operations = await library.operationsAt(row.sessionId, [row.position]);
  return complete(part === null ? nameOfRow(row) : `${nameOfRow(row)}#${part}`, [
    ...(part === null ? await tiesOfRecord(library, row) : []),
    ...(await tiesOfCalls(library, row, operations, part)),
    ...(await library.touchesAt([row.position]))
      .filter(({ use }) => (part === null ? use === null : use === part - 1))
      .flatMap((touch) => tieOfTouch(touch, row)),
  ]);
};

/** TRACE-10: the string from a call to the file it touched, or from a record to what it mentions. */
const tieOfTouch = ({ use, kind, target, from, to }: TouchRow, row: MessageRow): readonly Tie[] => {
  const own = use === null ? nameOfRow(row) : `${nameOfRow(row)}#${use + 1}`;
  const lines = from === null ? null : to === null ? `from line ${from}` : from === to ? `line ${from}` : `lines ${from}–${to}`;
  return [derived(own, kind, target, row, lines)];
};

/** Touches of a file or mentions of a thing, newest first, under any of its names; the first is its main name. */
export const stringsOfTarget = async (library: Library, names: readonly [string, ...string[]], { most, before }: Page): Promise<Strings> => {
  const touches = await library.touchesOf(names, { limit: most, ...(before === undefined ? {} : { before }) });
  const rows = await library.messagesAt(touches.map(({ position }) => position));
  const counts = await library.touchCounts(names);
  const ties = touches.flatMap((touch) => {
    const row = rows.get(touch.position);
    return row === undefined ? [] : tieOfTouch({ ...touch, target: names[0] }, row);
  });
  return { ties, degrees: { in: counts, out: {} } };
};

/** Part of a long list: up to `most` items before a position. */
export type Page = { readonly most: number; readonly before?: number };

const tiesOfRecord = async (library: Library, row: MessageRow): Promise<readonly Tie[]> => {
  const own = nameOfRow(row);
  const parent = row.parentUuid === null ? null : await library.messageByUuid(row.parentUuid, row.sessionId);
  const children = await library.childrenOf(row.sessionId, row.uuid, MOST_CHILDREN);
  const original = row.copyOf === null ? null : await library.messageAt(row.copyOf);
  return [
    ...(parent === null ? [] : [derived(own, 'answers', nameOfRow(parent), row)]),
    // The uuid may belong to a different record.
    ...((await library.messageByUuid(row.uuid, row.sessionId))?.position === row.position
      ? children.map((child) => derived(nameOfRow(child), 'answers', own, child))
      : []),
    derived(own, 'part-of', contextIdOf(row), row),
    ...(row.exchange === null ? [] : [derived(own, 'opens', `EXCH-${row.exchange}`, row)]),
    ...(original === null ? [] : [derived(own, 'copy-of', nameOfRow(original), row)]),
    ...(row.copyOf === null ? await library.copiesOf(row.uuid, MOST_CHILDREN) : [])
      .filter(({ copyOf }) => copyOf === row.position)
      .map((copy) => derived(nameOfRow(copy), 'copy-of', own, copy)),
  ];
};

/** The calls in a record and the results it contains; or one of its calls with its results. */
const tiesOfCalls = async (library: Library, row: MessageRow, operations: readonly OperationRow[], part: number | null): Promise<readonly Tie[]> => {
  const own = nameOfRow(row);
  const others = await library.messagesAt(operations.map(({ position }) => position));
  const uses = operations.filter(({ kind, position }) => kind === 'use' && position === row.position && row.copyOf === null);
  if (part !== null) {
    const use = uses.find(({ index }) => index === part - 1);
    if (use === undefined) return [];
    const call = `${own}#${part}`;
    const results = operations.filter(({ kind, toolUseId }) => kind === 'result' && toolUseId !== '' && toolUseId === use.toolUseId);
    const started = use.toolUseId === '' ? [] : await library.callsOf(row.sessionId, { toolUseIds: [use.toolUseId] });
    return [
      ...started.map((agent) => derived(call, 'started', contextIdOf(agent), use)),
      derived(own, 'used', call, use, use.name),
      ...results.flatMap(({ position, at }) => {
        const other = others.get(position);
        return other === undefined || other.copyOf !== null ? [] : [derived(nameOfRow(other), 'result-of', call, { at, position })];
      }),
    ];
  }
  const results = row.copyOf === null ? operations.filter(({ kind, position }) => kind === 'result' && position === row.position) : [];
  return [
    ...uses.map((use) => derived(own, 'used', `${own}#${use.index + 1}`, use, use.name)),
    ...results.flatMap(({ toolUseId, at, position }) => {
      const use = toolUseId === '' ? undefined : operations.find((one) => one.kind === 'use' && one.toolUseId === toolUseId);
      const holder = use === undefined ? undefined : others.get(use.position);
      return use === undefined || holder === undefined || holder.copyOf !== null
        ? []
        : [derived(own, 'result-of', `${nameOfRow(holder)}#${use.index + 1}`, { at, position })];
    }),
  ];
};

/** A session's strings: its newest messages, its sub-agents, and the session it continues. */
export const stringsOfSession = async (library: Library, session: SessionRow, { most, before }: Page): Promise<Strings> => {
  const { sessionId } = session;
  const messages = await library.latest({ sessionId, thread: { kind: 'main' }, limit: most, ...(before === undefined ? {} : { before }) });
  const successors = await library.sessionsById(await library.successorsOf(sessionId, MOST_CHILDREN));
  const agents = await library.agents(sessionId);
  const others: readonly Tie[] = [
    ...agents.map((agent) => derived(contextIdOf(agent), 'part-of', sessionId, { at: agent.firstAt ?? 0, position: agent.firstPosition })),
    ...[session, ...successors.values()].filter((one) => one === session || one.continues?.sessionId === sessionId).flatMap(continuing),
  ];
  return listed(sessionId, messages, others, session.messages + session.copied - sum(agents.map((one) => one.messages + one.copied)));
};

/** The session that this one continues. */
const continuing = ({ sessionId, continues, firstAt, firstPosition }: SessionRow): readonly Tie[] =>
  continues === null
    ? []
    : [derived(sessionId, continues.by === 'fork' ? 'forks' : 'resumes', continues.sessionId, { at: firstAt ?? 0, position: firstPosition })];

/** A sub-agent's strings: its newest messages, and its session. */
export const stringsOfAgent = async (library: Library, contextId: string, { most, before }: Page): Promise<Strings | null> => {
  const { sessionId, agentId } = contextOf(contextId);
  const agent = agentId === null ? undefined : (await library.agents(sessionId)).find((one) => one.agentId === agentId);
  if (agent === undefined || agentId === null) return null;
  const messages = await library.latest({ sessionId, thread: { kind: 'agent', agentId }, limit: most, ...(before === undefined ? {} : { before }) });
  const starts = await startsOf(library, sessionId, agentId);
  const others = [...starts, derived(contextId, 'part-of', sessionId, { at: agent.firstAt ?? 0, position: agent.firstPosition })];
  return listed(contextId, messages, others, agent.messages + agent.copied);
};

/** The calls that started or continued a sub-agent. */
const startsOf = async (library: Library, sessionId: string, agentId: string): Promise<readonly Tie[]> => {
  const calls = await library.callsOf(sessionId, { agentId });
  const uses = await library.usesOf(
    sessionId,
    calls.map(({ toolUseId }) => toolUseId),
  );
  const rows = await library.messagesAt(uses.map(({ position }) => position));
  return uses.flatMap((use) => {
    const row = rows.get(use.position);
    return row === undefined || row.copyOf !== null
      ? []
      : [derived(`${nameOfRow(row)}#${use.index + 1}`, 'started', contextIdOf({ sessionId, agentId }), use)];
  });
};

const listed = (node: string, messages: readonly MessageRow[], others: readonly Tie[], count: number): Strings => {
  const degrees = degreesIn(node, others);
  const holds = Math.max(count, messages.length) + (degrees.in['part-of'] ?? 0);
  return {
    ties: [...others, ...messages.map((row) => derived(nameOfRow(row), 'part-of', node, row))].toSorted((a, b) => b.entry - a.entry),
    degrees: { ...degrees, in: withCount(degrees.in, holds) },
  };
};

const withCount = (counts: Counts, holds: number): Counts => (holds === 0 ? counts : { ...counts, 'part-of': holds });

const complete = (node: string, ties: readonly Tie[]): Strings => ({
  ties: ties.toSorted((a, b) => b.entry - a.entry),
  degrees: degreesIn(node, ties) satisfies Degrees,
});

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

const MOST_CHILDREN = 500;

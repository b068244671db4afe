import { degreesIn, type Counts, type Degrees, type Strings, type Tie } from '@yarnboard/domain';
import { contextIdOf, contextOf, type MessageRow, type OperationRow, type SessionRow, type Store } from '@yarnboard/store';
import { nameOfRow } from './names.ts';

type Library = Store['library'];

/** A record of a session, or one of the calls in it (from 1). */
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

/** TRACE-7: what a record hangs together with: what it answers and what answers it, its conversation, its copies, its calls and their results. */
export const stringsOfRecord = async (library: Library, { row, part }: RecordNode): Promise<Strings> => {
  const operations = await library.operationsAt(row.sessionId, [row.position]);
  return complete(part === null ? nameOfRow(row) : `${nameOfRow(row)}#${part}`, [
    ...(part === null ? await tiesOfRecord(library, row) : []),
    ...(await tiesOfCalls(library, row, operations, part)),
  ]);
};

const tiesOfRecord = async (library: Library, row: MessageRow): Promise<readonly Tie[]> => {
  const own = nameOfRow(row);
  const parent = row.parentUuid === null ? null : await library.messageByUuid(row.parentUuid, row.sessionId);
  const children = await library.childrenOf(row.sessionId, row.uuid, MOST_CHILDREN);
  const original = row.copyOf === null ? null : await library.messageAt(row.copyOf);
  return [
    ...(parent === null ? [] : [derived(own, 'answers', nameOfRow(parent), row)]),
    // Another record of the same uuid may be the one that is meant.
    ...((await library.messageByUuid(row.uuid, row.sessionId))?.position === row.position
      ? children.map((child) => derived(nameOfRow(child), 'answers', own, child))
      : []),
    derived(own, 'part-of', contextIdOf(row), row),
    ...(row.exchange === null ? [] : [derived(own, 'opens', `EXCH-${row.exchange}`, row)]),
    ...(original === null ? [] : [derived(own, 'copy-of', nameOfRow(original), row)]),
  ];
};

/** The calls in a record, whose results it has; or one of its calls with what came back. */
const tiesOfCalls = async (library: Library, row: MessageRow, operations: readonly OperationRow[], part: number | null): Promise<readonly Tie[]> => {
  const own = nameOfRow(row);
  const others = await library.messagesAt(operations.map(({ position }) => position));
  const uses = operations.filter(({ kind, position }) => kind === 'use' && position === row.position && row.copyOf === null);
  if (part !== null) {
    const use = uses.find(({ index }) => index === part - 1);
    if (use === undefined) return [];
    const call = `${own}#${part}`;
    const results = operations.filter(({ kind, toolUseId }) => kind === 'result' && toolUseId !== '' && toolUseId === use.toolUseId);
    return [
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

/** A session: the newest of what it holds, its sub-agents, and what it goes on from. */
export const stringsOfSession = async (library: Library, session: SessionRow, most: number): Promise<Strings> => {
  const { sessionId, continues } = session;
  const messages = await library.latest({ sessionId, thread: { kind: 'main' }, limit: most });
  const agents = await library.agents(sessionId);
  const place = { at: session.firstAt ?? 0, position: session.firstPosition };
  const others: readonly Tie[] = [
    ...agents.map((agent) => derived(contextIdOf(agent), 'part-of', sessionId, { at: agent.firstAt ?? 0, position: agent.firstPosition })),
    ...(continues === null ? [] : [derived(sessionId, continues.by === 'fork' ? 'forks' : 'resumes', continues.sessionId, place)]),
  ];
  return listed(sessionId, messages, others, session.messages + session.copied - sum(agents.map((one) => one.messages + one.copied)));
};

/** A sub-agent: the newest of what it said, and the session it worked in. */
export const stringsOfAgent = async (library: Library, contextId: string, most: number): Promise<Strings | null> => {
  const { sessionId, agentId } = contextOf(contextId);
  const agent = agentId === null ? undefined : (await library.agents(sessionId)).find((one) => one.agentId === agentId);
  if (agent === undefined || agentId === null) return null;
  const messages = await library.latest({ sessionId, thread: { kind: 'agent', agentId }, limit: most });
  const others = [derived(contextId, 'part-of', sessionId, { at: agent.firstAt ?? 0, position: agent.firstPosition })];
  return listed(contextId, messages, others, agent.messages + agent.copied);
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

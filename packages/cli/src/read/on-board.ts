import { existsSync } from 'node:fs';
import { reworded, type OperationName, type OutputOf, type Problem } from '@yarnboard/protocol';
import type { Said, Talk } from '@yarnboard/transcript';
import { glanceAt, type Glance } from '../board/glance.ts';
import { noBoard, type Place } from '../board/place.ts';
import type { Io } from '../io.ts';
import { printSidebar } from '../print/sidebar.ts';
import { Refusal } from '../refusal.ts';

/** Something on the board, ready for any format: as a conversation, or as its data. */
export type Shown = { readonly talk: Talk; readonly data: object };

/**
 * A reference that `show` takes besides sessions: a sidebar, a message, an exchange; in either case (upper or lower), unless a file has that name.
 */
export const shownRef = (wanted: string): string | null =>
  /^(?:SB|MSG|EXCH)-\d+$/iu.test(wanted) && !existsSync(wanted) ? wanted.toUpperCase() : null;

/** CLI-32: a sidebar with its conversation, or a merge or another message with its place. */
export const readOnBoard = async (ref: string, reveal: boolean, place: Place, io: Io): Promise<Shown> => {
  const shown = await glanceAt(place, io, (glance) => (ref.startsWith('SB-') ? sidebarIn(glance, ref) : messageIn(glance, ref, reveal)));
  if (shown !== null) return shown;
  throw await noBoard(place, `, so nothing is called ${ref}; \`yarnboard import\` or \`yarnboard start\` makes one`);
};

const sidebarIn = async (glance: Glance, ref: string): Promise<Shown> => {
  const sidebar = await answerOf(glance, 'sidebar', { sidebar_id: ref });
  const messages: OutputOf<'sidebar_memory'>['items'][number][] = [];
  for (let cursor: string | undefined; ;) {
    const page = await answerOf(glance, 'sidebar_memory', { sidebar_id: ref, limit: 500, cursor });
    messages.push(...page.items);
    if (page.next_cursor === null) break;
    cursor = page.next_cursor;
  }
  const [head = '', ...facts] = printSidebar(sidebar).trimEnd().split('\n');
  return {
    talk: { title: head, facts, items: messages.map(saidOf) },
    data: { version: 1, sidebar, messages },
  };
};

const saidOf = ({
  ref,
  seq,
  exchange_id: exchange,
  timestamp,
  sender,
  sender_type: type,
  content,
}: OutputOf<'sidebar_memory'>['items'][number]): Said => ({
  id: ref ?? String(seq),
  head: headOf([sender, ref ?? `entry ${seq}`, exchange, timestamp]),
  text: content,
  kind: type === 'human' || type === 'agent' ? type : 'system',
});

const messageIn = async (glance: Glance, ref: string, reveal: boolean): Promise<Shown> => {
  const found = await answerOf(glance, 'reference', { ref, ...(reveal ? { reveal } : {}) });
  const { message } = found;
  if (message === null) throw new Refusal(3, `${ref} is not a message; \`yarnboard search\` finds messages`);
  const merged = message.type === 'memory.merged' ? await mergedIn(glance, message.session_id, message.uuid) : null;
  const head = headOf([found.created_by, message.ref, message.exchange, message.timestamp]);
  const facts = [
    `in ${found.created_in}`,
    ...(merged === null ? [] : [`merged from ${merged.sidebar_id}, behind ${merged.after_uuid ?? 'nothing'}`]),
    ...(merged === null || merged.findings.length === 0 ? [] : [`findings: ${merged.findings.join(', ')}`]),
  ];
  const item: Said = { id: message.uuid, head, text: message.content, kind: merged === null ? message.actor : 'merged' };
  return { talk: { title: message.ref ?? ref, facts, items: [item] }, data: { version: 1, message, merged } };
};

type PlacedExchange = OutputOf<'merges'>['items'][number];

/** Where a merge is; null if that is a sidebar, which has no records to follow. */
const mergedIn = async (glance: Glance, sessionId: string, uuid: string): Promise<PlacedExchange | null> => {
  for (let cursor: string | undefined; ;) {
    const answered = await glance.ask('merges', { id: sessionId, limit: 500, cursor });
    if (!answered.isDone) return null;
    const { items, next_cursor: next } = answered.answer as OutputOf<'merges'>; // the same registry produced it
    const found = items.find((one) => one.uuid === uuid);
    if (found !== undefined) return found;
    if (next === null) return null;
    cursor = next;
  }
};

/** A session as the board writes it, if its files can't be found; null if the board doesn't know it, either. */
export const sessionOnBoard = (id: string, format: string, through: string | undefined, place: Place, io: Io): Promise<string | null> =>
  glanceAt(place, io, async ({ fetch }) => {
    const query = new URLSearchParams({ format, ...(through === undefined ? {} : { through }) });
    const response = await fetch(`/downloads/sessions/${encodeURIComponent(id)}?${query.toString()}`);
    if (response.ok) return response.text();
    const problem = (await response.json()) as Problem; // every failure is a problem document
    if (problem.code === 'not-found' && through === undefined) return null;
    throw new Refusal(3, problem.detail);
  });

const answerOf = async <N extends OperationName>({ ask }: Glance, name: N, input: Parameters<Glance['ask']>[1]): Promise<OutputOf<N>> => {
  const answered = await ask(name, input);
  if (answered.isDone) return answered.answer as OutputOf<N>; // the same registry produced it
  throw new Refusal(3, reworded(answered.problem, answered.problem.detail, 'terminal', name));
};

const headOf = (facts: readonly (string | null)[]): string =>
  facts.flatMap((fact) => (fact === null ? [] : [/^\d{4}-\d\d-\d\dT/u.test(fact) ? fact.slice(0, 19).replace('T', ' ') : fact])).join('  ');

import { posix } from 'node:path';
import { ENTRY_TYPES, maskSecrets } from '@yarnboard/domain';
import type { Store } from '@yarnboard/store';
import { DIALECTS, pricesOf, titleOf, type Node, type Session } from '@yarnboard/transcript';
import { logRecords } from '../sessions/log-records.ts';
import { documentOf, DOCUMENT_FORMATS, type DocumentFormat, type DocumentSource } from '../sessions/session-document.ts';
import { mergedIn, type MergedNeeds } from './merged-exchanges.ts';
import { findSession, type SessionReading } from './request/find-session.ts';
import { Refused } from './request/refusal.ts';

export type Download = { readonly fileName: string; readonly type: string; readonly pieces: AsyncGenerator<string, void, undefined> };

export type DownloadWish = {
  readonly id: string;
  readonly format: string | undefined;
  /** The uuid of a record on the branch to export; defaults to the active branch. */
  readonly through: string | undefined;
};

export type DownloadNeeds = SessionReading & MergedNeeds & { readonly now: () => number };

/** PAGE-203: a session as a file, written while it is read. If it is refused, then before the first piece. */
export const downloadSession = async (needs: DownloadNeeds, { id, format: wanted, through }: DownloadWish): Promise<Download> => {
  const format = DOCUMENT_FORMATS.find((one) => one === wanted);
  if (format === undefined) throw new Refused('bad-request', `a session can be written as ${DOCUMENT_FORMATS.join(', ')}`);
  const source = await sourceOf(needs, id);
  const node = through === undefined ? undefined : nodeIn(source.session, through);
  const { createMarkdown } = await import('../sessions/markdown.ts');
  return {
    fileName: `${slugOf(source.title, source.session.id)}.${format === 'text' ? 'txt' : format}`,
    type: TYPES[format],
    pieces: documentOf(source, {
      format,
      now: needs.now(),
      prices: pricesOf(DIALECTS),
      markdown: createMarkdown(),
      ...(node === undefined ? {} : { through: node }),
    }),
  };
};

const sourceOf = async (needs: DownloadNeeds, id: string): Promise<DocumentSource> => {
  const found = await findSession(needs, id);
  if (found.kind === 'imported') {
    const { sessionId, title, project } = found.row;
    const { session } = await needs.sessions.load(sessionId);
    return {
      session,
      title,
      project,
      records: logRecords(needs.store.log, sessionId).records,
      output: savedOutputs(needs.store, sessionId),
      merged: await mergedIn(needs, sessionId),
    };
  }
  const reading = await needs.sessions.loadPending(found.pending);
  return {
    session: reading.session,
    title: titleOf(reading.session),
    project: found.pending.outline.project,
    records: reading.records.records,
    // Until the session is on the log, only the output inside the record itself is available.
    output: async () => null,
    merged: await mergedIn(needs, reading.session.id),
  };
};

/** Tool outputs saved on the log beside a session's records. The first request looks up all their positions. */
const savedOutputs = ({ log, library }: Pick<Store, 'log' | 'library'>, sessionId: string): DocumentSource['output'] => {
  let places: Promise<ReadonlyMap<string, number>> | null = null;
  const find = async (): Promise<ReadonlyMap<string, number>> => {
    const found = new Map<string, number>();
    for (let at = 0; ;) {
      const entries = await log.entriesAt(await library.positionsOf(sessionId, at, ENTRIES_AT_ONCE));
      const last = entries.at(-1);
      if (last === undefined) return found;
      // If an output changed, the last version counts.
      for (const { type, note, position } of entries) if (type === ENTRY_TYPES.companion) found.set(posix.basename(note ?? ''), position);
      at = last.position;
    }
  };
  return async (savedAs) => {
    const position = (await (places ??= find())).get(savedAs);
    const bytes = position === undefined ? undefined : (await log.payloadsOf([position])).get(position);
    return bytes === undefined ? null : Buffer.from(bytes).toString('utf8');
  };
};

const nodeIn = (session: Session, uuid: string): Node => {
  const node = session.graph.nodes.get(uuid);
  if (node === undefined || node.thread.kind !== 'main')
    throw new Refused('not-found', `the main thread of session ${session.id} has no record ${uuid}`);
  return node;
};

/** A file name that works everywhere: the first words of the title and the start of the id. */
const slugOf = (title: string | null, sessionId: string): string => {
  const words = maskSecrets(title ?? 'session')
    .text.normalize('NFKD')
    .toLowerCase();
  const slug = words
    .replaceAll(/[^a-z0-9]+/gu, '-')
    .slice(0, MOST_SLUG)
    .replaceAll(/^-+|-+$/gu, '');
  return `${slug === '' ? 'session' : slug}-${sessionId.replaceAll(/[^0-9A-Za-z]/gu, '').slice(0, 8)}`;
};

const ENTRIES_AT_ONCE = 500;
const MOST_SLUG = 48;
const TYPES = {
  html: 'text/html; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  json: 'application/json',
  text: 'text/plain; charset=utf-8',
} as const satisfies Record<DocumentFormat, string>;

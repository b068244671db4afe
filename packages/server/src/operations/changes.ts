import { maskSecrets } from '@yarnboard/domain';
import type { InputOf } from '@yarnboard/protocol';
import { absolutePath, contextOf, type MessageRow, type OperationRow, type TouchRow } from '@yarnboard/store';
import { changesIn, linesChanged, linesOfChange, type FileChange, type JsonObject, type Show } from '@yarnboard/transcript';
import { recordsAt } from '../sessions/log-records.ts';
import { operationsIn } from '../sessions/message-view.ts';
import { changesAt, changesOf, type Edit, type Outcome, type SessionChanges } from '../sessions/session-changes.ts';
import { gitOf, type PlacedDeed } from '../sessions/session-git.ts';
import type { LoadedSession } from '../sessions/session-loader.ts';
import { timeOf } from '../sessions/session-view.ts';
import type { Answer } from './request/answer.ts';
import { pageOf, readCursor, writeCursor } from './request/cursor.ts';
import { placeOfSession, type SessionReading } from './request/find-session.ts';
import { Refused, refusedFor } from './request/refusal.ts';

type EditView = Awaited<Answer<'changes'>>['items'][number];

/** Every file that a session changed, most recently changed first. */
export const listChangedFiles = async (needs: SessionReading, input: InputOf<'changed_files'>): Answer<'changed_files'> => {
  const { edits, unknownCalls, copied } = await changesOf(await opened(needs, input.id));
  const all = filesIn(edits);
  const { items, nextCursor } = pageOf(all, input.limit, input.cursor);
  const sum = (key: 'edits' | 'failed' | 'open' | 'added' | 'removed'): number => all.reduce((total, one) => total + one[key], 0);
  return {
    items,
    files: all.length,
    edits: sum('edits'),
    failed: sum('failed'),
    open: sum('open'),
    added: sum('added'),
    removed: sum('removed'),
    copied,
    unknownCalls,
    nextCursor,
  };
};

type FileView = Awaited<Answer<'changed_files'>>['items'][number];

const filesIn = (edits: readonly Edit[]): readonly FileView[] => {
  const files = new Map<string, { -readonly [K in keyof FileView]: FileView[K] } & { readonly by: Set<string> }>();
  for (const { path, outcome, kind, basis, added, removed, node } of edits) {
    const at = timeOf(Number.isFinite(node.entry.at) ? node.entry.at : null);
    const file = files.get(path) ?? {
      path,
      edits: 0,
      failed: 0,
      open: 0,
      added: 0,
      removed: 0,
      isPartial: false,
      created: false,
      agents: 0,
      firstAt: at,
      lastAt: at,
      by: new Set(),
    };
    // Re-inserted, so that the most recently changed file is last; the list is reversed at the end.
    files.delete(path);
    files.set(path, file);
    file.lastAt = at ?? file.lastAt;
    if (node.thread.agentId !== null) file.by.add(node.thread.agentId);
    if (outcome === 'open') file.open += 1;
    else if (outcome !== 'done') file.failed += 1;
    else {
      file.edits += 1;
      file.added += added;
      file.removed += removed;
      file.isPartial ||= basis === 'after' || basis === 'none';
      file.created ||= kind === 'created';
    }
  }
  return [...files.values()].reverse().map(({ by, ...file }) => ({ ...file, agents: by.size }));
};

/** GIT-2: branches, commits and pull requests of a session. */
export const showGit = async (needs: SessionReading, input: InputOf<'session_git'>): Answer<'session_git'> => {
  const session = await opened(needs, input.id);
  const { branches, deeds } = await gitOf(session);
  const madeAt = ({ node, use, ref }: PlacedDeed) => ({
    uuid: `${node.uuid}_tool_${use}`,
    ref,
    agentId: node.thread.agentId,
    at: timeOf(Number.isFinite(node.entry.at) ? node.entry.at : null),
  });
  return {
    sessionId: session.session.id,
    branches: branches.slice(0, MOST_BRANCHES),
    commits: deeds
      .flatMap((one) =>
        one.deed.kind === 'commit' ? [{ ...madeAt(one), hash: one.deed.hash, branch: one.deed.branch, subject: one.deed.subject }] : [],
      )
      .slice(-MOST_DEEDS),
    pullRequests: deeds
      .flatMap((one) => (one.deed.kind === 'pull-request' ? [{ ...madeAt(one), url: one.deed.url, number: one.deed.number }] : []))
      .slice(-MOST_DEEDS),
  };
};

/** All edits of a session in order, page by page. */
export const listChanges = async (needs: SessionReading, input: InputOf<'changes'>): Answer<'changes'> => {
  const session = await opened(needs, input.id);
  const wanted = editsFor(await changesOf(session), input);
  const { from } = readCursor<{ from: number }>(input.cursor, (value) => Number.isSafeInteger(value.from) && Number(value.from) >= 0) ?? { from: 0 };
  const show = showing(input.reveal);
  const items: EditView[] = [];
  let room = MOST_CHARACTERS;
  let next = from;
  for (; next < wanted.length && items.length < input.limit && room > 0; next += STEP) {
    const step = wanted.slice(next, Math.min(next + STEP, from + input.limit));
    const changes = await changesAt(session, step, show);
    for (const [n, edit] of step.entries()) {
      const { node, use, nth, tool, path, ref, outcome } = edit;
      const about = {
        uuid: `${node.uuid}_tool_${use}`,
        part: nth,
        ref,
        sessionId: session.session.id,
        sessionTitle: null,
        agentId: node.thread.agentId,
        tool,
        path,
        outcome,
        at: timeOf(Number.isFinite(node.entry.at) ? node.entry.at : null),
      };
      const view = editView(about, changes.get(edit) ?? NOTHING_KNOWN, input);
      items.push(view);
      room -= sizeOf(view);
      if (room <= 0) return { items, nextCursor: next + n + 1 < wanted.length ? writeCursor({ from: next + n + 1 }) : null };
    }
  }
  const end = from + items.length;
  return { items, nextCursor: end < wanted.length ? writeCursor({ from: end }) : null };
};

const NOTHING_KNOWN: FileChange = { path: '', kind: 'edited', basis: 'none', hunks: [], isEverywhere: false };

const editsFor = ({ edits }: SessionChanges, { file, thread, edit }: Pick<InputOf<'changes'>, 'file' | 'thread' | 'edit'>): readonly Edit[] => {
  if (edit !== undefined) {
    const own = edits.filter(({ ref, node, use }) => ref === edit || `${node.uuid}_tool_${use}` === edit);
    if (own.length === 0) throw new Refused('not-found', `this session has no edit "${edit.slice(0, 200)}"; list its changes to see which there are`);
    return own;
  }
  const ofThread = thread === 'all' ? edits : edits.filter(({ node }) => (node.thread.agentId ?? 'main') === thread);
  if (file === undefined) return ofThread;
  const exact = ofThread.filter(({ path }) => path === file);
  if (exact.length > 0) return exact;
  const ending = `/${file.replace(/^(?:\.?\/)+/u, '')}`;
  return ofThread.filter(({ path }) => path.endsWith(ending));
};

/** CHANGE-7: every edit of a file on the log, latest first. The library finds them without reading the sessions. */
export const listFileHistory = async (needs: SessionReading, input: InputOf<'file_history'>): Answer<'file_history'> => {
  const { store } = needs;
  const path = await pathMeant(needs, input.path);
  const cursor = readCursor<{ before: number }>(input.cursor, ({ before }) => Number.isSafeInteger(before) && Number(before) >= 0);
  const items: EditView[] = [];
  const show = showing(input.reveal);
  let room = MOST_CHARACTERS;
  let before = cursor?.before;
  for (let isMore = true; isMore;) {
    const found = await store.library.touchesOf([path], { limit: TOUCHES, ...(before === undefined ? {} : { before }) });
    isMore = found.length === TOUCHES;
    // The limit may have cut off the last record's touches, so fetch that record again, unless it is the only one.
    const last = found.at(-1)?.position;
    const whole = isMore && found[0]?.position !== last ? found.filter(({ position }) => position !== last) : found;
    const byRecord = groupedBy(
      whole.filter(({ kind }) => kind === 'edited' || kind === 'wrote'),
      ({ position }) => position,
    );
    for (const touches of inSteps([...byRecord.values()], STEP)) {
      for (const group of await historyViews(needs, touches, path, show, input)) {
        items.push(...group.views);
        room -= group.views.reduce((sum, view) => sum + sizeOf(view), 0);
        if (items.length >= input.limit || room <= 0) {
          const more = isMore || group.position !== [...byRecord.keys()].at(-1);
          return { items, nextCursor: more ? writeCursor({ before: group.position }) : null };
        }
      }
    }
    before = whole.at(-1)?.position;
  }
  return { items, nextCursor: null };
};

const pathMeant = async ({ store: { library } }: SessionReading, asked: string): Promise<string> => {
  if ((await library.touchesOf([asked], { limit: 1 })).length > 0) return asked;
  const paths = await library.pathsLike(asked, MOST_NAMED);
  const [only] = paths;
  if (only === undefined) throw refusedFor('file-untouched', { asked: asked.slice(0, 200) });
  if (paths.length > 1) throw refusedFor('several-to-trace', { asked: asked.slice(0, 200), refs: paths });
  return only;
};

type HistoryGroup = { readonly position: number; readonly views: readonly EditView[] };

const historyViews = async (
  { store: { library, log } }: SessionReading,
  groups: readonly (readonly TouchRow[])[],
  path: string,
  show: Show,
  wish: Wish,
): Promise<readonly HistoryGroup[]> => {
  const positions = groups.flatMap(([first]) => (first === undefined ? [] : [first.position]));
  const rows = await library.messagesAt(positions);
  const sessions = await library.sessionsById([...new Set([...rows.values()].map(({ sessionId }) => sessionId))]);
  const results = new Map<string, OperationRow>();
  for (const [sessionId, own] of groupedBy(rows.values(), (row) => row.sessionId)) {
    const halves = await library.operationsAt(
      sessionId,
      own.map(({ position }) => position),
    );
    for (const one of halves) {
      const key = `${sessionId} ${one.toolUseId}`;
      if (one.kind === 'result' && (results.get(key)?.answer ?? 'stub') !== 'answer') results.set(key, one);
    }
  }
  const records = await recordsAt(log, [...positions, ...[...results.values()].map(({ position }) => position)]);
  return groups.flatMap((touches): readonly HistoryGroup[] => {
    const row = rows.get(touches[0]?.position ?? -1);
    if (row === undefined) return [];
    const record = records.get(row.position);
    const uses = record === undefined ? [] : operationsIn(record).uses;
    const views = touches.flatMap(({ use, kind }): readonly EditView[] => {
      const called = use === null ? undefined : uses[use];
      const result = called === undefined ? undefined : results.get(`${row.sessionId} ${called.id}`);
      const report = result === undefined ? undefined : reportOf(records.get(result.position));
      const change =
        called === undefined
          ? undefined
          : changesIn(called.name, called.input, report, show).find((one) => absolutePath(one.path, cwdOf(record)) === path);
      const fallback: FileChange = { ...NOTHING_KNOWN, kind: kind === 'wrote' ? 'written' : 'edited' };
      return [
        editView(
          aboutTouch(row, use ?? 0, called?.name ?? '', path, outcomeOf(result), sessions.get(row.sessionId)?.title ?? null),
          change ?? fallback,
          wish,
        ),
      ];
    });
    return [{ position: row.position, views: views.toReversed() }];
  });
};

const cwdOf = (record: JsonObject | undefined): string | null => (typeof record?.['cwd'] === 'string' ? record['cwd'] : null);

const reportOf = (record: JsonObject | undefined) =>
  record !== undefined && operationsIn(record).results.length === 1 ? record['toolUseResult'] : undefined;

const outcomeOf = (result: OperationRow | undefined): Outcome => {
  if (result === undefined) return 'open';
  if (result.answer === 'void') return 'rejected';
  return result.isError ? 'failed' : 'done';
};

type About = Pick<EditView, 'uuid' | 'part' | 'ref' | 'sessionId' | 'sessionTitle' | 'agentId' | 'tool' | 'path' | 'outcome' | 'at'>;

const aboutTouch = (row: MessageRow, use: number, tool: string, path: string, outcome: Outcome, sessionTitle: string | null): About => ({
  uuid: `${row.uuid}_tool_${use}`,
  part: 0,
  ref: row.number === null ? null : `MSG-${row.number}#${use + 1}`,
  sessionId: row.sessionId,
  sessionTitle,
  agentId: row.agentId ?? contextOf(row.sessionId).agentId,
  tool,
  path,
  outcome,
  at: timeOf(row.at),
});

type Wish = { readonly lines: number; readonly lines_from: number };

/** CHANGE-5: an edit with some of its lines; very long lines are cut. */
const editView = (about: About, change: FileChange, { lines, lines_from: linesFrom }: Wish): EditView => {
  const { added, removed, lines: linesTotal } = linesChanged(change);
  return {
    ...about,
    kind: change.kind,
    basis: change.basis,
    everywhere: change.isEverywhere,
    added,
    removed,
    linesFrom,
    linesTotal,
    hunks: linesOfChange(change.hunks, linesFrom, lines).map((hunk) => ({ ...hunk, lines: hunk.lines.map(cutLine) })),
  };
};

// The whole text was masked before, so cutting can't expose a secret.
const cutLine = (line: string): string => (line.length <= LONGEST_LINE ? line : `${line.slice(0, LONGEST_LINE).replace(/[\ud800-\udbff]$/u, '')}…`);

const sizeOf = ({ hunks }: EditView): number => hunks.reduce((sum, hunk) => hunk.lines.reduce((all, line) => all + line.length, sum), LEAST);

/** CHANGE-6: mask a whole text before taking it apart. */
const showing =
  (isRevealed: boolean): Show =>
  (text) =>
    isRevealed ? text : maskSecrets(text).text;

const opened = async (needs: SessionReading, wanted: string): Promise<Pick<LoadedSession, 'session' | 'records'>> => {
  const found = await placeOfSession(needs, wanted);
  if (found.kind === 'kept') return needs.sessions.load(found.sessionId);
  return found.kind === 'pending' ? needs.sessions.loadPending(found.pending) : needs.sessions.load(found.row.sessionId);
};

const groupedBy = <T, K>(all: Iterable<T>, keyOf: (one: T) => K): ReadonlyMap<K, readonly T[]> => {
  const groups = new Map<K, T[]>();
  for (const one of all) {
    const group = groups.get(keyOf(one));
    if (group === undefined) groups.set(keyOf(one), [one]);
    else group.push(one);
  }
  return groups;
};

function* inSteps<T>(all: readonly T[], size: number): Generator<readonly T[], void, undefined> {
  for (let at = 0; at < all.length; at += size) yield all.slice(at, at + size);
}

/** A page is limited by the size of its diffs, not their number. */
const MOST_CHARACTERS = 250_000;
const LONGEST_LINE = 2000;
const LEAST = 400;
const STEP = 10;
const TOUCHES = 200;
const MOST_BRANCHES = 100;
const MOST_DEEDS = 500;
const MOST_NAMED = 6;

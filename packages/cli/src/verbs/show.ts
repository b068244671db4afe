import { existsSync, realpathSync } from 'node:fs';
import { encodeShowHead, encodeShowStep } from '@yarnboard/protocol';
import {
  classifyFile,
  projectOf,
  reconstruct,
  renderHtml,
  renderMarkdown,
  renderTalk,
  renderText,
  SIDECHAIN_PLACES,
  titleOf,
  type OffPathReason,
  type PriceTable,
  type Reconstruction,
  type Session,
  type Source,
} from '@yarnboard/transcript';
import { reasonOf } from '@yarnboard/server/entrance';
import { createMarkdown } from '@yarnboard/server/markdown';
import type { ExitCode, Io } from '../io.ts';
import { oneOf, pricesFrom, readOptions } from '../options.ts';
import { transcriptHomes, demoFolder } from '../places.ts';
import { placeOf, type BoardChoice } from '../board/place.ts';
import { exitFor, type Exit } from '../print/exit.ts';
import { writeFile } from '../print/file.ts';
import { toJson } from '../print/json.ts';
import { findSession, lookForSession } from '../read/find.ts';
import { openContent } from '../read/content.ts';
import { mergedOf } from '../read/merged.ts';
import { readOnBoard, sessionOnBoard, shownRef } from '../read/on-board.ts';
import { Refusal } from '../refusal.ts';

const FORMATS = ['text', 'md', 'html', 'json'] as const;

/** `yarnboard show`: a session as a conversation; or a sidebar, or a merge. */
export const show = async (args: readonly string[], io: Io): Promise<ExitCode> => {
  const { values, positionals } = readOptions('show', args, {
    format: { type: 'string', default: 'text' },
    branch: { type: 'string' },
    sidechains: { type: 'string', default: 'inline' },
    all: { type: 'boolean', default: false },
    in: { type: 'string' },
    db: { type: 'string' },
    demo: { type: 'boolean', default: false },
    output: { type: 'string' },
    reveal: { type: 'boolean', default: false },
    prices: { type: 'string' },
  });
  const format = oneOf('format', values.format, FORMATS);
  const sidechains = oneOf('sidechains', values.sidechains, SIDECHAIN_PLACES);
  const prices = pricesFrom(values.prices, io.dialects);
  const exit = exitFor(values.reveal);
  const [wanted, ...others] = positionals;
  if (wanted === undefined || others.length > 0)
    throw new Refusal(2, 'show takes one session id, path, sidebar or message; `yarnboard inspect` lists sessions');
  const ref = shownRef(wanted);
  if (ref !== null) {
    if (values.branch !== undefined) throw new Refusal(2, `--branch is for sessions; ${ref} has no branches`);
    if (values.reveal && !/^(?:MSG|EXCH)-/u.test(ref))
      throw new Refusal(2, `--reveal is for sessions and messages; show the messages of ${ref} one by one`);
    const { talk, data } = await readOnBoard(ref, values.reveal, placeOf(values, io), io);
    await writeAll(format === 'json' ? [`${toJson(data)}\n`] : renderTalk(talk, format, { markdown: createMarkdown() }), values.output, io);
    return 0;
  }
  if (values.in !== undefined && !existsSync(values.in)) throw new Refusal(3, `there is no folder "${values.in}"`);
  // A path needs no search.
  const roots = values.in !== undefined ? [values.in] : wanted === '-' || existsSync(wanted) ? [] : rootsOf(values, io);
  const group = lookForSession(wanted, roots, io.dialects);
  if (group === null) {
    const written = values.in === undefined ? await sessionOnBoard(wanted, format, values.branch, placeOf(values, io), io) : null;
    if (written === null) findSession(wanted, roots, io.dialects);
    else if (values.reveal)
      throw new Refusal(3, `--reveal needs the files of ${wanted}, which are not here; \`yarnboard export --reveal\` writes them`);
    else if (values.all || sidechains !== 'inline') throw new Refusal(3, `--all and --sidechains need the files of ${wanted}, which are not here`);
    else await writeAll([written], values.output, io);
    return 0;
  }
  const content = openContent(group, io.dialects);
  try {
    const { session } = content;
    const through = values.branch === undefined ? undefined : session.graph.nodes.get(values.branch);
    if (values.branch !== undefined && through === undefined) throw new Refusal(3, `session ${session.id} has no record ${values.branch}`);
    if (through !== undefined && through.thread.kind !== 'main')
      throw new Refusal(3, `record ${through.uuid} stands in a sub-agent's conversation, which has no branches`);
    const merged = await mergedOf(values, session.id, io);
    const { role: named } = classifyFile(io.dialects, wanted);
    const reconstruction = reconstruct(session, {
      sidechains,
      all: values.all,
      now: io.now(),
      merged,
      ...(through === undefined ? {} : { through }),
      ...(named.role === 'agent' ? { only: named.agentId } : {}),
    });
    const source: Source = {
      session,
      title: exit.data(titleOf(session)),
      project: exit.data(projectOf(session)),
      recordOf: (node) => exit.data(content.recordOf(node)),
      outputOf: (savedAs) => exit.data(content.outputOf(savedAs)),
    };
    refuseOwnFile(values.output, session);
    await writeAll(pieces(format, source, reconstruction, prices, exit), values.output, io);
  } finally {
    content.close();
  }
  return 0;
};

/** The folders to search, including those the server watches. Unreadable settings don't prevent reading a file. */
const rootsOf = (choice: BoardChoice, io: Io): readonly string[] => {
  try {
    return placeOf(choice, io).roots;
  } catch (cause) {
    io.err(`yarnboard: ${reasonOf(cause)}\n`);
    return choice.demo === true ? [demoFolder(io)] : transcriptHomes(io);
  }
};

function* pieces(
  format: (typeof FORMATS)[number],
  source: Source,
  reconstruction: Reconstruction,
  prices: PriceTable,
  exit: Exit,
): Generator<string, void, undefined> {
  switch (format) {
    case 'text':
      yield* leaving(renderText(source, reconstruction), exit);
      return;
    case 'md':
      yield* leaving(renderMarkdown(source, reconstruction), exit);
      return;
    case 'html':
      yield* leaving(renderHtml(source, reconstruction, { markdown: createMarkdown() }), exit);
      return;
    case 'json':
      yield* jsonPieces(source, reconstruction, prices, exit);
  }
}

/** Records arrive without their secrets; names and headings lose them here. */
function* leaving(texts: Iterable<string>, exit: Exit): Generator<string, void, undefined> {
  for (const text of texts) yield exit.text(text);
}

function* jsonPieces(source: Source, reconstruction: Reconstruction, prices: PriceTable, exit: Exit): Generator<string, void, undefined> {
  const context = { source, reconstruction, prices };
  yield `${toJson(exit.data(encodeShowHead(context))).slice(0, -1)},"messages":[`;
  let separator = '';
  let offPath: OffPathReason | null = null;
  for (const step of reconstruction.steps()) {
    if (step.kind === 'apart') offPath = step.stretch.reason;
    const message = encodeShowStep(context, step, offPath);
    if (message === null) continue;
    yield `${separator}\n${toJson(exit.data(message))}`;
    separator = ',';
  }
  yield '\n]}\n';
}

// The transcript may be the only copy.
const refuseOwnFile = (output: string | undefined, session: Session): void => {
  if (output === undefined || !existsSync(output)) return;
  const target = realpathSync(output);
  const own = [...session.files.map((file) => file.path), ...session.companions].filter((path) => existsSync(path));
  if (own.some((path) => realpathSync(path) === target)) throw new Refusal(2, `--output ${output} is a file of the session itself`);
};

const writeAll = async (texts: Iterable<string>, path: string | undefined, io: Io): Promise<void> => {
  if (path === undefined) for (const batch of batches(texts)) if (!(await io.out(batch))) return;
  if (path !== undefined) writeFile(path, batches(texts));
};

// One write per message would be slow, a single write would fill the memory.
function* batches(texts: Iterable<string>): Generator<string, void, undefined> {
  let batch = '';
  for (const text of texts) {
    batch += text;
    if (batch.length < 65_536) continue;
    yield batch;
    batch = '';
  }
  if (batch !== '') yield batch;
}

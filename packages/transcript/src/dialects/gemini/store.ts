import type { Access, KeptEnds, KeptSessions } from '../../dialect.ts';
import { isObject, listOf, objectOf, parseJson, stringOf, type JsonObject } from '../../json.ts';
import { isChat, projectFolderOf } from './files.ts';
import { folderHashed } from './folder.ts';
import { replay } from './replay.ts';

/** GEM-3: reads a chat as a whole, and turns it into lines that only ever grow. */
export const geminiStore: KeptSessions = {
  sessionsIn: () => null, // each is a file of its own
  holds: isChat,
  lookAt: (path, access) => access.look(path),
  linesIn: (path, access) => {
    const text = access.text(path) ?? '';
    const read = path.endsWith('.json') ? documentIn(text) : changesIn(text);
    if (read.changes === null) return { lines: null, problem: read.problem };
    const problems = [read.problem, access.isText(path) ? null : 'some bytes are not UTF-8 text and are shown as \ufffd'];
    const lines = read.changes.length === 0 ? [] : replay(read.changes, folderOf(path, access));
    return { lines, problem: problems.filter((problem) => problem !== null).join('; ') || null };
  },
  endsOf: (path, access) => (path.endsWith('.json') ? endsOfDocument(path, access) : endsOfChanges(path, access)),
  concerns: () => false,
};

const endsOfDocument = (path: string, access: Access): KeptEnds | null => {
  const { changes } = documentIn(access.text(path) ?? '');
  if (changes === null || changes.length === 0) return null;
  return { first: replay(changes.slice(0, SOME), folderOf(path, access)), last: replay(changes.slice(-SOME), null) };
};

// A piece ends and begins somewhere in a line, which is left out.
const endsOfChanges = (path: string, access: Access): KeptEnds | null => {
  const first = access.piece(path, HEAD) ?? '';
  const { changes } = changesIn(first.slice(0, first.lastIndexOf('\n') + 1));
  if (changes === null || changes.length === 0) return null;
  const last = access.piece(path, -TAIL) ?? '';
  const ended = changesIn(last.slice(last.indexOf('\n') + 1));
  return { first: replay(changes, folderOf(path, access)), last: replay(ended.changes ?? [], null) };
};

type Changes = { readonly changes: readonly JsonObject[]; readonly problem: string | null } | { readonly changes: null; readonly problem: string };

/** A document as the changes that build it. While it is being written it is incomplete for a moment, which says nothing about its earlier content. */
const documentIn = (text: string): Changes => {
  if (text.trim() === '') return { changes: [], problem: null };
  const document = objectOf(parseJson(text));
  if (document === null) return { changes: null, problem: 'it is not a JSON document: cut off, damaged, or being written just now' };
  const { messages, summary, lastUpdated: _lastUpdated, ...header } = document;
  const said = listOf(messages).map((message) => (isObject(message) ? message : { unreadable: message }));
  const odd = messages === undefined || Array.isArray(messages) ? [] : [{ unreadable: messages }];
  return { changes: [header, ...(stringOf(summary) === null ? [] : [{ $set: { summary } }]), ...said, ...odd], problem: null };
};

// The last line may still be incomplete.
const changesIn = (text: string): Changes => {
  const lines = text.split('\n');
  let problem: string | null = null;
  const changes = lines.flatMap((line, i) => {
    if (line.trim() === '') return [];
    const value = parseJson(line);
    if (isObject(value)) return [value];
    if (i < lines.length - 1) return [{ unreadable: line }];
    problem = 'its last line is cut off';
    return [];
  });
  return { changes, problem };
};

/** GEM-4: the folder of a chat, which no chat names itself. */
const folderOf = (path: string, access: Access): string | null => {
  const folder = projectFolderOf(path);
  const root = access.text(`${folder}/.project_root`)?.trim() ?? '';
  if (root !== '') return root;
  const [home = '', project = ''] = folder.split(/[/\\]tmp[/\\]/u);
  const projects = objectOf(objectOf(parseJson(access.text(`${home}/projects.json`) ?? ''))?.['projects'] ?? undefined) ?? {};
  return Object.keys(projects).find((at) => projects[at] === project) ?? folderHashed(project, Object.keys(projects));
};

const HEAD = 64 * 1024;
const TAIL = 16 * 1024;
/** In changes. */
const SOME = 16;

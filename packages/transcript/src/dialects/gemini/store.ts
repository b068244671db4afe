import type { Access, KeptEnds, KeptLines, KeptSessions } from '../../dialect.ts';
import { isObject, listOf, objectOf, parseJson, stringOf, type JsonObject } from '../../json.ts';
import { isChat, projectFolderOf } from './files.ts';
import { folderHashed } from './folder.ts';
import { replay } from './replay.ts';

/** GEM-3: reads a chat as a whole, and turns it into lines that only ever grow. */
export const geminiStore: KeptSessions = {
  sessionsIn: () => null, // each is a file of its own
  holds: isChat,
  lookAt: (path, access) => access.look(path),
  linesIn: (path, access) => (path.endsWith('.json') ? linesOfDocument(path, access) : linesOfChanges(path, access)),
  endsOf: (path, access) => (path.endsWith('.json') ? endsOfDocument(path, access) : endsOfChanges(path, access)),
  concerns: () => false,
};

const linesOfDocument = (path: string, access: Access): KeptLines => {
  const text = access.text(path) ?? '';
  const { changes, problem } = documentIn(text);
  if (changes === null) return { lines: null, problem };
  // Bytes can only have been replaced where this is in it.
  const isText = !text.includes('\ufffd') || access.isText(path);
  return { lines: replay(changes, folderOf(path, access)), problem: isText ? null : NOT_TEXT };
};

const linesOfChanges = (path: string, access: Access): KeptLines => {
  const found = access.lines(path);
  if (found === null) return { lines: [], problem: null };
  const rest = isObject(parseJson(found.rest)) ? [found.rest] : [];
  const problems = [found.rest.trim() === '' || rest.length > 0 ? null : 'its last line is cut off', found.isText ? null : NOT_TEXT];
  return {
    lines: replay(changesIn(found.complete, rest), folderOf(path, access)),
    problem: problems.filter((problem) => problem !== null).join('; ') || null,
  };
};

const endsOfDocument = (path: string, access: Access): KeptEnds | null => {
  const { changes } = documentIn(access.text(path) ?? '');
  if (changes === null || changes.length === 0) return null;
  return { first: replay(changes.slice(0, SOME), folderOf(path, access)), last: replay(changes.slice(-SOME), null) };
};

// A piece ends and begins somewhere in a line, which is left out.
const endsOfChanges = (path: string, access: Access): KeptEnds | null => {
  const first = (access.piece(path, HEAD) ?? '').split('\n').slice(0, -1);
  if (first.every((line) => line.trim() === '')) return null;
  const last = (access.piece(path, -TAIL) ?? '').split('\n').slice(1);
  return { first: replay(changesIn(first), folderOf(path, access)), last: replay(changesIn(last), null) };
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

function* changesIn(...parts: readonly Iterable<string>[]): Generator<JsonObject, void, void> {
  for (const lines of parts) {
    for (const line of lines) {
      const value = parseJson(line);
      if (isObject(value)) yield value;
      else if (line.trim() !== '') yield { unreadable: line };
    }
  }
}

/** GEM-4: the folder of a chat, which no chat names itself. */
const folderOf = (path: string, access: Access): string | null => {
  const folder = projectFolderOf(path);
  const root = access.text(`${folder}/.project_root`)?.trim() ?? '';
  if (root !== '') return root;
  const [home = '', project = ''] = folder.split(/[/\\]tmp[/\\]/u);
  const projects = objectOf(objectOf(parseJson(access.text(`${home}/projects.json`) ?? ''))?.['projects'] ?? undefined) ?? {};
  return Object.keys(projects).find((at) => projects[at] === project) ?? folderHashed(project, Object.keys(projects));
};

const NOT_TEXT = 'some bytes are not UTF-8 text and are shown as \ufffd';
const HEAD = 32 * 1024;
const TAIL = 16 * 1024;
/** In changes. */
const SOME = 16;

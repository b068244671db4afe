import type { Access, KeptSessions } from '../../dialect.ts';
import { isObject, listOf, objectOf, parseJson, stringOf, type JsonObject } from '../../json.ts';
import { isChat, projectFolderOf } from './files.ts';
import { replay } from './replay.ts';

/** GEM-3: a chat is read as a whole, and told by what was added to it. */
export const geminiStore: KeptSessions = {
  sessionsIn: () => null, // each is a file of its own
  holds: isChat,
  lookAt: (path, access) => access.look(path),
  linesIn: (path, access) => {
    const text = access.text(path) ?? '';
    const changes = path.endsWith('.json') ? changesIn(objectOf(parseJson(text))) : linesIn(text);
    return changes.length === 0 ? [] : replay(changes, folderOf(path, access));
  },
  concerns: () => false,
};

/** A document as the changes that lead to it. */
const changesIn = (document: JsonObject | null): readonly JsonObject[] => {
  if (document === null) return [];
  const { messages, summary, lastUpdated: _lastUpdated, ...header } = document;
  const said = listOf(messages).map((message) => (isObject(message) ? message : { unreadable: message }));
  return [header, ...(stringOf(summary) === null ? [] : [{ $set: { summary } }]), ...said];
};

// The last line may be half a line still.
const linesIn = (text: string): readonly JsonObject[] => {
  const lines = text.split('\n');
  return lines.flatMap((line, i) => {
    if (line.trim() === '') return [];
    const value = parseJson(line);
    return isObject(value) ? [value] : i === lines.length - 1 ? [] : [{ unreadable: line }];
  });
};

/** GEM-4: where a chat was had: no chat says so itself. */
const folderOf = (path: string, access: Access): string | null => {
  const folder = projectFolderOf(path);
  const root = access.text(`${folder}/.project_root`)?.trim() ?? '';
  if (root !== '') return root;
  const [home = '', project = ''] = folder.split(/[/\\]tmp[/\\]/u);
  const projects = objectOf(objectOf(parseJson(access.text(`${home}/projects.json`) ?? ''))?.['projects'] ?? undefined) ?? {};
  return Object.keys(projects).find((at) => projects[at] === project) ?? null;
};

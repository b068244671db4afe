import type { JsonObject } from '../../json.ts';

/** A patch as the edit it makes, if it creates or changes one file. Null for any other patch, which is shown as it is. */
export const editOf = (patch: string): { readonly name: string; readonly input: JsonObject } | null => {
  const lines = patch.trim().split('\n');
  if (lines[0]?.trim() !== '*** Begin Patch' || lines.at(-1)?.trim() !== '*** End Patch') return null;
  const [head = '', ...body] = lines.slice(1, -1);
  if (body.some((line) => line.startsWith('*** ') && line !== '*** End of File')) return null;
  const added = /^\*\*\* Add File: (.+)$/u.exec(head)?.[1];
  if (added !== undefined) {
    return { name: 'Write', input: { file_path: added, content: body.map((line) => `${line.replace(/^\+/u, '')}\n`).join('') } };
  }
  const changed = /^\*\*\* Update File: (.+)$/u.exec(head)?.[1];
  if (changed === undefined) return null;
  const edits = hunksIn(body);
  const [only] = edits;
  if (only === undefined) return null;
  return edits.length === 1 ? { name: 'Edit', input: { file_path: changed, ...only } } : { name: 'MultiEdit', input: { file_path: changed, edits } };
};

const hunksIn = (lines: readonly string[]): readonly JsonObject[] => {
  const hunks: { before: string[]; after: string[] }[] = [];
  for (const line of lines) {
    if (line.startsWith('@@') || hunks.length === 0) hunks.push({ before: [], after: [] });
    const hunk = hunks.at(-1);
    if (line.startsWith('@@') || line.startsWith('*** ') || hunk === undefined) continue;
    if (!line.startsWith('+')) hunk.before.push(line.slice(1));
    if (!line.startsWith('-')) hunk.after.push(line.slice(1));
  }
  return hunks.map(({ before, after }) => ({ old_string: before.join('\n'), new_string: after.join('\n') }));
};

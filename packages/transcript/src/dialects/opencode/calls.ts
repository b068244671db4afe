import { listOf, objectOf, stringOf, type JsonObject } from '../../json.ts';

/** OPEN-7: the model's calls, under the tool names that everything downstream knows. */
export const toolUseOf = (row: JsonObject): { readonly id: string; readonly name: string; readonly input: JsonObject } => {
  const id = stringOf(row['callID']) ?? stringOf(row['id']) ?? '';
  const given = objectOf(objectOf(row['state'])?.['input']) ?? {};
  const tool = stringOf(row['tool']) ?? '';
  // When the model calls a tool that doesn't exist, opencode calls its tool `invalid` instead, which names the missing one.
  const missing = tool === 'invalid' ? stringOf(given['tool']) : null;
  return { id, ...known(missing ?? tool, given) };
};

const known = (name: string, input: JsonObject): { readonly name: string; readonly input: JsonObject } => {
  const { filePath, ...rest } = input;
  const file = filePath === undefined ? {} : { file_path: filePath };
  switch (name) {
    case 'bash':
      return { name: 'Bash', input };
    case 'read':
      return { name: 'Read', input: { ...file, ...rest } };
    case 'write':
      return { name: 'Write', input: { ...file, ...rest } };
    case 'edit':
      return { name: 'Edit', input: { ...file, ...editOf(rest) } };
    case 'multiedit':
      return { name: 'MultiEdit', input: { ...file, ...rest, edits: listOf(rest['edits']).map((edit) => editOf(objectOf(edit) ?? {})) } };
    case 'glob':
      return { name: 'Glob', input };
    case 'grep':
      return { name: 'Grep', input };
    case 'list':
      return { name: 'LS', input };
    case 'webfetch':
      return { name: 'WebFetch', input };
    case 'websearch':
      return { name: 'WebSearch', input };
    case 'todowrite':
      return { name: 'TodoWrite', input };
    case 'task':
      return { name: 'Agent', input };
    default:
      return { name, input };
  }
};

const editOf = ({ oldString, newString, replaceAll, ...rest }: JsonObject): JsonObject => ({
  ...(oldString === undefined ? {} : { old_string: oldString }),
  ...(newString === undefined ? {} : { new_string: newString }),
  ...(replaceAll === undefined ? {} : { replace_all: replaceAll }),
  ...rest,
});

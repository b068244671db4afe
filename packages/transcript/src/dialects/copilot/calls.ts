import type { JsonObject } from '../../json.ts';

/** COPI-4: the model's calls, under the tool names that everything downstream knows. */
export const toolUseOf = (name: string, input: JsonObject): { readonly name: string; readonly input: JsonObject } => {
  const { path, file_text: text, old_str: before, new_str: after, agent_type: kind, ...rest } = input;
  const file = path === undefined ? {} : { file_path: path };
  switch (name) {
    case 'bash':
      return { name: 'Bash', input };
    case 'view':
      return { name: 'Read', input: { ...file, ...rest } };
    case 'create':
      return { name: 'Write', input: { ...file, ...(text === undefined ? {} : { content: text }), ...rest } };
    case 'edit':
    case 'str_replace':
      return {
        name: 'Edit',
        input: { ...file, ...(before === undefined ? {} : { old_string: before }), ...(after === undefined ? {} : { new_string: after }), ...rest },
      };
    case 'task':
      return { name: 'Agent', input: { ...(kind === undefined ? {} : { subagent_type: kind }), ...rest } };
    case 'grep':
      return { name: 'Grep', input };
    case 'glob':
      return { name: 'Glob', input };
    case 'web_fetch':
      return { name: 'WebFetch', input };
    case 'web_search':
      return { name: 'WebSearch', input };
    default:
      return { name, input };
  }
};

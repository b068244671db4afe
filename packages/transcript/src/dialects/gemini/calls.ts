import { listOf, objectOf, stringOf, type JsonObject } from '../../json.ts';

/** GEM-6: the model's calls, under the tool names that everything downstream knows. Qwen Code, which began as a fork, shares many of them. */
export const toolUseOf = (name: string, input: JsonObject): { readonly name: string; readonly input: JsonObject } => {
  switch (name) {
    case 'run_shell_command':
      return { name: 'Bash', input };
    case 'read_file': {
      const { absolute_path: path, ...rest } = input;
      return { name: 'Read', input: path === undefined ? input : { file_path: path, ...rest } };
    }
    case 'write_file':
      return { name: 'Write', input };
    case 'replace':
    case 'edit':
      return { name: 'Edit', input };
    case 'list_directory':
      return { name: 'LS', input };
    case 'glob':
      return { name: 'Glob', input };
    case 'search_file_content':
    case 'grep_search':
      return { name: 'Grep', input };
    case 'web_fetch':
      return { name: 'WebFetch', input };
    case 'google_web_search':
    case 'web_search':
      return { name: 'WebSearch', input };
    case 'write_todos':
    case 'todo_write':
      return {
        name: 'TodoWrite',
        input: {
          ...input,
          todos: listOf(input['todos']).flatMap((todo) => {
            const { description, content, ...rest } = objectOf(todo) ?? {};
            return [{ content: description ?? content ?? '', ...rest }];
          }),
        },
      };
    case 'invoke_agent':
    case 'agent':
    case 'task': {
      const { agent_name: agent, ...rest } = input;
      return { name: 'Agent', input: agent === undefined ? input : { subagent_type: agent, ...rest } };
    }
    case 'codebase_investigator':
      return { name: 'Agent', input: { subagent_type: name, prompt: stringOf(input['objective']) ?? '', ...input } };
    default:
      return { name, input };
  }
};

/** GEM-6: around 0.35 each sub-agent is a tool of its own, with any name and any input; the description of the call gives it away. */
export const delegationOf = (description: string, name: string, input: JsonObject): { readonly name: string; readonly input: JsonObject } | null => {
  if (!description.startsWith('Delegating to agent ')) return null;
  const [key, prompt] = Object.entries(input).find(([, value]) => typeof value === 'string') ?? ['prompt', ''];
  const { [key]: _prompt, ...rest } = input;
  return { name: 'Agent', input: { subagent_type: name, prompt: prompt ?? '', ...rest } };
};

/** GEM-7: a command has failed if it exited with a code other than 0, which only its text says. */
export const exitIn = (text: string): number | null => {
  if (!text.includes('Exit Code: ')) return null;
  const codes = [...text.matchAll(/^Exit Code: (-?\d+)$/gmu)];
  const last = codes.at(-1)?.[1];
  return last === undefined ? null : Number(last);
};

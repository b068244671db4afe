import { isDeeperThan, MAX_DEPTH } from '../../depth.ts';
import { isObject, listOf, objectOf, parseJson, stringOf, type Json, type JsonObject } from '../../json.ts';
import { editOf } from './patch.ts';

/** CODEX-5: a call of the model, under the tool name that everything downstream knows; a tool without a counterpart keeps its own name. */
export const toolUseOf = (item: JsonObject): { readonly id: string | null; readonly name: string; readonly input: JsonObject } => {
  const id = stringOf(item['call_id']) ?? stringOf(item['id']);
  const name = stringOf(item['name']) ?? ITEM_TOOLS.get(stringOf(item['type']) ?? '') ?? (stringOf(item['type']) ?? '').replace(/_call$/u, '');
  const raw = stringOf(item['input']);
  if (raw !== null) return { id, ...(name === 'apply_patch' ? (editOf(raw) ?? { name, input: { patch: raw } }) : { name, input: { input: raw } }) };
  return { id, ...known(name, argumentsOf(item)) };
};

/** CODEX-6: what a call returned. */
export type Returned = { readonly texts: readonly string[]; readonly failed: boolean };

/** The result in `item`; `failed` is whether an earlier event reported a failure. */
export const returnedBy = (item: JsonObject, failed: boolean): Returned => {
  const output = item['output'];
  const texts = typeof output === 'string' ? [output] : textsIn(output ?? item['tools']);
  const [first = ''] = texts;
  const told = first.startsWith('{') ? objectOf(parseJson(first)) : null;
  const inner = stringOf(told?.['output']);
  const exit = objectOf(told?.['metadata'])?.['exit_code'];
  if (inner !== null && typeof exit === 'number') return { texts: [inner], failed: failed || exit !== 0 };
  return { texts, failed: failed || objectOf(output)?.['success'] === false || saysFailed(first) };
};

/** The agent that a call started, if its result names it. */
export const agentIn = (item: JsonObject): string | null => {
  const output = stringOf(item['output']);
  return output?.startsWith('{') === true ? stringOf(objectOf(parseJson(output))?.['agent_id']) : null;
};

/** Encrypted content is not text: it has no spaces. */
export const isReadable = (text: string): boolean => text.length < 60 || /\s/u.test(text);

const ITEM_TOOLS: ReadonlyMap<string, string> = new Map([
  ['local_shell_call', 'shell'],
  ['web_search_call', 'web_search'],
  ['tool_search_call', 'tool_search'],
]);

const argumentsOf = (item: JsonObject): JsonObject => {
  const given = item['arguments'] ?? item['action'];
  if (isObject(given)) return given;
  const read = typeof given === 'string' ? parseJson(given) : undefined;
  if (isObject(read) && !isDeeperThan(read, MAX_DEPTH)) return read;
  return given === undefined ? {} : { arguments: given };
};

const known = (name: string, input: JsonObject): { readonly name: string; readonly input: JsonObject } => {
  switch (name) {
    case 'exec_command': {
      const { cmd, ...rest } = input;
      return typeof cmd === 'string' ? { name: 'Bash', input: { command: cmd, ...rest } } : { name, input };
    }
    case 'shell':
    case 'shell_command':
    case 'container.exec': {
      const { command, ...rest } = input;
      const line = typeof command === 'string' ? command : commandIn(command);
      return line === null ? { name, input } : { name: 'Bash', input: { command: line, ...rest } };
    }
    case 'apply_patch': {
      const patch = stringOf(input['input']) ?? stringOf(input['patch']);
      return (patch === null ? null : editOf(patch)) ?? { name, input };
    }
    case 'spawn_agent': {
      const { message, task_name: task, agent_type: kind, ...rest } = input;
      const prompt = typeof message === 'string' && isReadable(message) ? message : '';
      return {
        name: 'Agent',
        input: {
          prompt,
          ...(task === undefined ? {} : { description: task }),
          ...(kind === undefined && task === undefined ? {} : { subagent_type: kind ?? task }),
          ...rest,
        },
      };
    }
    case 'update_plan':
      return {
        name: 'TodoWrite',
        input: {
          todos: listOf(input['plan']).flatMap((step) =>
            isObject(step) ? [{ content: stringOf(step['step']) ?? '', status: stringOf(step['status']) ?? 'pending' }] : [],
          ),
        },
      };
    case 'web_search':
      return { name: 'WebSearch', input };
    case 'view_image':
      return typeof input['path'] === 'string' ? { name: 'Read', input: { file_path: input['path'] } } : { name, input };
    default:
      return { name, input };
  }
};

// ["bash", "-lc", "ls"] becomes a shell line; any other list keeps its words.
const commandIn = (words: Json | undefined): string | null => {
  const all = listOf(words).filter((word): word is string => typeof word === 'string');
  if (all.length === 0) return null;
  return all.length === 3 && /^-l?c$/u.test(all[1] ?? '') ? (all[2] ?? '') : all.join(' ');
};

const textsIn = (content: Json | undefined): readonly string[] => {
  const items = isObject(content) ? listOf(content['content'] ?? content['content_items']) : listOf(content);
  return items.flatMap((item) => (isObject(item) && typeof item['text'] === 'string' ? [item['text']] : []));
};

// Looks only at the lines before the command's output, because the output may contain anything.
const saysFailed = (text: string): boolean => {
  const [head = ''] = text.slice(0, 600).split('\nOutput:\n');
  const code = /^(?:Process exited with code|Exit code:) (-?\d+)/mu.exec(head)?.[1];
  if (code !== undefined) return code !== '0';
  return FAILURES.some((start) => text.startsWith(start));
};

const FAILURES = [
  'unsupported call: ',
  'unsupported custom tool call: ',
  'apply_patch verification failed',
  'Script failed',
  'failed to parse function arguments',
  'exec_command failed',
  'execution error',
] as const;

import type { Client, Tool } from '@modelcontextprotocol/client';

/** What an agent knows: for an input whose description fits, the value it would give. */
export type Knowledge = readonly (readonly [about: RegExp, value: unknown])[];

export type ScriptedAgent = {
  /** Does what some tool says that it does, filling its inputs by their descriptions. */
  readonly wants: (deed: RegExp, knowledge?: Knowledge) => Promise<Record<string, unknown>>;
  /** The whole of a text that was cut in an answer, as the answer says. */
  readonly wholeOf: (answer: Record<string, unknown>, cut: string) => Promise<string>;
  readonly tools: readonly Tool[];
  /** Bytes of the longest answer so far. */
  readonly longest: () => number;
};

/** It knows no name of any tool, action or input: only what the definitions say. */
export const scriptAgent = async (client: Client): Promise<ScriptedAgent> => {
  const { tools } = await client.listTools();
  let longest = 0;
  const call = async (name: string, given: Given): Promise<Record<string, unknown>> => {
    const { content, isError } = await client.callTool({ name, arguments: given });
    const [first] = content;
    const text = first?.type === 'text' ? first.text : '';
    longest = Math.max(longest, Buffer.byteLength(text));
    if (isError === true) throw new Error(`${name} ${JSON.stringify(given)}: ${text}`);
    return JSON.parse(text) as Record<string, unknown>; // answers are objects
  };
  const toolFor = (purpose: RegExp): Tool => {
    const found = tools.find(({ description = '' }) => purpose.test(description));
    if (found === undefined) throw new Error(`no tool says ${purpose.source}`);
    return found;
  };
  return {
    tools,
    longest: () => longest,
    wants: async (deed, knowledge = []) => {
      for (const tool of tools) {
        const way = wayIn(tool, deed);
        if (way !== null) return call(tool.name, { ...way.says, ...filled(way, knowledge) });
      }
      const further = toolFor(/lists further operations/u);
      const { operations } = (await call(further.name, {})) as { readonly operations: Readonly<Record<string, string>> };
      const operation = Object.keys(operations).find((name) => deed.test(operations[name] ?? ''));
      if (operation === undefined) throw new Error(`nothing does ${deed.source}`);
      const { input } = (await call(further.name, { operation })) as { readonly input: Schema };
      return call(further.name, { operation, input: filled(wayOf(input, null, {}), knowledge) });
    },
    wholeOf: async ({ continue_cursor: cursor }, cut) => {
      const { name } = toolFor(/left out of an answer/u);
      let text = '';
      for (let part = cut; ;) {
        const [, shown = part, at] = /^([^]*) … \[\+\d+ characters: continue at (\S+)\]$/u.exec(part) ?? [];
        text += shown;
        if (at === undefined) return text;
        ({ text: part } = (await call(name, { cursor, at })) as { readonly text: string });
      }
    },
  };
};

type Given = Readonly<Record<string, unknown>>;
type Field = { readonly description?: string; readonly enum?: readonly unknown[] };
type Schema = { readonly properties?: Readonly<Record<string, unknown>> | undefined; readonly required?: readonly string[] | undefined };

/** One way to use a tool: what has to be said, and what may be. */
type Way = {
  readonly says: Given;
  readonly required: readonly string[];
  readonly may: readonly string[];
  readonly fields: Readonly<Record<string, Field>>;
};

/** The action whose line tells of the deed, or the tool itself where it has only one. */
const wayIn = ({ description = '', inputSchema }: Tool, deed: RegExp): Way | null => {
  const lines = description.split('\n').flatMap((line) => {
    const [, action, signature, help] = /^(\w+)\((.*)\): (.*)$/u.exec(line) ?? [];
    return action === undefined || signature === undefined || help === undefined ? [] : [{ action, signature, help }];
  });
  if (lines.length === 0) return deed.test(description) ? wayOf(inputSchema, null, {}) : null;
  const line = lines.find(({ help }) => deed.test(help));
  if (line === undefined) return null;
  // What every action takes is in none of the signatures.
  const named = lines.flatMap(({ signature }) => namesIn(signature).map(({ name }) => name));
  const shared = Object.keys(inputSchema.properties ?? {}).filter((name) => name !== 'action' && !named.includes(name));
  return wayOf(inputSchema, [...namesIn(line.signature), ...shared.map((name) => ({ name, isRequired: false }))], { action: line.action });
};

const namesIn = (signature: string): readonly { readonly name: string; readonly isRequired: boolean }[] =>
  signature
    .split(', ')
    .filter((part) => part !== '')
    .map((part) => ({ name: part.replace(/\?$/u, ''), isRequired: !part.endsWith('?') }));

const wayOf = ({ properties = {}, required = [] }: Schema, names: ReturnType<typeof namesIn> | null, says: Given): Way => {
  const taken = names ?? Object.keys(properties).map((name) => ({ name, isRequired: required.includes(name) }));
  const isNeeded = ({ name, isRequired }: (typeof taken)[number]): boolean => isRequired || required.includes(name);
  return {
    says,
    required: taken.filter(isNeeded).map(({ name }) => name),
    may: taken.filter((one) => !isNeeded(one)).map(({ name }) => name),
    fields: properties as Readonly<Record<string, Field>>, // JSON schemas
  };
};

const filled = ({ required, may, fields }: Way, knowledge: Knowledge): Given => {
  const known = (name: string): unknown => knowledge.find(([about]) => about.test(fields[name]?.description ?? ''))?.[1];
  const lacking = required.find((name) => known(name) === undefined);
  if (lacking !== undefined) throw new Error(`nothing is known about ${lacking}: ${fields[lacking]?.description ?? 'no description'}`);
  const given = [...required, ...may].map((name): [string, unknown] => [name, known(name)]).filter(([, value]) => value !== undefined);
  for (const [name, value] of given) {
    const values = fields[name]?.enum;
    if (values !== undefined && !values.includes(value)) throw new Error(`${name} is one of ${values.join(', ')}, not ${String(value)}`);
  }
  return Object.fromEntries(given);
};

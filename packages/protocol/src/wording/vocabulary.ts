import type { FactsOf, FactsShape } from '@yarnboard/domain';
import { REGISTRY, type OperationName } from '../registry/registry.ts';
import type { Operation } from '../operation.ts';
import { fieldNames } from './fields.ts';
import { terminalInput, terminalLine } from './terminal.ts';
import { toolCall } from './tools.ts';

/** Through which somebody is told something. */
export const DOORS = ['http', 'ws', 'mcp', 'terminal', 'page'] as const;

export type Door = (typeof DOORS)[number];

/** How things are called at one door. */
export type Say = {
  readonly door: Door;
  /** What does this: ` (sidebar_fork)`. Nothing where people have a button for it, or where the door cannot do it. */
  readonly by: (operation: OperationName) => string;
  /** An operation as the subject of a sentence. */
  readonly operation: (operation: OperationName) => string;
  /** Where a list of what was asked for is to be had; null where it is in sight. */
  readonly lists: (operation: OperationName) => string | null;
  /** An input by the name it has in the registry. */
  readonly input: (name: string) => string;
  /** An input by the name of the command's field. */
  readonly field: (field: string) => string;
  /** What an input is for, told to those who read nothing but this; null for everybody else. */
  readonly about: (name: string) => string | null;
  readonly status: (status: string) => string;
  /** How somebody says who they are. */
  readonly token: string;
};

/** What is wrong, then what to do about it. What has no words at a door is null. */
export type Sentence = string | readonly (string | null)[];

/** Complete by its type: a reason without words does not compile (WORDS-1). */
export type WordsFor<T extends Readonly<Record<string, { readonly facts: FactsShape }>>> = {
  readonly [R in keyof T]: (facts: FactsOf<T[R]['facts']>, say: Say) => Sentence;
};

/** The words of a door, for somebody who asked for this operation. */
export const vocabularyOf = (door: Door, asked: OperationName | null): Say => {
  const input = inputAt[door](asked);
  return {
    door,
    by: (operation) => {
      const name = NAMED[door](operation);
      return name === null ? '' : ` (${name})`;
    },
    operation: (operation) => NAMED[door](operation) ?? 'this',
    lists: (operation) => {
      const name = NAMED[door](operation);
      return name === null ? null : `${name} lists them`;
    },
    input,
    field: (field) => input(inputOfField(field, asked)),
    about: (name) => (door === 'mcp' && asked !== null ? aboutInput(asked, name) : null),
    status: door === 'page' ? (status) => status.replaceAll('_', ' ').toLowerCase() : (status) => status,
    token: TOKENS[door],
  };
};

/** What a field of a command is called outside: the first of its names that the operation takes. */
export const inputOfField = (field: string, asked: OperationName | null): string => {
  const names = fieldNames(field);
  return names.find((name) => takes(asked, name)) ?? names[0] ?? field;
};

/** A description may stand on what an optional input wraps. */
const aboutInput = (asked: OperationName, name: string): string | null => {
  const { input }: Operation = REGISTRY[asked];
  let schema: Described | undefined = Object.hasOwn(input.shape, name) ? (input.shape[name] as Described) : undefined; // zod's own type says less than what its schemas have
  while (schema !== undefined && schema.description === undefined) schema = schema.def.innerType;
  return schema?.description ?? null;
};

type Described = { readonly description?: string; readonly def: { readonly innerType?: Described } };

const takes = (asked: OperationName | null, name: string): boolean => {
  const operation: Operation | null = asked === null ? null : REGISTRY[asked];
  return operation !== null && Object.hasOwn(operation.input.shape, name);
};

/** WORDS-3: routes are for those who speak HTTP. */
const NAMED: Readonly<Record<Door, (operation: OperationName) => string | null>> = {
  http: (name) => {
    const { method, path }: Operation = REGISTRY[name];
    return `${method} /api/v1${path}`;
  },
  ws: (name) => name,
  mcp: toolCall,
  terminal: (name) => {
    const line = terminalLine(name);
    return line === null ? null : `\`yarnboard ${line}\``;
  },
  page: () => null,
};

const asItIs = () => (name: string) => name;

/** WORDS-4: a person reads words. */
const plain = (name: string): string => PLAIN[name] ?? name.replaceAll('.', ' ').replaceAll('_', ' ');

const inputAt: Readonly<Record<Door, (asked: OperationName | null) => (name: string) => string>> = {
  http: asItIs,
  ws: asItIs,
  mcp: asItIs,
  terminal: (asked) => (name) => terminalInput(asked, name) ?? plain(name),
  page: () => (name) => `the ${plain(name)}`,
};

const PLAIN: Readonly<Record<string, string>> = {
  agent_annotations: 'notes',
  consolidated_findings: 'findings',
  coordinator_agent: 'coordinator',
  cross_sidebar_refs: 'related sidebars',
  curator_agent: 'curator',
  cwd: 'directory',
  dependency_refs: 'dependencies',
  entry_id: 'finding',
  if_seq: 'position',
  original_sidebar_id: 'sidebar',
  parent_id: 'parent',
  parent_sidebar_id: 'parent',
  sender_agent_id: 'sender',
  seq: 'position',
  sidebar_id: 'sidebar',
  source_refs: 'sources',
  sub_task_description: 'task',
  target_agents: 'recipients',
  task_description: 'task',
  url: 'URL',
};

const TOKENS: Readonly<Record<Door, string>> = {
  http: 'send it as "Authorization: Bearer …"',
  ws: 'send it as token of hello',
  mcp: 'the person who set up this connection can add it, as YARNBOARD_TOKEN or as the header "Authorization: Bearer …"',
  terminal: 'set YARNBOARD_TOKEN',
  page: 'run `yarnboard open` to sign in',
};

import type { FactsOf, FactsShape } from '@yarnboard/domain';
import { REGISTRY, type OperationName } from '../registry/registry.ts';
import type { Operation } from '../operation.ts';
import { fieldNames } from './fields.ts';
import { terminalInput, terminalLine } from './terminal.ts';
import { toolCall } from './tools.ts';

/** The doors through which a message is delivered. */
export const DOORS = ['http', 'ws', 'mcp', 'terminal', 'page'] as const;

export type Door = (typeof DOORS)[number];

/** How a door calls things. */
export type Say = {
  readonly door: Door;
  /** What does this: ` (sidebar_fork)`. Empty where people have a button for it, or the door can't do it. */
  readonly by: (operation: OperationName) => string;
  /** An operation as the subject of a sentence. */
  readonly operation: (operation: OperationName) => string;
  /** Where to find a list of the requested things; null if it is in sight. */
  readonly lists: (operation: OperationName) => string | null;
  /** An input by its name in the registry. */
  readonly input: (name: string) => string;
  /** An input by the name of the command's field. */
  readonly field: (field: string) => string;
  /** What an input is for, for readers who see nothing else; null for everyone else. */
  readonly about: (name: string) => string | null;
  readonly status: (status: string) => string;
  /** How callers authenticate. */
  readonly token: string;
};

/** What is wrong, then what to do about it. Parts that don't apply at a door are null. */
export type Sentence = string | readonly (string | null)[];

/** Complete by its type: a reason without words doesn't compile (WORDS-1). */
export type WordsFor<T extends Readonly<Record<string, { readonly facts: FactsShape }>>> = {
  readonly [R in keyof T]: (facts: FactsOf<T[R]['facts']>, say: Say) => Sentence;
};

/** The words of a door, for a caller of this operation. */
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

/** The wire name of a command's field: the first of its names that the operation takes. */
export const inputOfField = (field: string, asked: OperationName | null): string => {
  const names = fieldNames(field);
  return names.find((name) => takes(asked, name)) ?? names[0] ?? field;
};

/** The description may be on the schema inside an optional one. */
const aboutInput = (asked: OperationName, name: string): string | null => {
  const { input }: Operation = REGISTRY[asked];
  let schema: Described | undefined = Object.hasOwn(input.shape, name) ? (input.shape[name] as Described) : undefined; // zod's own type says less than its schemas have
  while (schema !== undefined && schema.description === undefined) schema = schema.def.innerType;
  return schema?.description ?? null;
};

type Described = { readonly description?: string; readonly def: { readonly innerType?: Described } };

const takes = (asked: OperationName | null, name: string): boolean => {
  const operation: Operation | null = asked === null ? null : REGISTRY[asked];
  return operation !== null && Object.hasOwn(operation.input.shape, name);
};

/** WORDS-3: routes are only for HTTP callers. */
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

/** WORDS-4: people read words, not field names. */
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

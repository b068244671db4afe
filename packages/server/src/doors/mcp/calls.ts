import {
  actionsOf,
  complaintsOf,
  isTool,
  mayCall,
  REGISTRY,
  toolCall,
  TOOLS,
  type Caller,
  type Operation,
  type OperationName,
  type ToolAction,
  type ToolGroup,
} from '@yarnboard/protocol';
import * as z from 'zod';
import type { Given } from '../../operations/perform.ts';
import { refusedFor } from '../../operations/request/refusal.ts';
import { fieldsOf, schemaOf } from './input-schema.ts';
import { furtherFor, offeredIn } from './tools.ts';

/** What a tool call asks for. */
export type Wanted =
  | { readonly kind: 'operation'; readonly operation: OperationName; readonly given: Given }
  /** Information about the tools themselves. */
  | { readonly kind: 'told'; readonly answer: object }
  /** The omitted part of an answer. */
  | { readonly kind: 'rest'; readonly cursor: string; readonly at: string };

/** The meaning of a call; null if there is no such tool. Throws `Refused` if it can't be understood. */
export const wantedBy = async (name: string, given: Given, caller: () => Promise<Caller>): Promise<Wanted | null> => {
  if (name === 'more') return wantedOfMore(given, await caller());
  if (name === 'continue') return { kind: 'rest', ...understood(restInput, given) };
  if (isTool(name)) return wantedOfGroup(name, TOOLS[name], given);
  // MCP-17: every operation is also a tool by its own name, though unlisted.
  return isOffered(name) ? { kind: 'operation', operation: name, given } : null;
};

const wantedOfGroup = (name: string, group: ToolGroup, given: Given): Wanted => {
  const actions = new Map(actionsOf(group));
  const [only] = actions.values();
  if (only !== undefined && actions.size === 1) return { kind: 'operation', operation: only.operation, given };
  const { action = group.standard, ...rest } = given;
  // A tool may have the same name as an older operation.
  if (action === undefined && isOffered(name)) return { kind: 'operation', operation: name, given };
  const wanted = typeof action === 'string' ? actions.get(action) : undefined;
  if (wanted === undefined)
    throw refusedFor('bad-action', { tool: name, asked: action === undefined ? null : shortly(action), known: [...actions.keys()] });
  return { kind: 'operation', operation: wanted.operation, given: completed(wanted, rest) };
};

/** Inputs that an action implies aren't repeated. */
const completed = ({ operation, given }: ToolAction, rest: Given): Given => {
  const twice = Object.keys(given).find((key) => Object.hasOwn(rest, key));
  if (twice === undefined) return { ...rest, ...given };
  const known = fieldsOf(REGISTRY[operation], 'member').flatMap(({ name }) => (Object.hasOwn(given, name) ? [] : [name]));
  throw refusedFor('unknown-input', { asked: twice, known });
};

/** MCP-18: lists the further operations, describes their inputs, and calls them. */
const wantedOfMore = (given: Given, caller: Caller): Wanted => {
  const { operation: name, input } = understood(moreInput, given);
  if (name === undefined) return { kind: 'told', answer: { operations: Object.fromEntries(furtherFor(caller).map((one) => [one.name, one.help])) } };
  const action = actionCalled(name);
  if (action === null) throw refusedFor('unknown-operation', { asked: name.slice(0, 100), known: furtherFor(caller).map((one) => one.name) });
  const { operation } = action;
  return input === undefined
    ? { kind: 'told', answer: descriptionOf(operation, caller) }
    : { kind: 'operation', operation, given: completed(action, input) };
};

const descriptionOf = (name: OperationName, caller: Caller): object => {
  const operation: Operation = REGISTRY[name];
  return {
    operation: name,
    does: operation.help,
    call: toolCall(name),
    effect: operation.method === 'GET' ? 'reads' : 'changes something',
    ...(mayCall(caller, operation) ? {} : { needs: operation.who === 'operator' ? 'the token of the operator' : 'a token' }),
    input: schemaOf(fieldsOf(operation, caller)),
  };
};

/** An operation by its own name, or as the action of a tool. */
const actionCalled = (name: string): ToolAction | null => {
  const [tool = '', action = ''] = name.split('.');
  if (isTool(tool) && action !== '') return new Map(actionsOf(TOOLS[tool])).get(action) ?? null;
  return isOffered(name) ? { operation: name, given: {} } : null;
};

const moreInput = z.object({ operation: z.string().optional(), input: z.record(z.string(), z.unknown()).optional() });
const restInput = z.object({ cursor: z.string(), at: z.string() });

/** The inputs of a tool without an operation. */
const understood = <S extends z.ZodObject>(schema: S, given: Given): z.output<S> => {
  const known = Object.keys(schema.shape);
  const unknown = Object.keys(given).find((key) => !known.includes(key));
  if (unknown !== undefined) throw refusedFor('unknown-input', { asked: unknown.slice(0, 100), known });
  const read = schema.safeParse(given);
  if (read.success) return read.data;
  throw refusedFor('bad-input', { complaints: complaintsOf(read.error.issues, given) });
};

const OFFERED = offeredIn(REGISTRY);

const isOffered = (name: string): name is OperationName => Object.hasOwn(OFFERED, name);

const shortly = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 100);

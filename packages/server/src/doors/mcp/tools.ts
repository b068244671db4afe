import type { Tool } from '@modelcontextprotocol/server';
import {
  actionsOf,
  mayCall,
  REGISTRY,
  TOOLS,
  type Caller,
  type Operation,
  type OperationName,
  type ToolAction,
  type ToolGroup,
} from '@yarnboard/protocol';
import { fieldsOf, mergedField, schemaOf, type Field } from './input-schema.ts';

type Registry = Readonly<Record<string, Operation>>;

/** The operations offered to agents, in any tool. */
export const offeredIn = (registry: Registry): Registry =>
  Object.fromEntries(Object.entries(registry).filter(([, { isNoTool }]) => isNoTool !== true));

/** MCP-1, MCP-2: a caller's tools: those of the table, limited to what the caller may use, and one for everything else. */
export const toolsFor = (caller: Caller): readonly Tool[] => [
  ...Object.entries<ToolGroup>(TOOLS).flatMap(([name, group]) => {
    const tool = toolOf(name, group, caller);
    return tool === null ? [] : [tool];
  }),
  MORE,
  CONTINUE,
];

/** The operations outside the tools of the table that this caller may use. */
export const furtherFor = (caller: Caller, registry: Registry = REGISTRY): readonly Operation[] =>
  Object.values(offeredIn(registry)).filter((operation) => !IN_TOOLS.has(operation.name) && mayCall(caller, operation));

const IN_TOOLS: ReadonlySet<string> = new Set(
  Object.values<ToolGroup>(TOOLS).flatMap((group) => actionsOf(group).map(([, { operation }]) => operation)),
);

const toolOf = (name: string, group: ToolGroup, caller: Caller): Tool | null => {
  const actions = actionsOf(group)
    .filter(([, { operation }]) => mayCall(caller, REGISTRY[operation]))
    .map(([action, does]) => ({ action, ...does, fields: fieldsOfAction(does, caller, group) }));
  if (actions.length === 0) return null;
  const isSingle = Object.keys(group.actions).length === 1;
  const shared = sharedNames(actions.map(({ fields }) => fields));
  const lines = actions.map(
    ({ action, operation, given, fields }) => `${isSingle ? '' : `${action}(${signatureOf(fields, shared)}): `}${helpOf(operation, given)}`,
  );
  const isRead = actions.every(({ operation }) => (REGISTRY[operation] as Operation).method === 'GET');
  return {
    name,
    title: group.title,
    description: [group.about, ...lines].filter((line) => line !== '').join(isSingle ? ' ' : '\n'),
    inputSchema: schemaOf([...(isSingle ? [] : [actionField(actions, group)]), ...mergedFields(actions.map(({ fields }) => fields))]),
    annotations: {
      readOnlyHint: isRead,
      ...(isRead ? {} : { destructiveHint: group.isDestructive === true, idempotentHint: group.isIdempotent === true }),
    },
  };
};

/** Inputs that an action implies aren't listed. */
const fieldsOfAction = ({ operation, given }: ToolAction, caller: Caller, { optional = [] }: ToolGroup): readonly Field[] =>
  fieldsOf(REGISTRY[operation], caller).filter(({ name, isRequired }) => !Object.hasOwn(given, name) && (isRequired || optional.includes(name)));

/** The inputs that all actions share. */
const sharedNames = (each: readonly (readonly Field[])[]): ReadonlySet<string> => {
  const has = (fields: readonly Field[], { name, isRequired }: Field): boolean =>
    fields.some((one) => one.name === name && one.isRequired === isRequired);
  return new Set(each[0]?.filter((field) => each.every((fields) => has(fields, field))).map(({ name }) => name));
};

const helpOf = (operation: OperationName, given: ToolAction['given']): string => {
  const said = Object.values(given).map(String).join(', ');
  return said === '' ? REGISTRY[operation].help : `Moves it to ${said}.`;
};

/** This action's inputs besides the shared ones. */
const signatureOf = (fields: readonly Field[], shared: ReadonlySet<string>): string =>
  fields
    .filter(({ name }) => !shared.has(name))
    .map(({ name, isRequired }) => `${name}${isRequired ? '' : '?'}`)
    .join(', ');

const actionField = (actions: readonly { readonly action: string }[], { standard }: ToolGroup): Field => ({
  name: 'action',
  schema: {
    type: 'string',
    enum: actions.map(({ action }) => action),
    ...(standard === undefined ? {} : { default: standard }),
    description: 'which',
  },
  isRequired: standard === undefined,
});

const mergedFields = (each: readonly (readonly Field[])[]): readonly Field[] => {
  const names = [...new Set(each.flatMap((fields) => fields.map(({ name }) => name)))];
  return names.flatMap((name) => {
    const same = each.flatMap((fields) => fields.filter((field) => field.name === name));
    const merged = mergedField(same);
    return merged === null ? [] : [{ ...merged, isRequired: merged.isRequired && same.length === each.length }];
  });
};

const MORE: Tool = {
  name: 'more',
  title: 'More operations',
  description: 'Everything else. Without inputs: lists further operations. With operation: tells what it takes. With operation and input: does it.',
  inputSchema: schemaOf([
    {
      name: 'operation',
      schema: { type: 'string', description: 'a name from the list; TOOL.ACTION for all that an action of another tool takes' },
      isRequired: false,
    },
    { name: 'input', schema: { type: 'object', description: 'what it takes; {} for nothing' }, isRequired: false },
  ]),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
};

const CONTINUE: Tool = {
  name: 'continue',
  title: 'Continue an answer',
  description: 'What was left out of an answer. Where an answer was cut it says "continue at PLACE", and it ends with a continue_cursor.',
  inputSchema: schemaOf([
    { name: 'cursor', schema: { type: 'string', description: 'continue_cursor of the answer' }, isRequired: true },
    { name: 'at', schema: { type: 'string', description: 'the PLACE' }, isRequired: true },
  ]),
  annotations: { readOnlyHint: true },
};

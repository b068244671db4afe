import type { Tool } from '@modelcontextprotocol/server';
import type { Caller, Operation } from '@yarnboard/protocol';
import * as z from 'zod';

type Schema = Readonly<Record<string, unknown>>;

/** One input as a model reads it. */
export type Field = { readonly name: string; readonly schema: Schema; readonly isRequired: boolean };

/** MCP-14: an operation's inputs, in as few words as a model needs. Optional metadata is accepted, but not listed. */
export const fieldsOf = ({ input }: Pick<Operation, 'input'>, caller: Caller): readonly Field[] => {
  const { properties = {}, required = [] } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any', override: asJson });
  return Object.entries(properties)
    .filter(([name]) => !UNLISTED.has(name) && (name !== 'reveal' || caller === 'operator'))
    .map(([name, schema]) => ({ name, schema: slim(schema as Schema), isRequired: required.includes(name) })); // a JSON schema is JSON; zod's type for it says less
};

export const schemaOf = (fields: readonly Field[]): Tool['inputSchema'] => {
  const required = fields.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(({ name, schema }) => [name, schema])) as NonNullable<Tool['inputSchema']['properties']>, // made of JSON schemas
    ...(required.length === 0 ? {} : { required }),
  };
};

/** Merges inputs of the same name in several operations: the result accepts whatever any of them does. */
export const mergedField = (fields: readonly Field[]): Field | null => {
  const [first, ...others] = fields;
  if (first === undefined) return null;
  const description = [...new Set(fields.map(({ schema }) => schema['description']))].join('; or ');
  const schema = others.reduce<Schema>((merged, { schema: other }) => eitherOf(merged, other), first.schema);
  return { name: first.name, schema: { ...schema, description }, isRequired: fields.every(({ isRequired }) => isRequired) };
};

/** What both have in common stays; two lists of values are joined. */
const eitherOf = (one: Schema, other: Schema): Schema =>
  Object.fromEntries(
    Object.entries(one).flatMap(([key, value]) => {
      if (key === 'enum' && Array.isArray(value) && Array.isArray(other[key])) return [[key, [...new Set<unknown>([...value, ...other[key]])]]];
      return JSON.stringify(value) === JSON.stringify(other[key]) ? [[key, value]] : [];
    }),
  );

/** Provided by the door itself: message id, sender and time, and page length. */
const UNLISTED: ReadonlySet<string> = new Set(['message_id', 'timestamp', 'sender_agent_id', 'limit']);

const slim = (schema: Schema): Schema => {
  const { type, enum: values, items, anyOf, description, default: standard, minimum, maximum } = schema;
  const variants = Array.isArray(anyOf) ? (anyOf as readonly Schema[]).map(slim) : [];
  const types = [...new Set(variants.flatMap((variant) => (typeof variant['type'] === 'string' ? [variant['type']] : [])))];
  const only = variants.length > 0 && variants.every((variant) => Object.keys(variant).every((key) => key === 'type')) ? types : null;
  return {
    ...(type === undefined ? {} : { type }),
    ...(only === null ? (variants.length === 0 ? {} : { anyOf: variants }) : { type: only.length === 1 ? only[0] : only }),
    ...(values === undefined ? {} : { enum: values }),
    ...(typeof items === 'object' && items !== null ? { items: slim(items as Schema) } : {}),
    ...(typeof minimum === 'number' && typeof maximum === 'number' && maximum < Number.MAX_SAFE_INTEGER ? { minimum, maximum } : {}),
    ...(standard === undefined || standard === false || JSON.stringify(standard) === '[]' ? {} : { default: standard }),
    ...(description === undefined ? {} : { description }),
  };
};

type Override = NonNullable<NonNullable<Parameters<typeof z.toJSONSchema>[1]>['override']>;

const asJson: Override = ({ zodSchema, jsonSchema }) => {
  // In an address "true" is text; in JSON it is `true`.
  const isSwitch = zodSchema instanceof z.ZodCodec && zodSchema.def.in instanceof z.ZodString && zodSchema.def.out instanceof z.ZodBoolean;
  if (isSwitch) jsonSchema.type = 'boolean';
};

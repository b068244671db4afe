import type { Tool } from '@modelcontextprotocol/server';
import type { Operation } from '@yarnboard/protocol';
import { z } from 'zod';

/** The operations that agents are offered. */
export const offeredIn = (registry: Readonly<Record<string, Operation>>): Readonly<Record<string, Operation>> =>
  Object.fromEntries(Object.entries(registry).filter(([, { isNoTool }]) => isNoTool !== true));

/** MCP-1: the tools are the operations of the registry, but for those that only a person can use; nothing is a tool that it does not list. */
export const toolsOf = (registry: Readonly<Record<string, Operation>>): Tool[] =>
  Object.values(offeredIn(registry)).map(({ name, method, who, help, input }) => ({
    name,
    description: who !== 'anyone' ? `${help} Needs a token.` : help,
    inputSchema: schemaOf(input),
    annotations: { readOnlyHint: method === 'GET' },
  }));

const schemaOf = (input: z.ZodObject): Tool['inputSchema'] => {
  const { properties, required } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any', override: asJson });
  return {
    type: 'object',
    properties: (properties ?? {}) as Properties, // a JSON schema is JSON; zod's type for it says less
    ...(required === undefined ? {} : { required }),
    additionalProperties: false,
  };
};

type Properties = NonNullable<Tool['inputSchema']['properties']>;
type Override = NonNullable<NonNullable<Parameters<typeof z.toJSONSchema>[1]>['override']>;

const asJson: Override = ({ zodSchema, jsonSchema }) => {
  // In an address "true" is a text; whoever sends JSON has `true` for it.
  const isSwitch = zodSchema instanceof z.ZodCodec && zodSchema.def.in instanceof z.ZodString && zodSchema.def.out instanceof z.ZodBoolean;
  if (isSwitch) jsonSchema.type = 'boolean';
  // A model reads every letter of this, and `date-time` says as much as the pattern that goes with it.
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
};

import * as z from 'zod';
import { isBoardCommand } from '../families/operations.ts';
import { circumstances } from '../families/parameters.ts';
import { PROBLEMS } from './problems.ts';
import type { Operation } from '../operation.ts';
import { REGISTRY } from './registry.ts';
import { queued } from '../wire/sidebars.ts';

/** API-4: the OpenAPI document, generated from the registry, so that it is always true. */
export const openapiDocument = (version: string): Record<string, unknown> => {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of Object.values<Operation>(REGISTRY)) {
    const path = `/api/v1${operation.path}`;
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: describeOperation(operation) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Yarnboard',
      version,
      description:
        'Sessions of coding agents, and the sidebars of people and agents, on a permanent log. Lists are paged: pass next_cursor as cursor to continue.',
    },
    servers: [{ url: '/' }],
    paths,
    components: {
      securitySchemes: {
        operator: { type: 'http', scheme: 'bearer', description: 'the token in operator.token of the Yarnboard home, or the one an agent was given' },
      },
      schemas: { Problem: PROBLEM_SCHEMA },
    },
  };
};

const describeOperation = (operation: Operation): Record<string, unknown> => {
  const isRead = operation.method === 'GET';
  const inPath = new Set([...operation.path.matchAll(/\{(\w+)\}/gu)].map(([, name = '']) => name));
  const besides = { ...(isBoardCommand(operation.name) ? circumstances.shape : {}), ...operation.claims?.shape, ...operation.input.shape };
  const input = schemaOf(z.object(besides), 'input') as InputSchema;
  const required = new Set(input.required);
  const parameters = Object.entries(input.properties ?? {})
    .filter(([name]) => isRead || inPath.has(name))
    .map(([name, schema]) => ({
      name,
      in: inPath.has(name) ? 'path' : 'query',
      required: inPath.has(name) || required.has(name),
      schema,
    }));
  return {
    operationId: operation.name,
    summary: operation.help,
    ...(operation.who !== 'anyone' ? { security: [{ operator: [] }] } : { security: [{}, { operator: [] }] }),
    ...(isRead || parameters.length > 0 ? { parameters } : {}),
    ...(isRead ? {} : { requestBody: { required: true, content: { 'application/json': { schema: bodyOf(input, inPath) } } } }),
    responses: {
      200: { description: 'OK', content: { 'application/json': { schema: schemaOf(operation.output, 'output') } } },
      ...(isBoardCommand(operation.name)
        ? { 202: { description: 'Queued: not on the log yet', content: { 'application/json': { schema: schemaOf(queued, 'output') } } } }
        : {}),
      default: { description: 'A problem', content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } } },
    },
  };
};

type InputSchema = { readonly properties?: Readonly<Record<string, object>>; readonly required?: readonly string[] };

/** Parameters in the path aren't repeated in the body. */
const bodyOf = (input: InputSchema, inPath: ReadonlySet<string>): object => ({
  ...input,
  ...(input.properties && { properties: Object.fromEntries(Object.entries(input.properties).filter(([name]) => !inPath.has(name))) }),
  ...(input.required && { required: input.required.filter((name) => !inPath.has(name)) }),
});

const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): object => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest;
};

const PROBLEM_SCHEMA = {
  type: 'object',
  required: ['type', 'title', 'status', 'code', 'detail'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    code: { type: 'string', enum: Object.keys(PROBLEMS) },
    detail: { type: 'string' },
    reason: { type: 'string' },
    facts: { type: 'object' },
  },
};

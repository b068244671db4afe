// What agents are told about their tools, in tokens (3.5 characters each): by who they are, and as one tool for each operation
import { REGISTRY, type Caller, type Operation } from '@yarnboard/protocol';
import { fieldsOf, schemaOf } from '../packages/server/src/doors/mcp/input-schema.ts';
import { furtherFor, toolsFor } from '../packages/server/src/doors/mcp/tools.ts';

const tokensOf = (tools: readonly unknown[]): number => Math.ceil(JSON.stringify({ tools }).length / 3.5);

const each = Object.values<Operation>(REGISTRY).filter(({ isNoTool }) => isNoTool !== true);
const single = each.map((operation) => ({
  name: operation.name,
  description: operation.help,
  inputSchema: schemaOf(fieldsOf(operation, 'operator')),
  annotations: { readOnlyHint: operation.method === 'GET' },
}));
const before = tokensOf(single);
console.log(`one tool for each operation: ${single.length} tools, ${before} tokens`);
for (const caller of ['anyone', 'member', 'operator'] as const satisfies readonly Caller[]) {
  const tools = toolsFor(caller);
  const tokens = tokensOf(tools);
  console.log(
    `${caller}: ${tools.length} tools, ${tokens} tokens, ${(tokens / before).toFixed(2)} of that; ${furtherFor(caller).length} operations in more`,
  );
}

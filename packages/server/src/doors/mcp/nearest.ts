import { nearestOf } from '@yarnboard/domain';
import { actionsOf, REGISTRY, toolCall, TOOLS, type Operation, type OperationName, type ToolGroup } from '@yarnboard/protocol';

/** How to call what somebody may have meant: a tool, an action, or an operation by its name or its terminal words. Null if nothing is similar. */
export const nearestCall = (wanted: string): string | null => {
  const [best] = nearestOf(wanted, [...CALLS.keys()], 1);
  return best === undefined ? null : (CALLS.get(best) ?? null);
};

const CALLS: ReadonlyMap<string, string> = new Map([
  ...Object.values<Operation>(REGISTRY).flatMap(({ name, terminal }) => {
    const call = toolCall(name as OperationName); // the registry's own
    return call === null ? [] : [name, ...(terminal === undefined ? [] : [terminal.words.join('_')])].map((one) => [one, call] as const);
  }),
  ...Object.entries<ToolGroup>(TOOLS).flatMap(([tool, group]) =>
    actionsOf(group).map(([action, { operation }]) => [`${tool}_${action}`, toolCall(operation) ?? tool] as const),
  ),
  ...[...Object.keys(TOOLS), 'more', 'continue'].map((tool) => [tool, tool] as const),
]);

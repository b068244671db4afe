import { countOf } from '../../ui/wording.ts';
import type { SubAgent } from './flow-context.ts';

export type Helper = 'Prompt suggestion' | 'Compaction' | 'Side question' | 'Warm-up';

/** PAGE-619: agents that Claude Code started for its own purposes, recognised by their names; null for those that a call started. */
export const helperIn = ({ agentId, task, toolUseIds }: Pick<SubAgent, 'agentId' | 'task' | 'toolUseIds'>): Helper | null => {
  if (toolUseIds.length > 0) return null;
  const kind = /^a?(prompt_suggestion|compact|side_question)-/u.exec(agentId)?.[1];
  if (kind === 'prompt_suggestion') return 'Prompt suggestion';
  if (kind === 'compact') return 'Compaction';
  if (kind === 'side_question') return 'Side question';
  return task?.trim() === 'Warmup' ? 'Warm-up' : null;
};

/** "3 prompt suggestions, 1 compaction". */
export const helpersText = (helpers: readonly Helper[]): string => {
  const counts = new Map<Helper, number>();
  for (const helper of helpers) counts.set(helper, (counts.get(helper) ?? 0) + 1);
  return [...counts].map(([helper, count]) => `${countOf(count)} ${helper.toLowerCase()}${count === 1 ? '' : 's'}`).join(', ');
};

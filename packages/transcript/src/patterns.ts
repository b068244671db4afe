import type { Node } from './graph.ts';

/** How often a caller prompted its sub-agent again, and why: to go deeper, to answer a question, or to help it out of trouble. */
export type Patterns = { readonly refinement: number; readonly clarification: number; readonly errorRecovery: number };

/** ANALYSIS-3: the agent's last message before a further prompt determines the kind of prompt. */
export const countPatterns = (nodes: readonly Node[]): Patterns => {
  let refinement = 0;
  let clarification = 0;
  let errorRecovery = 0;
  let tone: 'question' | 'trouble' | null = null;
  let hasReply = false;
  for (const { entry } of nodes) {
    if (entry.role === 'reply') {
      hasReply = true;
      tone = entry.tone;
    } else if (entry.role === 'prompt' && hasReply) {
      if (tone === 'trouble') errorRecovery += 1;
      else if (tone === 'question') clarification += 1;
      else refinement += 1;
      hasReply = false;
    }
  }
  return { refinement, clarification, errorRecovery };
};

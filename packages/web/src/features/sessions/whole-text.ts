import { useQuery } from '@tanstack/react-query';
import { inTags, partsOf, type JsonObject } from '@yarnboard/transcript';
import { useLive } from '../../live/hooks.tsx';
import type { Live } from '../../live/live.ts';
import { useFlowDeeds } from './flow-context.ts';
import type { Step } from './flow-pages.ts';

export type WholeText = { readonly text: string | null; readonly error: Error | null };

/** The complete text or thinking of a step: reads its records one by one until it has everything. */
export const useWholeText = (step: Step, kind: 'text' | 'thinking', isWanted: boolean): WholeText => {
  const { ask } = useLive();
  const { sessionId } = useFlowDeeds();
  const length = kind === 'text' ? step.textLength : step.thinkingLength;
  const { data, error } = useQuery({
    queryKey: ['message', 'whole', sessionId, step.uuid, kind, length],
    queryFn: () => readWholeText(ask, sessionId, step, kind),
    enabled: isWanted,
    staleTime: Infinity,
    gcTime: 60_000,
  });
  return { text: isWanted ? (data ?? null) : null, error };
};

/** The same, outside of a component. */
export const readWholeText = async (ask: Live['ask'], sessionId: string, step: Step, kind: 'text' | 'thinking'): Promise<string> => {
  const length = kind === 'text' ? step.textLength : step.thinkingLength;
  const texts: string[] = [];
  for (const uuid of step.uuids) {
    const { messageData, role } = await ask('message', { ref: uuid, session: sessionId });
    texts.push(...textsIn(messageData, role, kind));
    if (texts.join(BETWEEN).length >= length) break;
  }
  return texts.join(BETWEEN);
};

const BETWEEN = '\n\n';

export const textsIn = (record: unknown, role: string, kind: 'text' | 'thinking'): readonly string[] => {
  if (typeof record !== 'object' || record === null || Array.isArray(record)) return [];
  // Transcript records are JSON.
  return partsOf(record as JsonObject).flatMap((part) => {
    if (part.kind !== kind) return [];
    const words = kind === 'text' ? inTags(role as Parameters<typeof inTags>[0], part.text) : null; // the wire uses the same roles as transcripts
    return [words === null ? part.text : words.join(role === 'command' ? ' ' : '\n')];
  });
};

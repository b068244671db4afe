import { useCallback, useMemo } from 'react';
import { useLive } from '../../live/hooks.tsx';
import { usePlainText } from '../../ui/text-reading.tsx';
import { useFlowDeeds } from './flow-context.ts';
import { isTyped, type Step } from './flow-pages.ts';
import { readWholeText } from './whole-text.ts';

/** PAGE-554: the text of a message for copying. Loads the rest if the page shows only the beginning. */
export const useStepCopy = (step: Step): { readonly markdown: () => Promise<string>; readonly plain: () => Promise<string> } => {
  const { ask } = useLive();
  const { sessionId } = useFlowDeeds();
  const plainText = usePlainText();
  const markdown = useCallback(
    async () => (step.textLength <= step.text.length ? step.text : readWholeText(ask, sessionId, step, 'text')),
    [ask, sessionId, step],
  );
  return useMemo(
    // Typed text is not Markdown.
    () => ({ markdown, plain: async () => (isTyped(step) ? markdown() : plainText(await markdown())) }),
    [markdown, plainText, step],
  );
};

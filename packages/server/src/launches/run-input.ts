import { contentOf, type PromptWords } from './prompt-content.ts';
import type { SdkPrompt } from './sdk.ts';

/** The prompts for a run, as an iterable the SDK can read: message after message until it is ended. */
export type RunInput = AsyncIterable<SdkPrompt> & {
  readonly push: (prompt: SdkPrompt) => void;
  /** Prompts pushed before are still delivered. */
  readonly end: () => void;
};

export const createInput = (): RunInput => {
  const waiting: SdkPrompt[] = [];
  let isEnded = false;
  let wake: () => void = () => {};
  const read = async function* (): AsyncGenerator<SdkPrompt> {
    for (;;) {
      const next = waiting.shift();
      if (next !== undefined) yield next;
      else if (isEnded) return;
      else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  };
  return {
    push: (prompt) => {
      waiting.push(prompt);
      wake();
    },
    end: () => {
      isEnded = true;
      wake();
    },
    [Symbol.asyncIterator]: read,
  };
};

/** A prompt under our uuid; Claude Code's record of it gets the same uuid. */
export const promptOf = (uuid: string, words: PromptWords): SdkPrompt => ({
  type: 'user',
  uuid,
  ...OF_THE_MAIN_CONVERSATION,
  message: { role: 'user', content: contentOf(words) },
  origin: { kind: 'human' },
});

const OF_THE_MAIN_CONVERSATION: SdkPrompt = { session_id: '', parent_tool_use_id: null };

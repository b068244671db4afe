import type { JsonObject } from '@yarnboard/transcript';
import type { PermissionResult, Sdk, SdkOptions } from '../../src/launches/sdk.ts';

/** What the SDK does next. It is not ours: a stream that it once made is played, with the pauses it made for permission. */
export type Step =
  | { readonly say: JsonObject }
  /** Waits for something to be sent to it. */
  | { readonly hear: true }
  | {
      readonly ask: {
        readonly tool: string;
        readonly input: JsonObject;
        readonly toolUseID: string;
        readonly agentID?: string;
        readonly requestId?: string;
        readonly suggestions?: readonly JsonObject[];
      };
    }
  /** Takes back a question that it asks at the same time. */
  | { readonly askAndCancel: { readonly tool: string; readonly input: JsonObject; readonly requestId: string } }
  | { readonly wait: 'interrupt' | 'next interrupt' | 'abort' | 'for ever' }
  | { readonly fail: string };

export type PlayedSdk = {
  readonly sdk: Sdk;
  readonly heard: readonly JsonObject[];
  readonly answers: readonly (PermissionResult | null)[];
  readonly options: () => SdkOptions;
  readonly queries: () => number;
  readonly interrupts: () => number;
};

export const playSdk = (stepsFor: (sessionId: string) => readonly Step[]): PlayedSdk => {
  const heard: JsonObject[] = [];
  const answers: (PermissionResult | null)[] = [];
  let last: SdkOptions | null = null;
  let queries = 0;
  let interrupts = 0;

  const query: Sdk['query'] = ({ prompt, options }) => {
    last = options;
    queries += 1;
    const { signal } = options.abortController;
    const aborted = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(new Error('Claude Code process aborted by user')), { once: true });
    });
    aborted.catch(() => {});
    const waiting: { readonly from: number; readonly resolve: () => void }[] = [];
    let count = 0;
    const interrupted = (from: number): Promise<void> =>
      new Promise((resolve) => {
        if (count >= from) resolve();
        else waiting.push({ from, resolve });
      });
    const input = prompt[Symbol.asyncIterator]();
    const asked = async (tool: string, about: JsonObject, more: object): Promise<void> => {
      const { canUseTool } = options;
      if (canUseTool === undefined) throw new Error('nobody is there to be asked');
      answers.push(await Promise.race([canUseTool(tool, about, { signal, ...more }), aborted]));
    };
    const steps = async function* (): AsyncGenerator {
      for (const step of stepsFor(options.sessionId ?? options.resume ?? '')) {
        if ('say' in step) yield step.say;
        else if ('hear' in step) {
          const next = await Promise.race([input.next(), aborted]);
          if (next.done === true) return;
          heard.push(next.value);
        } else if ('ask' in step) {
          const { tool, input: given, ...more } = step.ask;
          await asked(tool, given, more);
        } else if ('askAndCancel' in step) {
          const { tool, input: given, requestId } = step.askAndCancel;
          const cancelling = new AbortController();
          const asking = asked(tool, given, { requestId, signal: cancelling.signal });
          cancelling.abort();
          await asking;
        } else if ('wait' in step) {
          if (step.wait === 'for ever') await new Promise(() => {});
          const isInterrupt = step.wait === 'interrupt' || step.wait === 'next interrupt';
          await (isInterrupt ? Promise.race([interrupted(step.wait === 'interrupt' ? 1 : 2), aborted]) : aborted);
        } else throw new Error(step.fail);
      }
      for (;;) {
        const next = await Promise.race([input.next(), aborted]);
        if (next.done === true) return;
        heard.push(next.value);
      }
    };
    return {
      [Symbol.asyncIterator]: steps,
      interrupt: async () => {
        interrupts += 1;
        count += 1;
        for (const { from, resolve } of waiting) if (count >= from) resolve();
      },
    };
  };
  return {
    sdk: { query },
    heard,
    answers,
    options: () => {
      if (last === null) throw new Error('nothing was run');
      return last;
    },
    queries: () => queries,
    interrupts: () => interrupts,
  };
};

/** A recorded stream as it would have been in another session, after the first prompt. */
export const recordedSteps = (messages: readonly JsonObject[], sessionId: string): readonly Step[] => [
  { hear: true },
  ...messages.map((message) => ({ say: { ...message, session_id: sessionId } })),
];

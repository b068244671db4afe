import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { until } from './checks.ts';
import { recordOf, type ClaudeRecord, type Raw } from './records.ts';
import type { Surroundings } from './surroundings.ts';

/** As much of the Agent SDK as is used here; it is no dependency, so its own types are not there. */
type Sdk = {
  readonly query: (input: { readonly prompt: AsyncIterable<object>; readonly options: object }) => AsyncIterable<Raw> & {
    readonly interrupt: () => Promise<unknown>;
  };
};

export type Asked = {
  readonly tool: string;
  readonly input: Raw;
  readonly toolUseID: string;
  /** The sub-agent that asks. */
  readonly agentID: string | null;
  /** How many messages were heard before it was asked. */
  readonly heardBefore: number;
};
export type Answer = { readonly behavior: 'allow'; readonly updatedInput: Raw } | { readonly behavior: 'deny'; readonly message: string };

export type SdkSession = {
  /** Everything it has said so far. */
  readonly heard: readonly ClaudeRecord[];
  readonly asked: readonly Asked[];
  readonly say: (text: string, uuid?: string) => void;
  /** Until something that fits was said. */
  readonly hear: (what: string, fits: (record: ClaudeRecord) => boolean) => Promise<ClaudeRecord>;
  readonly interrupt: () => Promise<unknown>;
  readonly abort: () => void;
  /** Nothing more will be said. Null, or why it ended with an error. */
  readonly end: () => Promise<Error | null>;
};

/** A session with the real SDK, its input kept open. */
export const startSdkSession = async (
  surroundings: Surroundings,
  claudeFolder: string,
  options: object,
  answer: (asked: Asked) => Answer = ({ input }) => ({ behavior: 'allow', updatedInput: input }),
): Promise<SdkSession> => {
  const { query } = (await import(pathToFileURL(join(surroundings.programs.sdkFolder, 'sdk.mjs')).href)) as Sdk; // see above
  const heard: ClaudeRecord[] = [];
  const asked: Asked[] = [];
  const input = makeInput();
  const abortController = new AbortController();
  const messages = query({
    prompt: input.messages,
    options: {
      cwd: surroundings.project,
      env: surroundings.env({ claudeFolder }),
      settingSources: [],
      permissionMode: 'default',
      abortController,
      canUseTool: (tool: string, toolInput: Raw, { toolUseID, agentID = null }: { toolUseID: string; agentID?: string | null }) => {
        const question = { tool, input: toolInput, toolUseID, agentID, heardBefore: heard.length };
        asked.push(question);
        return Promise.resolve(answer(question));
      },
      ...options,
    },
  });
  const ended = (async (): Promise<Error | null> => {
    try {
      for await (const message of messages) heard.push(recordOf(message));
      return null;
    } catch (cause) {
      return cause instanceof Error ? cause : new Error(String(cause));
    }
  })();
  return {
    heard,
    asked,
    say: input.say,
    hear: (what, fits) => until(what, () => heard.find(fits) ?? null),
    interrupt: () => messages.interrupt(),
    abort: () => abortController.abort(),
    end: () => {
      input.close();
      return ended;
    },
  };
};

const makeInput = (): { readonly messages: AsyncIterable<object>; readonly say: SdkSession['say']; readonly close: () => void } => {
  const queue: object[] = [];
  let isClosed = false;
  let wake = (): void => {};
  const messages = async function* (): AsyncGenerator<object> {
    for (;;) {
      const next = queue.shift();
      if (next !== undefined) yield next;
      else if (isClosed) return;
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
  };
  return {
    messages: messages(),
    say: (text, uuid) => {
      queue.push({
        type: 'user',
        ...(uuid === undefined ? {} : { uuid }),
        session_id: '',
        parent_tool_use_id: null,
        message: { role: 'user', content: text },
      });
      wake();
    },
    close: () => {
      isClosed = true;
      wake();
    },
  };
};

import { uuidFor, type Appended, type Item } from '@yarnboard/store';
import type { JsonObject } from '@yarnboard/transcript';
import { replyBody, resultBody, type SeatUsage } from '@yarnboard/protocol';
import { lineItem } from '../launches/run-entries.ts';
import type { After } from '../launches/outgoing.ts';
import { createOutgoing } from '../launches/outgoing.ts';
import type { SeatPlace } from './port.ts';

/** RT-22: the id of the session with the seat's messages; it stays the same for the life of the seat. */
export const sessionOfSeat = ({ agent, sidebarId }: SeatPlace): string => uuidFor(`seat|${agent}|${sidebarId}`);

/** Records what a seat says and does as a session of its own, so the page, search, envelopes and costs need nothing special. */
export type SeatTranscript = {
  readonly prompt: (turnId: string, text: string) => void;
  readonly text: (text: string) => void;
  readonly tool: (id: string, name: string, input: Readonly<Record<string, unknown>>) => void;
  readonly result: (id: string, output: string, isError: boolean) => void;
  readonly usage: (usage: SeatUsage) => void;
  /** Writes out any text still held back. */
  readonly flush: () => void;
  readonly close: () => Promise<void>;
};

export type TranscriptOptions = {
  readonly place: SeatPlace;
  readonly title: string;
  readonly cwd: string;
  /** Its model, until a response names one. */
  readonly model: string | null;
  readonly version: string;
  readonly append: (items: readonly Item[]) => Promise<readonly Appended[]>;
  readonly now: () => number;
  readonly newId: () => string;
  readonly after: After;
  readonly onFault: (cause: unknown) => void;
};

export const createSeatTranscript = (options: TranscriptOptions): SeatTranscript => {
  const { place, cwd, now, newId } = options;
  const sessionId = sessionOfSeat(place);
  const outgoing = createOutgoing<Item>({
    send: options.append,
    after: options.after,
    onFault: options.onFault,
    bytesOf: ({ payload }) => payload?.length ?? 0,
  });
  let parentUuid: string | null = null;
  let words = '';
  let { model } = options;
  let isTitled = false;
  let callOff: (() => void) | null = null;

  const put = (record: JsonObject): void => {
    outgoing.add(itemOf(record, place.agent, now())).catch(options.onFault);
  };

  const message = (type: 'user' | 'assistant', body: JsonObject): void => {
    const uuid = newId();
    put({
      parentUuid,
      isSidechain: false,
      userType: 'external',
      cwd,
      sessionId,
      version: options.version,
      type,
      message: body,
      uuid,
      timestamp: new Date(now()).toISOString(),
    });
    parentUuid = uuid;
  };

  const reply = (content: readonly object[], usage: SeatUsage | null): void =>
    message('assistant', replyBody(newId(), model ?? 'unknown', content, usage) as JsonObject); // built from JSON values only

  const rest = (): void => {
    callOff?.();
    callOff = null;
  };

  const flush = (): void => {
    rest();
    if (words === '') return;
    reply([{ type: 'text', text: words }], null);
    words = '';
  };

  /** RT-67: shows complete paragraphs while the rest is still being written. */
  const show = (): void => {
    callOff = null;
    const end = endOfParagraphs(words);
    if (end === 0) return;
    reply([{ type: 'text', text: words.slice(0, end).trimEnd() }], null);
    words = words.slice(end);
  };

  return {
    prompt: (turnId, text) => {
      flush();
      if (!isTitled) outgoing.add(titleItem(sessionId, options.title, now())).catch(options.onFault);
      isTitled = true;
      message('user', { role: 'user', content: text === '' ? turnId : text });
    },
    text: (text) => {
      words += text;
      if (words.length > MOST_WORDS) flush();
      else callOff ??= options.after(SHOWN_WITHIN, show);
    },
    tool: (id, name, input) => {
      flush();
      reply([{ type: 'tool_use', id, name, input }], null);
    },
    result: (id, output, isError) => {
      flush();
      message('user', resultBody(id, output, isError) as JsonObject); // the same
    },
    usage: (usage) => {
      rest();
      model = usage.model ?? model;
      const content = words === '' ? [] : [{ type: 'text', text: words }];
      words = '';
      reply(content, usage);
    },
    flush,
    close: async () => {
      flush();
      await outgoing.close(PATIENCE);
    },
  };
};

/** For runtimes that keep their own transcripts. */
export const NO_TRANSCRIPT: SeatTranscript = {
  prompt: () => {},
  text: () => {},
  tool: () => {},
  result: () => {},
  usage: () => {},
  flush: () => {},
  close: () => Promise.resolve(),
};

export const titleItem = (sessionId: string, title: string, now: number): Item =>
  lineItem({ type: 'custom-title', sessionId, customTitle: title }, now, null);

/** The agent is the sender, whichever tool wrote the line. */
const itemOf = (record: JsonObject, agent: string, now: number): Item => {
  const item = lineItem(record, now, null);
  return record['type'] === 'assistant' ? { ...item, draft: { ...item.draft, sender: agent } } : item;
};

/** The end of the last complete paragraph; 0 if there is none, or a code block is still open. */
const endOfParagraphs = (text: string): number => {
  const end = text.lastIndexOf('\n\n') + 2;
  const isWhole = end > 2 && text.slice(0, end).trim() !== '' && (text.slice(0, end).match(/^\s*```/gmu)?.length ?? 0) % 2 === 0;
  return isWhole ? end : 0;
};

const MOST_WORDS = 100_000;
const SHOWN_WITHIN = 2000;
const PATIENCE = 5000;

import { randomUUID } from 'node:crypto';
import { assertNever } from '@yarnboard/domain';
import { createClient, PROBLEMS, REGISTRY, type BoardEvent, type OperationName, type Problem } from '@yarnboard/protocol';
import { WebSocket } from 'ws';
import { sleep, type Stage } from './live-stage.ts';

/** What a server said was done. */
export type Acknowledged = {
  readonly agent: string;
  readonly name: OperationName;
  readonly messageId: string;
  /** Null where it was told only that it had been done before. */
  readonly seq: number | null;
  readonly refs: readonly string[];
  readonly isDuplicate: boolean;
};

export type Member = {
  readonly agent: string;
  /** Everything that was heard, in order. Nothing for whoever speaks HTTP. */
  readonly heard: readonly BoardEvent[];
  readonly isListening: boolean;
  readonly acknowledged: readonly Acknowledged[];
  /** How often something was sent again because nobody knew what had become of it. */
  readonly again: () => number;
  readonly refused: () => number;
  /** Asks for one thing after the other until it is stopped; then what is on its way is brought to its end. */
  readonly work: (isOver: () => boolean) => Promise<void>;
  readonly close: () => void;
};

export type MemberOptions = {
  readonly stage: Stage;
  readonly agent: string;
  readonly token: string;
  readonly door: 'http' | 'socket';
  readonly sidebars: readonly string[];
  readonly random: () => number;
};

type Given = Readonly<Record<string, unknown>>;
type Answer =
  { readonly kind: 'done' | 'duplicate'; readonly seq: number | null; readonly refs: readonly string[] } | { readonly kind: 'refused' } | null;

/** Somebody who works in sidebars of a server that dies again and again, and sends again what was not answered. */
export const joinCrowd = (options: MemberOptions): Member => {
  const { agent, random, sidebars } = options;
  const acknowledged: Acknowledged[] = [];
  const door = options.door === 'http' ? overHttp(options) : overSocket(options);
  let asked = 0;
  let again = 0;
  let refused = 0;

  const perform = async (name: OperationName, given: Given): Promise<void> => {
    const messageId = randomUUID();
    for (;;) {
      const answer = await door.ask(name, { ...given, message_id: messageId });
      if (answer === null) {
        again += 1;
        await sleep(30 + random() * 100);
        continue;
      }
      if (answer.kind === 'refused') refused += 1;
      else acknowledged.push({ agent, name, messageId, seq: answer.seq, refs: answer.refs, isDuplicate: answer.kind === 'duplicate' });
      return;
    }
  };

  const wish = (): readonly [OperationName, Given] => {
    asked += 1;
    const sidebar = { sidebar_id: sidebars[Math.floor(random() * sidebars.length)] ?? '' };
    const nonce = `${agent} ${asked} ${randomUUID()}`;
    const dice = random();
    if (dice < 0.55) return ['chat_message', { ...sidebar, content: `said by ${nonce}` }];
    if (dice < 0.75) return ['scratchpad_entry_submitted', { ...sidebar, content: `found by ${nonce}` }];
    if (dice < 0.85) return ['scratchpad_entry_validated', { ...sidebar, entry_id: `FINDING-${1 + Math.floor(random() * 9)}`, status: 'confirmed' }];
    if (dice < 0.9) return ['sidebar_pause', { ...sidebar, reason: nonce }];
    if (dice < 0.95) return ['sidebar_resume', sidebar];
    return ['scratchpad_checkpoint', { ...sidebar, summary: nonce }];
  };

  return {
    agent,
    heard: door.heard,
    isListening: options.door === 'socket',
    acknowledged,
    again: () => again + door.again(),
    refused: () => refused,
    work: async (isOver) => {
      while (!isOver()) {
        await perform(...wish());
        await sleep(random() * 60);
      }
    },
    close: door.close,
  };
};

type Door = {
  /** Null when nobody knows what became of it. */
  readonly ask: (name: OperationName, given: Given) => Promise<Answer>;
  readonly heard: readonly BoardEvent[];
  readonly again: () => number;
  readonly close: () => void;
};

const overHttp = ({ stage, token }: MemberOptions): Door => ({
  ask: async (name, given) => {
    const { method, path } = REGISTRY[name];
    const filled = path.replaceAll(/\{(\w+)\}/gu, (_, key: string) => encodeURIComponent(String(given[key])));
    const body = JSON.stringify(Object.fromEntries(Object.entries(given).filter(([key]) => !path.includes(`{${key}}`))));
    try {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const response = await fetch(`${stage.at()}/api/v1${filled}`, { method, headers, body });
      const read: unknown = await response.json();
      if (!response.ok) return refusalOf((read as Problem).code); // every refusal is one (API-4)
      const { seq, refs, duplicate } = REGISTRY.chat_message.output.parse(read); // all of them answer alike
      return { kind: duplicate ? 'duplicate' : 'done', seq, refs };
    } catch {
      return null; // killed before, while or after it was done
    }
  },
  heard: [],
  again: () => 0,
  close: () => {},
});

const overSocket = ({ stage, token }: MemberOptions): Door => {
  const heard: BoardEvent[] = [];
  let opened = 0;
  const client = createClient({
    url: `${stage.at().replace('http', 'ws')}/ws`,
    WebSocket,
    token,
    sinceSeq: 0,
    onEntry: () => {},
    onEvent: (event) => heard.push(event),
    onState: ({ kind }) => {
      if (kind === 'open') opened += 1;
    },
    newId: () => randomUUID(),
    later: (ms, run) => {
      // Here the server is killed more often than a client would knock.
      const timer = setTimeout(run, ms < 10_000 ? Math.min(ms, 150) : ms);
      return () => clearTimeout(timer);
    },
    random: () => 0,
  });
  return {
    ask: async (name, given) => {
      const outcome = await client.call(name, given);
      switch (outcome.kind) {
        case 'done':
          return { kind: 'done', seq: outcome.seq, refs: outcome.refs };
        case 'done-before':
          return { kind: 'duplicate', seq: null, refs: outcome.ref === null ? [] : [outcome.ref] };
        case 'rejected':
          return refusalOf(outcome.code as Problem['code']); // the codes of the registry
        // This client does not say that it would understand.
        case 'queued':
        case 'unknown':
          return null;
        default:
          return assertNever(outcome);
      }
    },
    heard,
    // The client sends again by itself when it is back.
    again: () => Math.max(0, opened - 1),
    close: client.close,
  };
};

/** What the server could not do now may be done later; what it does not want is not. */
const refusalOf = (code: Problem['code']): Answer => (PROBLEMS[code].status >= 500 ? null : { kind: 'refused' });

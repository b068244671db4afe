import { WebSocket } from 'ws';
import type { Board } from './board.ts';
import { until, within } from './checks.ts';
import { asRaw, asText, type Raw } from './records.ts';

/** An envelope, and the entry it came with. */
export type Seen = { readonly seq: number; readonly session: string; readonly envelope: SeenEnvelope };

export type SeenEnvelope = {
  readonly id: string;
  readonly time: number;
  readonly role: string;
  readonly turn: string | null;
  readonly subagent: string | null;
  readonly event: string;
  readonly ev: Raw;
  readonly raw: Raw;
};

/** A client on the WebSocket that writes down what it is told, as it is told. */
export type Watcher = {
  readonly seqs: readonly number[];
  readonly seen: readonly Seen[];
  readonly of: (session: string) => readonly Seen[];
  /** Until everything was told that was there when it connected. */
  readonly caughtUp: () => Promise<void>;
  /** Until an envelope that fits was told. */
  readonly see: (what: string, fits: (seen: Seen) => boolean) => Promise<Seen>;
  readonly close: () => void;
};

export const watch = async (board: Board, wish: { readonly since?: number; readonly sessions?: readonly string[] } = {}): Promise<Watcher> => {
  const socket = new WebSocket(`${board.url.replace(/^http/u, 'ws')}/ws`);
  const frames: Raw[] = [];
  const seqs: number[] = [];
  const seen: Seen[] = [];
  let why: string | null = null;
  socket.on('close', (code, reason) => (why = `closed with ${code} ${reason.toString()}`));
  socket.on('message', (data: Buffer) => {
    const frame = asRaw(JSON.parse(data.toString()));
    frames.push(frame);
    if (frame['type'] !== 'entry') return;
    const seq = Number(frame['seq']);
    seqs.push(seq);
    for (const message of Array.isArray(frame['messages']) ? frame['messages'] : []) {
      const content = asRaw(asRaw(message)['content']);
      if (content['type'] === 'session') seen.push({ seq, session: asText(frame['session_id']) ?? '', envelope: envelopeOf(asRaw(content['data'])) });
    }
  });
  await within(
    'the WebSocket opens',
    new Promise<void>((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('error', reject);
    }),
  );
  const { since, sessions } = wish;
  socket.send(
    JSON.stringify({
      type: 'hello',
      protocol: 1,
      token: board.token,
      ...(since === undefined ? {} : { since_seq: since }),
      subscribe: { envelopes: true, ...(sessions === undefined ? {} : { sessions }) },
    }),
  );
  await until('connection_established', () => {
    if (why !== null) throw new Error(why);
    return frames.find((frame) => frame['type'] === 'connection_established') ?? null;
  });
  return {
    seqs,
    seen,
    of: (session) => seen.filter((one) => one.session === session),
    caughtUp: async () => {
      await until('caught_up', () => frames.find((frame) => frame['type'] === 'caught_up') ?? null);
    },
    see: async (what, fits) => {
      try {
        return await until(what, () => seen.find(fits) ?? null);
      } catch (cause) {
        throw new Error(`${why ?? 'still connected'}; was told:\n${seen.map(({ envelope }) => lineOf(envelope)).join('\n')}`, { cause });
      }
    },
    close: () => socket.terminate(),
  };
};

export const envelopeOf = (raw: Raw): SeenEnvelope => {
  const ev = asRaw(raw['ev']);
  return {
    id: asText(raw['id']) ?? '',
    time: Number(raw['time']),
    role: asText(raw['role']) ?? '',
    turn: asText(raw['turn']),
    subagent: asText(raw['subagent']),
    event: asText(ev['t']) ?? '',
    ev,
    raw,
  };
};

/** One envelope in a few words, for people and for comparing. */
export const lineOf = ({ role, event, ev }: SeenEnvelope): string => {
  switch (event) {
    case 'text':
      return `${role}: ${asText(ev['text']) ?? ''}`;
    case 'tool-call-start':
      return `${event} ${asText(ev['name']) ?? ''}`;
    case 'tool-call-end':
      return `${event}${ev['is_error'] === true ? ' with an error' : ''}`;
    case 'turn-end':
    case 'stop':
      return `${event} ${asText(ev['status']) ?? ''}`;
    case 'service':
      return `${event} ${asText(ev['kind']) ?? ''}`;
    default:
      return event;
  }
};

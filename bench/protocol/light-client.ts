import { connect, type Socket } from 'node:net';

/**
 * A WebSocket client that reads no more of a frame than its length and its seq: a thousand of them in one process must not be slower than what sends to
 * them. Counts what is missing, repeated or out of order.
 */
export type LightClient = {
  readonly seq: number;
  readonly wrong: number;
  readonly greet: (sinceSeq: number | null) => void;
  readonly pause: () => void;
  readonly resume: () => void;
  readonly close: () => void;
};

export type LightOptions = {
  readonly port: number;
  readonly onOpen: () => void;
  /** The server has answered the hello. */
  readonly onGreeted: () => void;
  readonly onFrame: (seq: number) => void;
  readonly onEnd: (why: string) => void;
};

export const openLightClient = ({ port, onOpen, onGreeted, onFrame, onEnd }: LightOptions): LightClient => {
  const client = { seq: 0, wrong: 0 };
  let state: 'upgrading' | 'open' | 'greeted' | 'closed' = 'upgrading';
  let answer = '';
  // What is left to skip of a frame whose beginning was read, and a beginning that was cut off.
  let skip = 0;
  let rest: Buffer | null = null;

  const takeFrame = (opcode: number, text: Buffer, at: number, length: number): void => {
    if (opcode !== TEXT) {
      if (opcode === CLOSE) end(text.toString('utf8', at + 2, at + length));
      return;
    }
    const seq = seqIn(text, at);
    if (seq !== null) {
      if (seq !== client.seq + 1) client.wrong += 1;
      client.seq = seq;
      onFrame(seq);
    } else if (state === 'open') {
      state = 'greeted';
      // `connection_established` is whole in its first packet: nothing but it can be there.
      const { seq: head } = JSON.parse(text.toString('utf8', at, at + length)) as { readonly seq: number };
      if (client.seq === -1) client.seq = head;
      onGreeted();
    }
  };

  const takeBytes = (chunk: Buffer): void => {
    let at = Math.min(skip, chunk.length);
    skip -= at;
    while (at < chunk.length) {
      const left = chunk.length - at;
      const short = left < 2 ? 0 : (chunk[at + 1] ?? 0) & 0x7f;
      const header = short < 126 ? 2 : short === 126 ? 4 : 10;
      // The shortest frame that has a seq is longer than what is needed of it.
      const length = left < header ? 0 : short < 126 ? short : short === 126 ? chunk.readUInt16BE(at + 2) : chunk.readUIntBE(at + 4, 6);
      if (left < header || left - header < Math.min(length, NEEDED)) {
        rest = Buffer.from(chunk.subarray(at));
        return;
      }
      takeFrame((chunk[at] ?? 0) & 0x0f, chunk, at + header, length);
      at += header + length;
    }
    skip += at - chunk.length;
  };

  const take = (chunk: Buffer): void => {
    if (state === 'upgrading') {
      answer += chunk.toString('latin1');
      if (!answer.includes('\r\n\r\n')) return;
      if (!answer.startsWith('HTTP/1.1 101')) end(answer);
      state = 'open';
      onOpen();
      return;
    }
    const whole = rest === null ? chunk : Buffer.concat([rest, chunk]);
    rest = null;
    takeBytes(whole);
  };

  const end = (why: string): void => {
    if (state === 'closed') return;
    state = 'closed';
    onEnd(why);
  };

  const socket: Socket = connect({
    port,
    host: '127.0.0.1',
    onread: {
      buffer: SHARED,
      callback: (size) => {
        take(SHARED.subarray(0, size));
        return true;
      },
    },
  });
  socket.setNoDelay(true);
  socket.on('error', (cause) => end(cause.message));
  socket.on('close', () => end('closed'));
  socket.on('connect', () => {
    socket.write(
      `GET /ws HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
    );
  });

  return {
    get seq() {
      return client.seq;
    },
    get wrong() {
      return client.wrong;
    },
    greet: (sinceSeq) => {
      client.seq = sinceSeq ?? -1;
      socket.write(framed(JSON.stringify({ type: 'hello', protocol: 1, ...(sinceSeq === null ? {} : { since_seq: sinceSeq }) })));
    },
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
    close: () => {
      state = 'closed';
      socket.destroy();
    },
  };
};

/** `{"type":"entry","seq":12,…`: of anything else null. */
const seqIn = (text: Buffer, at: number): number | null => {
  // The first two letters of a type are enough to tell entries.
  if (text[at + 9] !== 0x65 || text[at + 10] !== 0x6e) return null;
  let seq = 0;
  for (let i = at + PREFIX; ; i += 1) {
    const digit = (text[i] ?? 0) - 0x30;
    if (digit < 0 || digit > 9) return seq;
    seq = seq * 10 + digit;
  }
};

// Clients must mask what they send; a mask of zeros leaves it as it is.
const framed = (text: string): Buffer => Buffer.concat([Buffer.from([0x80 | TEXT, 0x80 | Buffer.byteLength(text), 0, 0, 0, 0]), Buffer.from(text)]);

const TEXT = 1;
const CLOSE = 8;
const PREFIX = '{"type":"entry","seq":'.length;
const NEEDED = 48;
const SHARED = Buffer.allocUnsafe(64 * 1024);

import { once } from 'node:events';
import { WebSocket } from 'ws';
import { WrongResult } from '../measure/run.ts';

/** A client as anybody would write it, which keeps what it is told. */
export type TestClient = {
  /** The end of the log when it came. */
  readonly head: number;
  readonly close: () => Promise<void>;
};

export type TestHello = { readonly since_seq?: number; readonly subscribe?: { readonly sessions: readonly string[] } };

/** `onFrame` gets the bytes of whatever is told after the greeting, at the time they came. */
export const openTestClient = async (url: string, hello: TestHello, onFrame: (bytes: Buffer, at: number) => void): Promise<TestClient> => {
  const socket = new WebSocket(`${url.replace(/^http/u, 'ws')}/ws`, { perMessageDeflate: false });
  let head = -1;
  const greeted = new Promise<void>((resolve, reject) => {
    socket.on('message', (data: Buffer) => {
      const at = performance.now();
      if (head >= 0) {
        onFrame(data, at);
        return;
      }
      const frame = JSON.parse(data.toString('utf8')) as { readonly type: string; readonly seq: number }; // the protocol's promise
      if (frame.type !== 'connection_established') reject(new WrongResult(`the hello was answered with ${data.toString('utf8')}`));
      head = frame.seq;
      resolve();
    });
    socket.on('error', reject);
    socket.on('close', (code, reason) => reject(new WrongResult(`the server closed the connection: ${code} ${reason.toString('utf8')}`)));
  });
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'hello', protocol: 1, ...hello }));
  await greeted;
  return {
    head,
    close: async () => {
      socket.terminate();
      await once(socket, 'close');
    },
  };
};

/** Whether a frame tells of an entry, without reading all of it. */
export const isEntry = (bytes: Buffer): boolean => bytes.subarray(0, ENTRY.length).equals(ENTRY);

const ENTRY = Buffer.from('{"type":"entry"');

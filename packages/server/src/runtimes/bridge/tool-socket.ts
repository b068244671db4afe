import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A socket that offers a seat's tools to the program behind the bridge. Only this user can open its folder, and a client must first send a secret
 * word. The program starts its end like any MCP server: from a command, arguments and environment variables.
 */
export type ToolSocket = {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
};

/** With this argument, a bridge acts as the program's end of the socket. */
export const TOOLS = 'tools';

export const openToolSocket = async (serve: (socket: Socket) => Promise<void>): Promise<ToolSocket> => {
  const folder = mkdtempSync(join(tmpdir(), 'yarnboard-tools-'));
  const path = join(folder, 'socket');
  const word = randomBytes(32).toString('hex');
  const server = createServer((socket) => {
    socket.on('error', () => {}); // an error also closes the socket, which is enough
    let said = '';
    const hear = (bytes: Buffer): void => {
      said += bytes.toString('latin1');
      const end = said.indexOf('\n');
      if (end === -1 && said.length <= word.length) return;
      socket.off('data', hear);
      socket.pause();
      if (said.slice(0, end) !== word) return void socket.destroy();
      if (said.length > end + 1) socket.unshift(Buffer.from(said.slice(end + 1), 'latin1'));
      // The reader doesn't restart a paused stream by itself.
      serve(socket).then(
        () => socket.resume(),
        () => socket.destroy(),
      );
    };
    socket.on('data', hear);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, resolve);
  });
  server.unref();
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const [program = ''] = process.argv.slice(1);
  return {
    command: process.execPath,
    args: [...process.execArgv, program, TOOLS],
    env: [
      { name: SOCKET, value: path },
      { name: WORD, value: word },
    ],
  };
};

/** The program's end: connects standard input and output to the seat's tools. */
export const joinToolSocket = (): void => {
  const socket = connect(process.env[SOCKET] ?? '');
  socket.once('connect', () => {
    socket.write(`${process.env[WORD] ?? ''}\n`);
    process.stdin.pipe(socket);
  });
  socket.once('error', (cause) => {
    process.stderr.write(`The tools of Yarnboard cannot be reached: ${cause.message}\n`);
    process.exit(1);
  });
  socket.once('close', () => process.exit(0));
  socket.pipe(process.stdout);
};

const SOCKET = 'YARNBOARD_TOOLS';
const WORD = 'YARNBOARD_TOOLS_WORD';

import type { Duplex } from 'node:stream';
import { STATUS_CODES, type IncomingMessage, type Server } from 'node:http';
import { maskSecrets } from '@yarnboard/domain';
import { problemOf, type ProblemCode } from '@yarnboard/protocol';

/** Answers an upgrade request like any other refused request: with a problem document. */
export const refuseUpgrade = (socket: Duplex, code: ProblemCode, detail: string): void => {
  const problem = problemOf(code, maskSecrets(detail).text);
  const body = JSON.stringify(problem);
  socket.on('error', () => socket.destroy()); // a client that is gone needs no answer
  socket.end(
    [
      `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status] ?? 'Refused'}`,
      'content-type: application/problem+json',
      `content-length: ${Buffer.byteLength(body)}`,
      'cache-control: no-store',
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  );
};

/**
 * WIRE-21: a listener for upgrades gets all of them, including those that merely offer another protocol (HTTP/2 clients do, with any request, even
 * one with a body). Such a request is parsed again without the offer, as if it had come that way.
 */
export const answerPlainly = (server: Server, request: IncomingMessage, socket: Duplex, first: Buffer): void => {
  const { method = 'GET', url = '/', httpVersion, rawHeaders } = request;
  const head = [`${method} ${url} HTTP/${httpVersion}`];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const [name = '', value = ''] = rawHeaders.slice(i, i + 2);
    if (name.toLowerCase() !== 'upgrade') head.push(`${name}: ${value}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), first]));
  server.emit('connection', socket);
};

import type { Duplex } from 'node:stream';
import { STATUS_CODES } from 'node:http';
import { maskSecrets } from '@yarnboard/domain';
import { problemOf, type ProblemCode } from '@yarnboard/protocol';

/** Answers a request to upgrade as any other that is refused: with a problem document. */
export const refuseUpgrade = (socket: Duplex, code: ProblemCode, detail: string): void => {
  const problem = problemOf(code, maskSecrets(detail).text);
  const body = JSON.stringify(problem);
  socket.on('error', () => socket.destroy()); // whoever has gone needs no answer
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

import { maskSecrets } from '@yarnboard/domain';
import { printable, printableLine } from '@yarnboard/transcript';
import type { ExitCode, Io } from './io.ts';
import { Refusal } from './refusal.ts';

/** Prints one sentence about what went wrong and returns the exit code. SEC-27: the sentence may quote a transcript, or the address of a database. */
export const tell = (cause: unknown, { err }: Pick<Io, 'err'>): ExitCode => {
  const io = { err: (text: string): void => err(maskSecrets(text).text) };
  if (cause instanceof Refusal) {
    io.err(`yarnboard: ${printableLine(cause.message)}\n`);
    return cause.code;
  }
  const { message, stack = '' } = cause instanceof Error ? cause : { message: String(cause) };
  // Errors of the system or the store have their own message; anything else is our bug, and we need its trace to fix it.
  const isOurs = !(cause instanceof Error && ('code' in cause || cause.name === 'StoreFault'));
  io.err(`yarnboard: ${printableLine(message)}\n${isOurs && stack !== '' ? `${printable(stack)}\n` : ''}`);
  return 3;
};

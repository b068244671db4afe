import { maskSecrets } from '@yarnboard/domain';
import { printable, printableLine } from '@yarnboard/transcript';
import type { ExitCode, Io } from './io.ts';
import { Refusal } from './refusal.ts';

/** One sentence about what went wrong, and the exit code for it. SEC-27: it may quote a transcript, or the address of a database. */
export const tell = (cause: unknown, { err }: Pick<Io, 'err'>): ExitCode => {
  const io = { err: (text: string): void => err(maskSecrets(text).text) };
  if (cause instanceof Refusal) {
    io.err(`yarnboard: ${printableLine(cause.message)}\n`);
    return cause.code;
  }
  const { message, stack = '' } = cause instanceof Error ? cause : { message: String(cause) };
  // What the system or the store refuses is told in its own words; anything else is a fault of ours, and its trace is what we need to mend it.
  const isOurs = !(cause instanceof Error && ('code' in cause || cause.name === 'StoreFault'));
  io.err(`yarnboard: ${printableLine(message)}\n${isOurs && stack !== '' ? `${printable(stack)}\n` : ''}`);
  return 3;
};

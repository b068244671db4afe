import { existsSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import type { OutputOf } from '@yarnboard/protocol';
import { printableLine } from '@yarnboard/transcript';
import { withBoard } from '../board/client.ts';
import { BOARD_OPTIONS, placeOf } from '../board/place.ts';
import type { ExitCode, Io } from '../io.ts';
import { readOptions } from '../options.ts';
import { toJson } from '../print/json.ts';
import { progressLine } from '../print/progress.ts';
import { Refusal } from '../refusal.ts';
import { importedLine } from './start.ts';

/** `yarnboard import`: imports transcripts to the log, once. */
export const importVerb = async (args: readonly string[], io: Io): Promise<ExitCode> => {
  const { values, positionals } = readOptions('import', args, { ...BOARD_OPTIONS, json: { type: 'boolean', default: false } });
  const place = placeOf(values, io);
  for (const path of positionals) if (!existsSync(path)) throw new Refusal(3, `there is no file or folder "${path}"`);
  const paths = positionals.length > 0 ? positionals.map((path) => resolve(path)) : place.roots;
  if (paths.length === 0) throw new Refusal(3, 'found no sessions on this machine; name a file or folder, or try `yarnboard import --demo`');
  const bar = progressLine(values.json ? { ...io, isErrTerminal: false } : io, 'importing');
  const began = io.now();
  return withBoard(place, io, { create: true, onProgress: ({ doneBytes, allBytes }) => bar.show(doneBytes, allBytes) }, async ({ call, board }) => {
    const stop = new AbortController();
    let wasInterrupted = false;
    void io.untilStopped(stop.signal).then(async () => {
      wasInterrupted = !stop.signal.aborted;
      if (wasInterrupted) await board?.writer.stopImport();
    });
    const counts = await call('import', { paths });
    stop.abort();
    await board?.indexer.drain();
    bar.end();
    const seconds = (io.now() - began) / 1000;
    const document = { version: 1, ...counts, seconds, mb_per_second: seconds > 0 ? counts.bytes / 1e6 / seconds : 0, interrupted: wasInterrupted };
    const problems = troublesBelow(paths, (await board?.writer.troubles()) ?? (await call('status', {})).troubles);
    await io.out(values.json ? `${toJson({ ...document, problems })}\n` : `${importedLine(counts, seconds)}\n`);
    // A session that its tool is writing right now is read next time.
    for (const { path, why } of problems) io.err(`yarnboard: left out ${printableLine(path)}: ${printableLine(why)}\n`);
    if (!wasInterrupted) return 0;
    io.err('yarnboard: interrupted; what was read is on the log, and the same command goes on from there\n');
    return 3;
  });
};

type Trouble = Pick<OutputOf<'status'>['troubles'][number], 'path' | 'why'>;

/** Files to be imported that could not be read: the server may also have trouble with other folders. */
const troublesBelow = (paths: readonly string[], troubles: readonly Trouble[]): readonly Trouble[] =>
  troubles.flatMap(({ path, why }) => (paths.some((asked) => path === asked || path.startsWith(`${asked}${sep}`)) ? [{ path, why }] : []));

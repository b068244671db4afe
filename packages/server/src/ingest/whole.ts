import { stat } from 'node:fs/promises';
import { draftOfCompanion, type FileMark } from '@yarnboard/store';
import { bytesAt, identityOf, openRegular } from './bytes.ts';
import { lengthOf, markOf, type Source, type SourceFile, type SourceLine, type SourceOptions } from './source.ts';

/** A companion that isn't a list of lines: stored as a whole, and again when it changes. */
export const openWhole = (file: SourceFile, mark: FileMark | null, options: Pick<SourceOptions, 'fallbackAt' | 'bounds'>): Source => {
  let seen = { identity: mark?.identity ?? '', size: mark?.size ?? 0, modified: mark?.modified ?? 0 };
  let left = 0;
  const read = async (): Promise<readonly SourceLine[]> => {
    left = 0;
    const before = await stat(file.path);
    if (before.size === 0 || (seen.identity === identityOf(before) && seen.size === before.size && seen.modified === before.mtimeMs)) return [];
    left = before.size;
    if (before.size > MOST_WHOLE) throw new Error(`too large to keep: ${before.size} bytes, at most ${MOST_WHOLE} are kept`);
    const { handle, found } = await openRegular(file.path, options.bounds?.());
    try {
      const payload = await bytesAt(handle, 0, found.size);
      left = 0;
      seen = { identity: identityOf(found), size: found.size, modified: found.mtimeMs };
      if (payload.length === 0) return [];
      const at = Math.max(options.fallbackAt, Math.floor(found.mtimeMs));
      const draft = draftOfCompanion(file.context.sessionId, file.name ?? '', lengthOf(payload), at);
      return [
        { item: { draft, payload, reading: null }, at, mark: { offset: payload.length, line: 1, counts: NO_LINES, headHash: '', headBytes: 0 } },
      ];
    } finally {
      await handle.close();
    }
  };
  return {
    file,
    read,
    markAt: (line) => markOf(file, { ...seen, ...line.mark }),
    left: () => left,
    close: () => Promise.resolve(),
  };
};

const NO_LINES = { lines: 0, blank: 0, records: 0, quarantined: 0 };
const MOST_WHOLE = 512 * 1024 * 1024;

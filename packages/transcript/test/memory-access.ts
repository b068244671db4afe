import type { Access } from '../src/index.ts';

/** Files in memory, for dialects that read them as a whole. */
export const memoryAccess = (textOf: (path: string) => string | null, more: Partial<Access> = {}): Access => ({
  query: () => [],
  rows: () => [],
  isOnce: false,
  text: textOf,
  isText: () => true,
  lines: (path) => {
    const text = textOf(path);
    if (text === null) return null;
    const lines = text.split('\n');
    const rest = lines.pop() ?? '';
    return { complete: lines, rest, isText: true };
  },
  piece: (path, length) => (length < 0 ? textOf(path)?.slice(length) : textOf(path)?.slice(0, length)) ?? null,
  names: () => [],
  look: () => null,
  now: 0,
  ...more,
});

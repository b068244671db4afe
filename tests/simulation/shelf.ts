import { lineOfAddition, textOfDocument, withAdditions, type EmergencyAddition, type EmergencyDocument } from '@yarnboard/domain';
import { sha256, type EmergencyPlace } from '@yarnboard/store';
import { readLines } from '../../packages/store/src/emergency/lines.ts';

/** What a shelf keeps of one document: its text, and the lines that came to it. */
export type Kept = { readonly document: string; readonly lines: string };

/** A disk in memory, which can be pulled, torn and put back as it was once. */
export type Shelf = { readonly name: string; kept: ReadonlyMap<string, Kept>; isAway: boolean };

export const emptyShelf = (name: string): Shelf => ({ name, kept: new Map(), isAway: false });

/**
 * A place of the emergency cache on such a disk, with the texts that files have. It is as durable as the shelf: `isGone` says that whoever wrote there was
 * killed, and what was half written by then stays half written.
 */
export const shelfPlace = (shelf: Shelf, { isLocal = true, isGone = (): boolean => false } = {}): EmergencyPlace => {
  const there = (): void => {
    if (shelf.isAway) throw new Error(`${shelf.name} is away`);
    if (isGone()) throw new Error('whoever asks was killed');
  };
  const put = (cacheId: string, kept: Kept | null): void => {
    const others = new Map([...shelf.kept].filter(([id]) => id !== cacheId));
    if (kept !== null) others.set(cacheId, kept);
    shelf.kept = others;
  };
  const findOne = ([cacheId, { document, lines }]: readonly [string, Kept]): Awaited<ReturnType<EmergencyPlace['find']>> => {
    const doubtful: Awaited<ReturnType<EmergencyPlace['find']>>['doubtful'][number][] = [];
    const doubt = (one: Omit<(typeof doubtful)[number], 'place' | 'where'>): void =>
      void doubtful.push({ ...one, place: shelf.name, where: cacheId });
    const { documents, additions } = readLines(`${document}\n${lines}`, doubt);
    const own = documents.find((one) => one.cacheId === cacheId);
    return { documents: own === undefined ? [] : [withAdditions(own, additions)], doubtful };
  };
  return {
    name: shelf.name,
    survives: 'nothing',
    isLocal,
    prepare: async () => there(),
    write: async (document: EmergencyDocument) => {
      there();
      const { lines = '' } = shelf.kept.get(document.cacheId) ?? {};
      await Promise.resolve();
      there();
      put(document.cacheId, { document: textOfDocument(document, sha256), lines: document.resolvedAt === null ? lines : '' });
    },
    add: async (cacheId: string, additions: readonly EmergencyAddition[]) => {
      there();
      const before = shelf.kept.get(cacheId);
      if (before === undefined) throw new Error('there is no such document');
      const text = additions.map((one) => lineOfAddition(one, sha256)).join('');
      // What somebody before did not finish is ended first.
      const begun = before.lines === '' || before.lines.endsWith('\n') ? before.lines : `${before.lines}\n`;
      put(cacheId, { ...before, lines: `${begun}${text.slice(0, text.length / 2)}` });
      await Promise.resolve();
      there();
      put(cacheId, { ...before, lines: `${begun}${text}` });
    },
    find: async () => {
      there();
      const found = [...shelf.kept].map(findOne);
      return { documents: found.flatMap(({ documents }) => documents), doubtful: found.flatMap(({ doubtful }) => doubtful) };
    },
    remove: async (cacheId) => {
      there();
      put(cacheId, null);
    },
    room: async () => null,
    close: async () => {},
  };
};

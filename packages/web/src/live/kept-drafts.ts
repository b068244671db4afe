/** The author, and their board. */
export type DraftOwner = { readonly board: string; readonly actor: string };

export type DraftStorage = Pick<Storage, 'getItem' | 'setItem'>;

/** PAGE-178: drafts, stored where a reload of the page finds them: in the storage of the tab. */
export type KeptDrafts = {
  readonly read: (owner: DraftOwner, key: string) => unknown;
  /** Undefined removes a draft. The oldest makes room when there are too many. */
  readonly write: (owner: DraftOwner, key: string, value: unknown) => void;
};

type Kept = DraftOwner & { readonly key: string; readonly value: unknown };

/** Where drafts are stored, and how many characters of them. */
export type DraftRoom = { readonly key: string; readonly most: number };

export const createKeptDrafts = (storage: DraftStorage | null, room: DraftRoom = TEXT_ROOM): KeptDrafts => {
  // Read each time: every form has its own, and all of them write to the same place.
  const all = (): readonly Kept[] => (storage === null ? [] : readFrom(storage, room.key));
  return {
    read: (owner, key) => all().find((one) => isOf(one, owner, key))?.value,
    write: (owner, key, value) => {
      if (storage === null) return;
      const before = all();
      const others = before.filter((one) => !isOf(one, owner, key));
      if (value === undefined && others.length === before.length) return;
      const { board, actor } = owner;
      keepIn(storage, room, value === undefined ? others : [...others, { board, actor, key, value }]);
    },
  };
};

/** Whether a stored value is valid as the initial value of a form. */
export const fitsIn = <T>(first: T, found: unknown): found is T => {
  if (found === undefined || kindOf(found) !== kindOf(first)) return false;
  if (!isRecord(first) || !isRecord(found)) return true;
  return Object.entries(first).every(([name, value]) => {
    const other = found[name];
    return other === undefined || other === null || value === null || kindOf(other) === kindOf(value);
  });
};

const isOf = (one: Kept, { board, actor }: DraftOwner, key: string): boolean => one.key === key && one.board === board && one.actor === actor;

const keepIn = (storage: DraftStorage, { key, most }: DraftRoom, drafts: readonly Kept[]): void => {
  let rest = drafts.slice(-MOST_DRAFTS);
  for (let text = JSON.stringify(rest); ; text = JSON.stringify(rest)) {
    if (text.length > most && rest.length > 0) {
      rest = rest.slice(1);
      continue;
    }
    try {
      storage.setItem(key, text);
    } catch {
      // There is no room: it stays in the page, as before.
    }
    return;
  }
};

const readFrom = (storage: DraftStorage, key: string): readonly Kept[] => {
  try {
    const read: unknown = JSON.parse(storage.getItem(key) ?? '[]');
    return Array.isArray(read) ? read.filter(isKept) : [];
  } catch {
    return []; // the page never stored anything readable there
  }
};

const isKept = (value: unknown): value is Kept =>
  isRecord(value) && 'value' in value && [value['board'], value['actor'], value['key']].every((text) => typeof text === 'string');

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null && !Array.isArray(value);

const kindOf = (value: unknown): string => (Array.isArray(value) ? 'list' : value === null ? 'null' : typeof value);

export const DRAFTS_KEY = 'yarnboard.drafts';
const MOST_DRAFTS = 50;
/** Texts are read and written again with every key press. */
export const TEXT_ROOM: DraftRoom = { key: DRAFTS_KEY, most: 200_000 };
/** Images change rarely. Browsers give a page about five million characters. */
export const IMAGE_ROOM: DraftRoom = { key: 'yarnboard.images', most: 3_000_000 };

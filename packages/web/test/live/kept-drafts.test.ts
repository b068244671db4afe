import { expect, test } from 'vitest';
import { createKeptDrafts, DRAFTS_KEY, fitsIn, type DraftOwner, type DraftStorage } from '../../src/live/kept-drafts.ts';

const storageOf = (room = Infinity): DraftStorage & { readonly held: Map<string, string> } => {
  const held = new Map<string, string>();
  return {
    held,
    getItem: (key) => held.get(key) ?? null,
    setItem: (key, value) => {
      if (value.length > room) throw new DOMException('full', 'QuotaExceededError');
      held.set(key, value);
    },
  };
};

const mia: DraftOwner = { board: 'board-1', actor: 'AGENT-mia' };

test('[PAGE-178] a draft is found again by whoever wrote it on that board, and by nobody else', () => {
  const storage = storageOf();
  createKeptDrafts(storage).write(mia, 'chat/1', { text: 'Half a sent' });
  const after = createKeptDrafts(storage);
  expect([mia, { ...mia, actor: 'operator' }, { ...mia, board: 'board-2' }].map((owner) => after.read(owner, 'chat/1'))).toEqual([
    { text: 'Half a sent' },
    undefined,
    undefined,
  ]);
  expect(after.read(mia, 'chat/2')).toBeUndefined();
  after.write(mia, 'chat/1', undefined);
  expect(storage.held.get(DRAFTS_KEY)).toBe('[]');
});

test('[PAGE-178] the oldest drafts give way, by number and by size', () => {
  const drafts = createKeptDrafts(storageOf());
  const keys = Array.from({ length: 52 }, (_, n) => `note/${n}`);
  for (const key of keys) drafts.write(mia, key, key);
  drafts.write(mia, 'note/2', 'written again');
  drafts.write(mia, 'note/52', 'one more');
  expect(keys.filter((key) => drafts.read(mia, key) === undefined)).toEqual(['note/0', 'note/1', 'note/3']);
  drafts.write(mia, 'long', 'x'.repeat(199_000));
  expect(drafts.read(mia, 'long')).toHaveLength(199_000);
  expect(drafts.read(mia, 'note/4')).toBeUndefined();
  drafts.write(mia, 'longer', 'x'.repeat(300_000));
  expect(drafts.read(mia, 'longer')).toBeUndefined();
});

test('[PAGE-178] a storage that is full, broken or missing costs a reload only', () => {
  const full = storageOf(10);
  createKeptDrafts(full).write(mia, 'chat/1', 'more than ten characters');
  const broken = storageOf();
  const read = ['{', '7', '[7, {"board": "board-1"}]'].map((text) => {
    broken.held.set(DRAFTS_KEY, text);
    return createKeptDrafts(broken).read(mia, 'chat/1');
  });
  const none = createKeptDrafts(null);
  none.write(mia, 'chat/1', 'x');
  expect({ full: [...full.held], read, none: none.read(mia, 'chat/1') }).toEqual({
    full: [],
    read: [undefined, undefined, undefined],
    none: undefined,
  });
});

test('[PAGE-178] what another version of the page has kept is taken only when it can be what the form begins with', () => {
  const first = { text: '', inReplyTo: null, tags: ['a'] };
  const found = [{ text: 'x', inReplyTo: 'MSG-1', tags: [] }, { text: 'x' }, { text: 7 }, { text: 'x', tags: {} }, 'x', null, [], undefined];
  expect(found.map((one) => fitsIn(first, one))).toEqual([true, true, false, false, false, false, false, false]);
  expect(['', 'x', 7].map((one) => fitsIn('', one))).toEqual([true, true, false]);
});

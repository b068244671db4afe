/** PAGE-613: up to which step this browser has read a conversation, for the latest few hundred. */
export const lastSeen = (conversation: string): string | null => read().find(([of]) => of === conversation)?.[1] ?? null;

export const keepSeen = (conversation: string, uuid: string): void => {
  const all = read();
  const [latest] = all.slice(-1);
  if (latest?.[0] === conversation && latest[1] === uuid) return;
  localStorage.setItem(KEY, JSON.stringify([...all.filter(([of]) => of !== conversation), [conversation, uuid]].slice(-MOST)));
};

type Kept = readonly (readonly [string, string])[];

const read = (): Kept => {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(kept) ? kept.filter(isPair) : [];
  } catch {
    return []; // not written by us: treat it as nothing read
  }
};

const isPair = (one: unknown): one is readonly [string, string] =>
  Array.isArray(one) && one.length === 2 && typeof one[0] === 'string' && typeof one[1] === 'string';

const KEY = 'yarnboard.read';
const MOST = 400;

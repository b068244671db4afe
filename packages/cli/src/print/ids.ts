/** The shortest unique prefix of each id, of eight characters or more: short enough to type, and enough for every command that takes an id. */
export const shortIds = (ids: Iterable<string>): ((id: string) => string) => {
  const all = [...new Set(ids)].sort();
  const lengths = new Map(all.map((id, at) => [id, Math.max(SHORTEST, 1 + sharedBy(id, all[at - 1] ?? ''), 1 + sharedBy(id, all[at + 1] ?? ''))]));
  return (id) => id.slice(0, lengths.get(id) ?? SHORTEST);
};

const sharedBy = (a: string, b: string): number => {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return at;
};

const SHORTEST = 8;

/** Never runs the same named work twice at a time: concurrent callers get the first one's result. */
type Once<T> = (name: string, work: () => Promise<T>) => Promise<T>;

export const createOnce = <T>(): Once<T> => {
  const going = new Map<string, Promise<T>>();
  return async (name, work) => {
    const before = going.get(name);
    if (before !== undefined) return before;
    const begun = work();
    going.set(name, begun);
    try {
      return await begun;
    } finally {
      going.delete(name);
    }
  };
};

type Work = () => Promise<void> | void;

const works: { readonly test: Work[]; readonly file: Work[] } = { test: [], file: [] };

/** Has something done when the test that runs is over, whatever comes of it; the last first. */
export const afterTest = (work: Work): void => void works.test.push(work);

/** The same when all tests of the file are over. A hook of a module that several files share would be one of the first of them only. */
export const afterFile = (work: Work): void => void works.file.push(work);

/** Does everything that was asked for. One that fails keeps nothing else from being done. */
export const workOff = async (of: 'test' | 'file'): Promise<void> => {
  const faults: unknown[] = [];
  for (const work of works[of].splice(0).toReversed()) {
    try {
      await work();
    } catch (cause) {
      faults.push(cause);
    }
  }
  if (faults.length > 0) throw faults[0];
};

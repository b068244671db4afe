/** Waits for something up to a time limit. A late result is discarded; the caller must not reuse what it worked on. */
export const inTime = async <T>(work: Promise<T>, patience: number): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${patience / 1000} s`)), patience);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
    work.catch(() => {}); // a late failure was already reported as a timeout
  }
};

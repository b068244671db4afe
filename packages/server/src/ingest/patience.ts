/** Waits for something, but not for ever. What comes late is nobody's any more; the caller must not use what it worked on again. */
export const inTime = async <T>(work: Promise<T>, patience: number): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${patience / 1000} s`)), patience);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
    work.catch(() => {}); // if it fails late, that was told when it was late
  }
};

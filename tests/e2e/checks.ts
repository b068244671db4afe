export type Check = (name: string, look: () => void | Promise<void>) => Promise<void>;

export type Scenario = {
  readonly name: string;
  readonly play: (check: Check) => Promise<void>;
};

export type Outcome = { readonly passed: number; readonly failed: number };

/** Plays scenarios one after the other and prints a line for each check. */
export const playAll = async (scenarios: readonly Scenario[], print: (line: string) => void): Promise<Outcome> => {
  let passed = 0;
  let failed = 0;
  const fail = (title: string, cause: unknown): void => {
    failed += 1;
    print(`FAIL  ${title}\n${reasonOf(cause).replaceAll(/^/gmu, '        ')}`);
  };
  for (const { name, play } of scenarios) {
    const before = passed + failed;
    const check: Check = async (what, look) => {
      const title = `${name}: ${what}`;
      try {
        await look();
        passed += 1;
        print(`ok    ${title}`);
      } catch (cause) {
        fail(title, cause);
      }
    };
    try {
      await play(check);
      if (passed + failed === before) throw new Error('checked nothing');
    } catch (cause) {
      fail(name, cause);
    }
  }
  return { passed, failed };
};

/** What went wrong, why, and where in the scenarios; the rest of a stack tells nothing. */
const reasonOf = (cause: unknown): string => {
  if (!(cause instanceof Error)) return String(cause);
  const places = (cause.stack ?? '').split('\n').filter((line) => /^\s+at .*[/\\]e2e[/\\](?!checks|run)/u.test(line));
  return [cause.message, ...places.slice(0, 2), ...(cause.cause === undefined ? [] : [`because: ${reasonOf(cause.cause)}`])].join('\n');
};

/** Waits for something that another process does; what was missing is told when it does not happen. */
export const until = async <T>(what: string, look: () => T | null | Promise<T | null>, patience = 20_000): Promise<T> => {
  const end = Date.now() + patience;
  for (;;) {
    const found = await look();
    if (found !== null) return found;
    if (Date.now() > end) throw new Error(`not within ${patience / 1000} s: ${what}`);
    await new Promise((resolve) => {
      setTimeout(resolve, 20);
    });
  }
};

/** The same for something that is promised. */
export const within = async <T>(what: string, promise: Promise<T>, patience = 20_000): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not within ${patience / 1000} s: ${what}`)), patience);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
};

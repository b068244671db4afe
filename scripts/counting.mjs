// What a run of the tests came to: the one place that counts.

/**
 * Counts a report of vitest (`--reporter=json`). A file that could not be loaded, or whose hooks failed, has no failed test of its own: it counts as one.
 * So does an error that belongs to no file.
 */
export const countReport = ({ testResults, success }) => {
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const count = (...statuses) => tests.filter(({ status }) => statuses.includes(status)).length;
  const broken = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && !assertionResults.some((one) => one.status === 'failed'),
  );
  const failed = count('failed') + broken.length;
  return {
    passed: count('passed'),
    failed: success ? failed : Math.max(failed, 1),
    skipped: count('pending', 'skipped', 'todo', 'disabled'),
  };
};

/** The last line of a run, always in these words: programs read it. */
export const closingLine = ({ passed, failed }) => `${passed} passed, ${failed} failed`;

/** What stands before it. */
export const summaryLine = ({ skipped }, milliseconds) => {
  const seconds = Math.round(milliseconds / 1000);
  const took = seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `Took ${took}${skipped === 0 ? '' : `; ${skipped} skipped`}.`;
};

/** A run that proved nothing is none that passed. */
export const isGreen = ({ passed, failed }) => passed > 0 && failed === 0;

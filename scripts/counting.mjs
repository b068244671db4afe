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

const MOST_RUN_AGAIN = 5;
const failedIn = ({ assertionResults }) => assertionResults.filter(({ status }) => status === 'failed');
const isCounterexample = ({ failureMessages = [] }) => failureMessages.some((message) => message.includes('Property failed after'));

/**
 * The files of a report that deserve another run (GATE-9): those that failed, unless one found a counterexample, which a second run might not draw again,
 * or there are so many that chance did not do it.
 */
export const worthAnotherRun = ({ testResults }) => {
  const failed = testResults.filter(({ status }) => status === 'failed');
  const isChance = failed.length <= MOST_RUN_AGAIN && !failed.flatMap(failedIn).some(isCounterexample);
  return isChance ? failed.map(({ name }) => name) : [];
};

/**
 * The report in which files that passed whole when run again stand as passed, and a line for each test that failed the first time. A file passed whole if
 * every test that failed before passed: one that was skipped, or not there, has proved nothing. A report stays as it is (the same object) where no file
 * passed.
 */
export const settle = (report, again) => {
  const passed = new Map(again.testResults.filter(({ status }) => status === 'passed').map((file) => [file.name, file]));
  const isSettled = (file) => {
    const second = passed.get(file.name);
    const names = new Set(second?.assertionResults.filter(({ status }) => status === 'passed').map(({ fullName }) => fullName));
    return file.status === 'failed' && names.size > 0 && failedIn(file).every(({ fullName }) => names.has(fullName));
  };
  const unsteady = report.testResults.filter(isSettled);
  if (unsteady.length === 0) return { report, unsteady: [] };
  const testResults = report.testResults.map((file) => (unsteady.includes(file) ? passed.get(file.name) : file));
  return {
    report: { success: testResults.every(({ status }) => status === 'passed'), testResults },
    unsteady: unsteady.flatMap((file) => {
      const names = failedIn(file).map(({ fullName }) => fullName);
      return (names.length === 0 ? ['the file itself'] : names).map((test) => `Unsteady, passed only when run again: ${file.name}: ${test}`);
    }),
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

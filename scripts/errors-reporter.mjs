// A reporter of vitest that leaves, beside its report, how many errors belonged to no test: the report itself doesn't say. Nor does it say that a run was
// broken off, and that the rest of the files never ran.
import { writeFileSync } from 'node:fs';

export default class ErrorsReporter {
  onTestRunEnd(_modules, errors, reason) {
    writeFileSync(process.env.YARNBOARD_ERRORS_FILE, String(errors.length + (reason === 'interrupted' ? 1 : 0)));
  }
}

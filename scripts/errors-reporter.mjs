// A reporter of vitest that leaves, beside its report, how many errors belonged to no test: the report itself doesn't say.
import { writeFileSync } from 'node:fs';

export default class ErrorsReporter {
  onTestRunEnd(_modules, errors) {
    writeFileSync(process.env.YARNBOARD_ERRORS_FILE, String(errors.length));
  }
}

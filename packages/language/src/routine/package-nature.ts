import { architectureWords } from './architecture-words.ts';
import { proposedChanges } from './proposed-changes.ts';
import { securityWords } from './security-words.ts';

/** What a package says, and of what. */
export type PackageText = {
  readonly task: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly findings: readonly string[];
  readonly recommendations: string | null;
  /** Files that it cites. */
  readonly paths: readonly string[];
};

/** The words that keep a package from merging by itself; each list is empty where there are none. */
export type PackageNature = {
  readonly changes: readonly string[];
  /** What it changes is code: there is a patch, a command, or a name of something in code. */
  readonly isCode: boolean;
  readonly security: readonly string[];
  readonly architecture: readonly string[];
};

/** AUTO-11: deterministic, and linear in the length of the package. */
export const packageNature = ({ task, tags, summary, findings, recommendations, paths }: PackageText): PackageNature => {
  // A summary that is made of the task and the findings says nothing new.
  const summed = findings.reduce((left, finding) => left.replace(finding, ' '), summary.replace(task, ' ')).trim();
  const told = [...findings, ...(summed === '' ? [] : [summed])];
  const said = [task, ...told, ...(recommendations === null ? [] : [recommendations])];
  const changes = proposedChanges(told, recommendations, task);
  return {
    changes,
    isCode: changes.length > 0 && (paths.some(isSource) || said.some(namesCode)),
    security: securityWords([...said, ...tags], paths).slice(0, MOST_NAMED),
    architecture: architectureWords([...said, ...tags]),
  };
};

const isSource = (path: string): boolean => SOURCE.test(path);
const namesCode = (text: string): boolean => CODE.test(text);

const SOURCE =
  /\.(?:c|cc|clj|cpp|cs|css|dart|erl|ex|exs|fs|go|h|hpp|hs|html|java|js|jsx|kt|lua|m|mjs|ml|php|pl|py|r|rb|rs|scala|scss|sh|sql|svelte|swift|tf|ts|tsx|vue|zig)(?::\d+(?:-\d+)?)?$/u;
const CODE =
  /```|`[^`]+`|^(?:diff|@@|\+\+\+|---) |\w\(\)|\b[a-z]+[A-Z]\w*|\b\w+_\w+|\b(?:code|function|method|class|module|bug|patch|diff|refactor\w*|implement\w*|commit|branch|pull request|tests?|library|component|script|query|index|migration)\b|[\w-]\.(?:ts|js|py|go|rs|java|rb|sql|sh|c|cpp|cs|php|tsx|jsx)\b/mu;
const MOST_NAMED = 5;

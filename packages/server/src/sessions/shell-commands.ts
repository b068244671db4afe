/** One program of a command line, and how it is joined to the next one. */
export type ShellStep = { readonly words: readonly string[]; readonly text: string; readonly joint: '&&' | '||' | '|' | ';' | '&' | null };

/** What a command line runs, in order. Quotes are respected; the text of a here-document is left out. */
export const stepsOf = (command: string): readonly ShellStep[] => {
  const steps: ShellStep[] = [];
  let words: string[] = [];
  let word = '';
  let isWord = false;
  let quote = '';
  const text = withoutDocuments(command);
  const endWord = (): void => {
    if (isWord) words.push(word);
    word = '';
    isWord = false;
  };
  const endStep = (joint: ShellStep['joint']): void => {
    endWord();
    const own = programOf(words);
    if (own.length > 0) steps.push({ words: own, text: own.join(' '), joint });
    words = [];
  };
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at] ?? '';
    const two = text.slice(at, at + 2);
    if (quote !== '') {
      if (sign === quote) quote = '';
      else word += sign;
    } else if (sign === "'" || sign === '"') {
      quote = sign;
      isWord = true;
    } else if (two === '&&' || two === '||') {
      endStep(two);
      at += 1;
    } else if (sign === '|' || sign === ';' || sign === '\n') {
      endStep(sign === '|' ? '|' : ';');
    } else if (sign === '&' && two !== '&>' && text[at - 1] !== '>') {
      endStep('&');
    } else if (/\s/u.test(sign)) {
      endWord();
    } else {
      word += sign === '\\' ? (text[(at += 1)] ?? '') : sign;
      isWord = true;
    }
  }
  endStep(null);
  return steps;
};

/** Whether a command line only reads. Command substitutions may do anything, so they never count as reading. */
export const onlyLooks = (command: string): boolean =>
  !/\$\(|`|<\(/u.test(command) &&
  stepsOf(command).every((step) => targetsOf(step).every((path) => path === '/dev/null') && LOOKS.some((pattern) => pattern.test(step.text)));

/** The files that a step redirects its output to. */
const targetsOf = ({ words }: ShellStep): readonly string[] =>
  words.flatMap((word, at) => {
    const [, path] = /^(?:\d|&)?>{1,2}(.*)$/u.exec(word) ?? [];
    if (path === undefined || /^&\d$/u.test(path)) return [];
    return path === '' ? (words[at + 1] ?? []) : [path];
  });

/** Tools of all dialects that run a command line. */
export const SHELLS: ReadonlySet<string> = new Set(['Bash', 'shell', 'exec_command', 'run_shell_command', 'PowerShell']);

/** Whether a command line writes project files, judging by the programs we know. */
export const writesFiles = (command: string): boolean =>
  stepsOf(command).some(
    (step) => CHANGES.test(step.text) || writtenBy(step, command).some((path) => !path.startsWith('/dev/') && !path.startsWith('/tmp/')),
  );

/** The files that a step writes, as far as it names them. */
export const writtenBy = (step: ShellStep, command: string): readonly string[] => {
  const [program = '', ...rest] = step.words;
  const named = rest.filter((word) => !word.startsWith('-'));
  const own =
    program === 'tee' || program === 'touch' || (program === 'sed' && rest.some((word) => /^-\w*i|^--in-place/u.test(word)))
      ? named
      : program === 'cp' || program === 'mv'
        ? named.slice(-1)
        : [];
  const patched = program === 'apply_patch' ? [...command.matchAll(/^\*\*\* (?:Add|Update) File: (.+)$/gmu)].map(([, path = '']) => path.trim()) : [];
  return [...own, ...targetsOf(step), ...patched];
};

/** Strips what only sets the environment, user or duration of the program. */
const programOf = (words: readonly string[]): readonly string[] => {
  let rest = words;
  for (let steps = 0; steps < MOST_LEADS; steps += 1) {
    const lead = LEADS.map((pattern) => pattern.exec(rest.join(' '))?.[0].trim().split(' ').length ?? 0).find((length) => length > 0) ?? 0;
    if (lead === 0 || lead >= rest.length) break;
    rest = rest.slice(lead);
  }
  return rest;
};

const LEADS = [
  /^[A-Za-z_]\w*=\S* /u,
  /^(?:sudo|time|command|exec|env|nohup|then|do|if|!|\(|\{) /u,
  /^timeout (?:-\S+ )*\d+\w* /u,
  /^nice (?:-n )?-?\d+ /u,
  /^(?:npx|bunx)(?: -\S+)* /u,
  /^(?:pnpm|yarn|npm) (?:exec|dlx)(?: --)? /u,
  /^(?:uv|poetry|pipenv|rye|hatch) run /u,
  /^bundle exec /u,
  /^python[\d.]* -m /u,
] as const;

const withoutDocuments = (command: string): string => command.replaceAll(/<<-?\s*(['"]?)(\w+)\1([^\n]*)\n(?:[\s\S]*?\n)??[ \t]*\2(?=\n|$)/gu, '$3');

const LOOKS: readonly RegExp[] = [
  /^(?:cd|pwd|ls|ll|cat|bat|head|tail|less|grep|egrep|fgrep|rg|ag|wc|echo|printf|which|type|stat|file|tree|du|df|ps|date|whoami|hostname|uname|sort|uniq|cut|tr|jq|diff|cmp|true|false|test|\[|sleep|basename|dirname|realpath|readlink|column|nl|od|xxd|strings|md5sum|sha256sum|id|uptime|free|fd)\b/u,
  /^sed(?!.*\s(?:-\w*i|--in-place))(?!.*\bw\s)/u,
  /^find (?!.*-(?:delete|exec|ok|fprint))/u,
  /^git (?:-C \S+ |--no-pager |-c \S+ )*(?:status|diff|log|show|blame|rev-parse|rev-list|ls-files|ls-tree|describe|remote(?: -v| show| get-url)?|branch(?: -[avr]+| --show-current| --list)*$|stash list|shortlog|reflog|cat-file|grep|config --get)\b/u,
  /^gh (?:pr|issue|run|repo|release) (?:view|list|status|checks|diff)\b/u,
  /^(?:npm|pnpm|yarn) (?:ls|list|view|info|outdated|why)\b/u,
  /^\S+ (?:--version|-v|-V|version|--help|-h)$/u,
];
const CHANGES =
  /^(?:mv|cp|rm|patch|apply_patch|sed .*(?:\s|^)-\w*i|git (?:-C \S+ )?(?:checkout|switch|stash|apply|reset|merge|rebase|pull|revert|cherry-pick|restore)|(?:npm|pnpm|yarn|bun|pip) (?:i|install|add)|prettier .*(?:-w|--write)|(?:eslint|ruff|oxlint) .*--fix)\b/u;
const MOST_LEADS = 6;

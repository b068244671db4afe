import { spawnSync } from 'node:child_process';
import { expect } from 'vitest';

/** A command of a tour with the lines it says it prints; one that is refused is marked with an exclamation mark. */
export type Step = { readonly command: string; readonly printed: readonly string[]; readonly isRefused: boolean };

export const stepsIn = (markdown: string): readonly Step[] =>
  [...markdown.matchAll(/```console\n([\s\S]*?)```/gu)].flatMap(([, block = '']) =>
    block
      .split(/^\$ /mu)
      .filter((part) => part.trim() !== '')
      .map((part) => {
        const [command = '', ...printed] = part.trimEnd().split('\n');
        const isRefused = printed.some((line) => line.startsWith('!'));
        return { command, printed: printed.map((line) => line.replace(/^!/u, '')), isRefused };
      }),
  );

type Said = { readonly text: string; readonly status: number };

/** All in one shell, as somebody who follows the tour would: what one command sets, the next one has. */
export const said = (
  steps: readonly Step[],
  command: string,
  db: readonly string[],
  place: { readonly env: NodeJS.ProcessEnv; readonly cwd: string },
): readonly Said[] => {
  const script = [
    `yarnboard() { "${process.execPath}" "${command}" "$@" ${db.map((one) => `"${one}"`).join(' ')}; }`,
    ...steps.map(({ command }) => `echo '${MARK}'\n${command} 2>&1\ncode=$?; echo; echo "${MARK}$code"`),
  ].join('\n');
  const { stdout, status } = spawnSync('bash', ['-c', script], { ...place, encoding: 'utf8' });
  expect(status).toBe(0);
  return stdout
    .split(`${MARK}\n`)
    .slice(1)
    .map((part) => {
      const [text = '', code = ''] = part.split(MARK);
      return { text: text.trimEnd(), status: Number.parseInt(code, 10) };
    });
};

/** What is not as the tour says. */
export const differencesIn = (steps: readonly Step[], walked: readonly Said[]): readonly object[] =>
  steps.flatMap(({ command, printed, isRefused }, i) => {
    const { text = '', status = -1 } = walked[i] ?? {};
    const missing = isPrinted(text, printed);
    return missing === null && isRefused === (status !== 0) ? [] : [{ command, missing, status, text }];
  });

/** The lines that were promised, in order; whatever else is printed stands in between. */
const isPrinted = (text: string, lines: readonly string[]): string | null => {
  let rest = text.split('\n');
  for (const line of lines) {
    const at = rest.findIndex((one) => patternOf(line).test(one));
    if (at === -1) return line;
    rest = rest.slice(at + 1);
  }
  return null;
};

const patternOf = (line: string): RegExp =>
  new RegExp(
    `^${line
      .split('…')
      .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`))
      .join('.*')}$`,
    'u',
  );

const MARK = '@@@@';

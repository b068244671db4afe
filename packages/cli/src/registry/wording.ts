import { REGISTRY, type Operation, type OperationName } from '@yarnboard/protocol';
import type { Given } from './command-line.ts';
import type { Parameter } from './parameters.ts';
import { VERBS, type Verb } from './verbs.ts';

/**
 * CLI-25: what the board says, in the words of a terminal. It speaks to everybody alike, by the names of operations, inputs and addresses; here an operation is
 * a verb, an input a flag or a word of the usage, and a list has a verb that prints it. What has no such words stays as it is.
 */
export const inTerminalWords = (text: string, verb?: Verb, given: Given = {}): string => {
  const [, first = '', rest = ''] = /^([a-z]+)( is empty\b.*)$/su.exec(text) ?? [];
  const missing = verb?.parameters.find(({ name }) => name === first);
  const told =
    verb === undefined || missing === undefined
      ? text
      : `${inputName(verb, missing)}${given[first] === undefined ? rest.replace('is empty', 'is missing') : rest}`;
  return told
    .replaceAll(/\bGET \/api\/v1(\/[^\s;,]*)/gu, (whole, path: string) => listingVerb(path) ?? whole)
    .replaceAll(/(?<![\w/-])[a-z]+(?:_[a-z]+)+(?![\w/-])/gu, (name) => {
      const input = verb?.parameters.find((one) => one.name === name);
      if (verb !== undefined && input !== undefined) return inputName(verb, input);
      const found = VERBS.find((one) => one.name === name);
      return found === undefined ? name : quoted(found);
    });
};

const inputName = ({ given, aliases }: Verb, parameter: Parameter): string => {
  const alias = [...aliases].find(([, name]) => name === parameter.name)?.[0];
  return given.includes(parameter) ? parameter.flag.toUpperCase() : `--${alias ?? parameter.flag}`;
};

const quoted = ({ group, word }: Verb): string => `\`yarnboard ${group} ${word}\``;

const listingVerb = (path: string): string | null => {
  const operation = Object.values<Operation>(REGISTRY).find(
    (one) => one.method === 'GET' && new RegExp(`^${one.path.replaceAll(/\{\w+\}/gu, '[^/]+')}$`, 'u').test(path),
  );
  const verb = VERBS.find(({ name }) => name === operation?.name);
  if (verb !== undefined) return quoted(verb);
  const other = operation === undefined ? undefined : OTHER_WORDS[operation.name as OperationName]; // the registry's own
  return other === undefined ? null : `\`yarnboard ${other}\``;
};

/** Commands that do more than an operation, and so are no verbs of the registry. */
const OTHER_WORDS: Readonly<Partial<Record<OperationName, string>>> = { sessions: 'inspect --all', status: 'status', verify: 'verify' };

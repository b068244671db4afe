import { REGISTRY, TERMINAL_ALIASES, TERMINAL_NONE, type Operation, type OperationName, type Terminal } from '@yarnboard/protocol';
import { Refusal } from '../refusal.ts';
import { parametersOf, type Parameter } from './parameters.ts';

/** An operation as it is called from a terminal. */
export type Verb = {
  readonly name: OperationName;
  readonly operation: Operation;
  /** `sidebar` of `sidebar spawn`. */
  readonly group: string;
  readonly word: string;
  readonly parameters: readonly Parameter[];
  /** Positional inputs, in this order. */
  readonly given: readonly Parameter[];
  /** Other names for a flag. */
  readonly aliases: ReadonlyMap<string, string>;
  /** CLI-34: switches that set an input to null, since that must be explicit. */
  readonly nothings: ReadonlyMap<string, string>;
};

/** CLI-18: every operation with words, as the registry lists them. */
export const VERBS: readonly Verb[] = Object.values<Operation>(REGISTRY).flatMap((operation) =>
  operation.terminal === undefined ? [] : [operation.terminal, ...(operation.terminal.also ?? [])].map((terminal) => verbOf(operation, terminal)),
);

function verbOf(operation: Operation, { words, given }: Terminal): Verb {
  const [group, ...rest] = words;
  const parameters = parametersOf(operation);
  const name = operation.name as OperationName; // the registry's own
  return {
    name,
    operation,
    group,
    word: rest.join(' '),
    parameters,
    given: given.flatMap((wanted) => parameters.filter((one) => one.name === wanted)),
    aliases: new Map(Object.entries(TERMINAL_ALIASES[name] ?? {})),
    nothings: new Map(Object.entries(TERMINAL_NONE[name] ?? {})),
  };
}

export const groupsOf = (): readonly string[] => [...new Set(VERBS.map(({ group }) => group))];

export const verbsOf = (group: string): readonly Verb[] => VERBS.filter((verb) => verb.group === group);

/** A group's verb; without a word, the one that lists. */
export const findVerb = (group: string, word: string | undefined): Verb => {
  const verbs = verbsOf(group);
  const found = verbs.find((verb) => verb.word === (word ?? 'list'));
  if (found !== undefined) return found;
  const words = verbs.map((verb) => verb.word);
  throw new Refusal(2, `there is no \`yarnboard ${group} ${word ?? ''}\`${meantBy(word ?? '', words, group)}; there are ${words.join(', ')}`);
};

/** What somebody may have meant: by the documents, whose words aren't all verbs, otherwise by the letters. */
export const meantBy = (word: string, words: readonly string[], group?: string): string => {
  const lines = OTHER_WORDS[word.toLowerCase()];
  if (lines === undefined) return meant(word, words);
  const own = lines.filter((line) => line.startsWith(`${group ?? ''} `));
  return ` (that is ${(own.length === 0 ? lines : own).map((line) => `\`yarnboard ${line}\``).join(' or ')})`;
};

/** Words of the documents for what a verb does. */
const OTHER_WORDS: Readonly<Record<string, readonly string[]>> = {
  discard: ['sidebar archive SB-n'],
  promote: ['sidebar move SB-n ACTIVE'],
  ack: ['agent read N'],
  approve: ['sidebar merge SB-n'],
  review: ['sidebar move SB-n REVIEWING', 'sidebar score SB-n EXCH-n=HIGH'],
  reject: ['sidebar validate SB-n FINDING-n rejected', 'gold validate GOLD-n rejected'],
  confirm: ['sidebar validate SB-n FINDING-n confirmed', 'gold validate GOLD-n confirmed'],
};

/** ", did you mean …?" for a near miss. */
export const meant = (word: string, words: readonly string[]): string => {
  const near = words
    .map((one) => ({ one, far: distance(word.toLowerCase(), one) }))
    .filter(({ one, far }) => far <= Math.ceil(one.length / 3) || (word.length > 1 && one.startsWith(word.toLowerCase())))
    .sort((a, b) => a.far - b.far)[0];
  return near === undefined ? '' : ` (did you mean ${near.one}?)`;
};

/** Edit distance. */
const distance = (from: string, to: string): number => {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (const [at, letter] of from.split('').entries()) {
    const next = [at + 1];
    for (const [other, wanted] of to.split('').entries())
      next.push(Math.min((row[other + 1] ?? 0) + 1, (next[other] ?? 0) + 1, (row[other] ?? 0) + (letter === wanted ? 0 : 1)));
    row = next;
  }
  return row.at(-1) ?? 0;
};

/** `yarnboard sidebar pause SIDEBAR-ID REASON…` */
export const usageOf = ({ group, word, given, parameters, name, aliases, nothings }: Verb): string => {
  const words = given.map((one, at) => {
    const shown = `${flagName(one)}${at === given.length - 1 && takesRest(one) ? '…' : ''}`;
    return one.isRequired && !one.isNullable ? shown : `[${shown}]`;
  });
  const flags = parameters
    .filter((one) => one.isRequired && !one.isNullable && !given.includes(one) && !MADE_HERE.get(name)?.includes(one.name))
    .map((one) => `--${one.flag} ${valueName(one)}`);
  const others = [...aliases].map(([flag, input]) => {
    const nothing = [...nothings].find(([, one]) => one === input)?.[0];
    return nothing === undefined ? `[--${flag} REF]` : `--${flag} REF | --${nothing}`;
  });
  return ['yarnboard', group, word, ...words, ...flags, ...others].join(' ');
};

/** Inputs that the terminal derives from a named file. */
export const MADE_HERE: ReadonlyMap<OperationName, readonly string[]> = new Map([['media_uploaded', ['content', 'media_type']]]);

export const takesRest = ({ form }: Parameter): boolean => form.kind === 'list' || form.kind === 'record' || (form.kind === 'text' && form.isProse);

const flagName = ({ flag }: Parameter): string => flag.toUpperCase();

export const valueName = ({ form, flag }: Parameter): string => {
  if (form.kind === 'choice') return form.values.join('|');
  if (form.kind === 'number') return 'N';
  if (form.kind === 'list') return form.hasCommas ? `${flag.toUpperCase()},…` : flag.toUpperCase();
  if (form.kind === 'record') return form.hasCommas ? 'NAME=VALUE,…' : 'NAME=VALUE';
  return form.kind === 'switch' ? '' : flag.toUpperCase();
};

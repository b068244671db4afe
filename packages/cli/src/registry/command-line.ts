import { complaintsOf, words } from '@yarnboard/protocol';
import { assertNever } from '@yarnboard/transcript';
import { Refusal } from '../refusal.ts';
import type { Form, Parameter } from './parameters.ts';
import { MADE_HERE, meant, takesRest, usageOf, type Verb } from './verbs.ts';

export type Given = Readonly<Record<string, unknown>>;

/** A parsed command line. */
export type CommandLine = {
  readonly given: Given;
  /** Inputs whose text is on standard input. */
  readonly fromInput: readonly string[];
  readonly isJson: boolean;
  readonly db: string | undefined;
  readonly isDemo: boolean;
};

/** Flags of every verb; no input may have such a name. */
export const COMMON_FLAGS = ['json', 'db', 'demo', 'help'] as const;

/** CLI-19: parses the words after a verb. Errors are bad usage, and say what would be right. */
export const readCommandLine = (verb: Verb, args: readonly string[]): CommandLine => {
  const { flags, words } = split(verb, args);
  const said = new Map<string, readonly string[]>();
  for (const { name, value } of flags) said.set(name, [...(said.get(name) ?? []), value]);
  for (const [name, values] of said) if (!isMany(verb, name) && values.length > 1) throw wrong(verb, `--${name} is given ${values.length} times`);
  const given: Record<string, unknown> = {};
  const fromInput: string[] = [];
  const put = (parameter: Parameter, values: readonly string[]): void => {
    if (takesProse(parameter) && values.length === 1 && values[0] === '-') fromInput.push(parameter.name);
    else given[parameter.name] = valueOf(verb, parameter, values);
  };
  for (const parameter of verb.parameters) {
    const values = said.get(parameter.flag);
    if (values !== undefined) put(parameter, values);
  }
  for (const [flag, name] of verb.nothings) {
    if (!said.has(flag)) continue;
    if (given[name] !== undefined) throw wrong(verb, `--${flag} is for one without ${flagsFor(verb, name)}`);
    given[name] = null;
  }
  placeWords(verb, words, said, put);
  if (fromInput.length > 1) throw wrong(verb, 'only one text can come from standard input');
  return { given, fromInput, isJson: said.has('json'), db: said.get('db')?.[0], isDemo: said.has('demo') };
};

type Flag = { readonly name: string; readonly value: string };

const split = (verb: Verb, args: readonly string[]): { readonly flags: readonly Flag[]; readonly words: readonly string[] } => {
  const flags: Flag[] = [];
  const words: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? '';
    if (arg === '--') return { flags, words: [...words, ...args.slice(at + 1)] };
    if (!arg.startsWith('--')) {
      words.push(arg);
      continue;
    }
    const equals = arg.indexOf('=');
    const { name, isSwitch, isNot } = flagNamed(verb, equals === -1 ? arg.slice(2) : arg.slice(2, equals));
    const inline = equals === -1 ? null : arg.slice(equals + 1);
    if (isSwitch) {
      if (inline !== null && inline !== 'true' && inline !== 'false') throw wrong(verb, `--${name} is a switch: true or false, not "${inline}"`);
      flags.push({ name, value: String((inline ?? 'true') === 'true' ? !isNot : isNot) });
      continue;
    }
    const next = args[at + 1];
    if (inline === null && (next === undefined || next.startsWith('--')))
      throw wrong(verb, `--${name} needs a value${next === undefined ? '' : `; one that begins with dashes is written --${name}=${next}`}`);
    if (inline === null) at += 1;
    flags.push({ name, value: inline ?? next ?? '' });
  }
  return { flags, words };
};

type Named = { readonly name: string; readonly isSwitch: boolean; readonly isNot: boolean };

const flagNamed = (verb: Verb, written: string): Named => {
  if (COMMON_FLAGS.some((one) => one === written)) return { name: written, isSwitch: written !== 'db', isNot: false };
  if (verb.nothings.has(written)) return { name: written, isSwitch: true, isNot: false };
  const alias = verb.aliases.get(written);
  const found = verb.parameters.find(({ name, flag }) => flag === written || name === alias);
  if (found !== undefined) return { name: found.flag, isSwitch: found.form.kind === 'switch', isNot: false };
  const negated = written.startsWith('no-')
    ? verb.parameters.find(({ flag, form }) => flag === written.slice(3) && form.kind === 'switch')
    : undefined;
  if (negated !== undefined) return { name: negated.flag, isSwitch: true, isNot: true };
  const flags = [...verb.aliases.keys(), ...verb.nothings.keys(), ...verb.parameters.map(({ flag }) => flag), ...COMMON_FLAGS];
  throw new Refusal(
    2,
    `\`yarnboard ${verb.group} ${verb.word}\` has no --${written}${meant(written, flags)}; it has ${flags.map((flag) => `--${flag}`).join(', ')}; words that begin with dashes go behind --`,
  );
};

const isMany = ({ parameters }: Verb, flag: string): boolean =>
  parameters.some((one) => one.flag === flag && (one.form.kind === 'list' || one.form.kind === 'record'));

const takesProse = ({ form }: Parameter): boolean => form.kind === 'text' && form.isProse;

/** Words without a flag: one for each parameter, and the rest for the last one if it takes several. */
const placeWords = (
  verb: Verb,
  words: readonly string[],
  said: ReadonlyMap<string, unknown>,
  put: (parameter: Parameter, values: readonly string[]) => void,
): void => {
  const open = verb.given.filter(({ flag }) => !said.has(flag));
  const rest = [...words];
  for (const [at, parameter] of open.entries()) {
    if (rest.length === 0) return;
    const isLast = at === open.length - 1;
    const taken = rest.splice(0, isLast && takesRest(parameter) ? rest.length : 1);
    put(parameter, takesProse(parameter) ? [taken.join(' ')] : taken);
  }
  if (rest.length > 0) throw wrong(verb, `"${rest[0] ?? ''}" is one word too many`);
};

const valueOf = (verb: Verb, parameter: Parameter, values: readonly string[]): unknown => {
  const [first = ''] = values;
  const { form, flag } = parameter;
  switch (form.kind) {
    case 'text':
      return first;
    case 'choice': {
      const choice = form.values.find((one) => one.toLowerCase() === first.toLowerCase());
      if (choice === undefined) throw wrong(verb, `${flag} is one of ${form.values.join(', ')}; not "${first}"`);
      return choice;
    }
    case 'number':
      if (first.trim() === '' || !Number.isFinite(Number(first))) throw wrong(verb, `${flag} is a number; not "${first}"`);
      return Number(first);
    case 'switch':
      // As a positional word, anything could be there, and only "true" and "false" count as yes or no.
      if (first !== 'true' && first !== 'false') throw wrong(verb, `${flag} is true or false; not "${first}"`);
      return form.isText ? first : first === 'true';
    case 'list':
      return itemsOf(form, values);
    case 'record':
      return Object.fromEntries(itemsOf(form, values).map((item) => pairOf(verb, parameter, item)));
    default:
      return assertNever(form);
  }
};

const itemsOf = ({ hasCommas }: Extract<Form, { kind: 'list' | 'record' }>, values: readonly string[]): readonly string[] =>
  hasCommas
    ? values
        .flatMap((value) => value.split(','))
        .map((item) => item.trim())
        .filter((item) => item !== '')
    : values;

const pairOf = (verb: Verb, { flag, form }: Parameter, item: string): readonly [string, unknown] => {
  const equals = item.indexOf('=');
  if (equals < 1) throw wrong(verb, `${flag} is written NAME=VALUE; not "${item}"`);
  const value = item.slice(equals + 1).trim();
  const isNumber = form.kind === 'record' && form.hasCommas && value !== '' && Number.isFinite(Number(value));
  const isOpen = form.kind === 'record' && form.isOpen;
  return [item.slice(0, equals).trim(), isNumber ? Number(value) : isOpen ? jsonOrText(value) : value];
};

const jsonOrText = (value: string): unknown => {
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value; // a word is a word
  }
};

/** A missing required input becomes null if null is valid and need not be explicit; otherwise an error. Then the schema decides. */
export const completed = (verb: Verb, given: Given): Given => {
  const whole: Record<string, unknown> = { ...given };
  for (const { name, isNullable, isRequired } of verb.parameters) {
    if (!isRequired || !isNullable || whole[name] !== undefined) continue;
    const nothing = [...verb.nothings].find(([, one]) => one === name)?.[0];
    if (nothing !== undefined) throw wrong(verb, `say where it branches off with ${flagsFor(verb, name)}, or --${nothing}`);
    whole[name] = null;
  }
  const missing = verb.parameters.filter((one) => one.isRequired && whole[one.name] === undefined && !MADE_HERE.get(verb.name)?.includes(one.name));
  if (missing.length > 0) throw wrong(verb, `missing: ${missing.map((one) => (verb.given.includes(one) ? one.flag : `--${one.flag}`)).join(', ')}`);
  refuseBareNumber(verb, whole['parent_id']);
  const read = verb.operation.input.safeParse(whole);
  if (read.success) return whole;
  throw wrong(verb, words({ reason: 'bad-input', facts: { complaints: complaintsOf(read.error.issues, whole) } }, 'terminal', verb.name));
};

const flagsFor = ({ aliases }: Verb, name: string): string => `--${[...aliases].find(([, one]) => one === name)?.[0] ?? name}`;

// A session can be named by the beginning of its id, so a bare number would be taken for one. With eight digits or more, as lists print them, it is
// one.
const refuseBareNumber = (verb: Verb, parent: unknown): void => {
  if (typeof parent !== 'string' || !/^\d{1,7}$/u.test(parent.trim())) return;
  const flag = [...verb.aliases].find(([, name]) => name === 'parent_id')?.[0] ?? 'parent-id';
  throw wrong(verb, `--${flag} ${parent} is no reference (did you mean ${verb.name === 'sidebar_spawn' ? 'MSG' : 'SB'}-${parent.trim()}?)`);
};

const wrong = (verb: Verb, why: string): Refusal =>
  new Refusal(2, `${why}; ${usageOf(verb)} (\`yarnboard ${verb.group} ${verb.word} --help\` tells more)`);

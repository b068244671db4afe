import { COMMON_FLAGS } from './command-line.ts';
import type { Parameter } from './parameters.ts';
import { usageOf, valueName, VERBS, verbsOf, type Verb } from './verbs.ts';

/** `yarnboard sidebar --help`: the verbs of a group with the registry's descriptions. */
export const groupHelp = (group: string): string => {
  const verbs = verbsOf(group);
  const lines = verbs.map((verb) => `  ${usageOf(verb)}\n      ${verb.operation.help}\n`);
  return `yarnboard ${group} VERB …

${lines.join('')}
\`yarnboard ${group}\` on its own prints the list. \`yarnboard ${group} VERB --help\` explains a verb's flags. Words in brackets are optional. The last text takes the
rest of the line; - reads it from standard input, and text that begins with a dash goes after --.

${COMMON}`;
};

/** `yarnboard sidebar spawn --help` */
export const verbHelp = (verb: Verb): string => {
  const own = verb.parameters.filter(({ name }) => !isOfAll(name));
  const rest = verb.parameters.filter(({ name }) => isOfAll(name));
  const flags = [...own, ...rest].map((one) => flagLine(verb, one)).join('');
  const nothings = [...verb.nothings.keys()].map((flag) => `  --${flag}\n`).join('');
  const extra = EXTRA[verb.name];
  return `${usageOf(verb)} [options]

${verb.operation.help}${NEEDS[verb.operation.who]}
${extra === undefined ? '' : `${extra}\n`}
${nothings}${flags}
${COMMON}`;
};

/** Whether every command takes it: then it isn't worth mentioning. */
const isOfAll = (name: string): boolean =>
  VERBS.every(({ operation, parameters }) => operation.method === 'GET' || parameters.some((one) => one.name === name));

const flagLine = ({ aliases, given }: Verb, one: Parameter): string => {
  const alias = [...aliases].find(([, name]) => name === one.name)?.[0];
  const names = [...(alias === undefined ? [] : [alias]), one.flag].map((flag) => `--${flag}`).join(', ');
  const off = one.form.kind === 'switch' ? ` (--no-${one.flag} for false)` : '';
  const many = one.form.kind === 'list' || one.form.kind === 'record' ? ' (repeatable)' : '';
  const remark = [one.help, given.includes(one) ? 'the flag is optional' : '', standardOf(one)].filter((part) => part !== '').join('; ');
  const head = `  ${names} ${valueName(one)}`.trimEnd();
  return `${head}${off}${many}${remark === '' ? '' : `\n      ${remark}`}\n`;
};

const standardOf = ({ standard }: Parameter): string =>
  typeof standard === 'string' || typeof standard === 'number' || standard === true ? `default: ${String(standard)}` : '';

const NEEDS = { anyone: '', member: '', operator: ' Only the human operator may do this.' } as const satisfies Record<
  Verb['operation']['who'],
  string
>;

/** Additions of the terminal. */
const EXTRA: Partial<Record<Verb['name'], string>> = {
  sidebar_spawn: 'Choose what it inherits with --from, or use --root to inherit nothing.',
  media_uploaded: 'Reads the file here and sends its bytes. The type follows from the name unless you set --media-type.',
  citation_created: 'With --path, reads the file here and records its SHA-256, and with --lines the text of those lines.',
};

const COMMON_HELP = {
  json: '--json            print the answer as one JSON document',
  db: '--db sqlite:PATH | postgres://…   use this database instead of the one in the home',
  demo: '--demo            use the demo board, which has its own home',
  help: '--help            this page',
} as const satisfies Record<(typeof COMMON_FLAGS)[number], string>;

const COMMON = `${COMMON_FLAGS.map((flag) => `  ${COMMON_HELP[flag]}\n`).join('')}
If $YARNBOARD_TOKEN is set, you act as its owner, for example an agent. Without it, you are the home's operator.
Exit codes: 0 done, 2 bad usage, 3 refused or could not do it.
`;

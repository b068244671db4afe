import { COMMON_FLAGS } from './command-line.ts';
import type { Parameter } from './parameters.ts';
import { usageOf, valueName, VERBS, verbsOf, type Verb } from './verbs.ts';

/** `yarnboard sidebar --help`: the verbs of a group with what the registry says of them. */
export const groupHelp = (group: string): string => {
  const verbs = verbsOf(group);
  const lines = verbs.map((verb) => `  ${usageOf(verb)}\n      ${verb.operation.help}\n`);
  return `yarnboard ${group} VERB …

${lines.join('')}
\`yarnboard ${group}\` alone lists. \`yarnboard ${group} VERB --help\` tells the flags of a verb. Words in brackets may be left out; the last text takes the rest
of the line, - reads it from standard input, and what begins with dashes goes behind --.

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

/** Whether every command takes it: then it is no news. */
const isOfAll = (name: string): boolean =>
  VERBS.every(({ operation, parameters }) => operation.method === 'GET' || parameters.some((one) => one.name === name));

const flagLine = ({ aliases, given }: Verb, one: Parameter): string => {
  const alias = [...aliases].find(([, name]) => name === one.name)?.[0];
  const names = [...(alias === undefined ? [] : [alias]), one.flag].map((flag) => `--${flag}`).join(', ');
  const off = one.form.kind === 'switch' ? ` (--no-${one.flag} for false)` : '';
  const many = one.form.kind === 'list' || one.form.kind === 'record' ? ' (may be given several times)' : '';
  const remark = [one.help, given.includes(one) ? 'also without its flag' : '', standardOf(one)].filter((part) => part !== '').join('; ');
  const head = `  ${names} ${valueName(one)}`.trimEnd();
  return `${head}${off}${many}${remark === '' ? '' : `\n      ${remark}`}\n`;
};

const standardOf = ({ standard }: Parameter): string =>
  typeof standard === 'string' || typeof standard === 'number' || standard === true ? `${String(standard)} unless said otherwise` : '';

const NEEDS = { anyone: '', member: '', operator: ' Only the human operator may do this.' } as const satisfies Record<
  Verb['operation']['who'],
  string
>;

/** What only a terminal does. */
const EXTRA: Partial<Record<Verb['name'], string>> = {
  sidebar_spawn: 'Name what it inherits with --from, or say --root: a root inherits nothing.',
  media_uploaded: 'The file is read here and its bytes are sent; its kind follows from its name unless --media-type says it.',
  citation_created: 'With --path the file is read here: its SHA-256 is noted, and with --lines what they say.',
};

const COMMON_HELP = {
  json: '--json            the answer as one JSON document',
  db: '--db sqlite:PATH | postgres://…   another database than the one in the home',
  demo: '--demo            the board of the demo set, which has a home of its own',
  help: '--help            this page',
} as const satisfies Record<(typeof COMMON_FLAGS)[number], string>;

const COMMON = `${COMMON_FLAGS.map((flag) => `  ${COMMON_HELP[flag]}\n`).join('')}
$YARNBOARD_TOKEN, if it is set, says who you are: an agent's token acts as that agent. Without it you are the operator of the home.
Exit codes: 0 done, 2 bad usage, 3 refused or could not do it.
`;

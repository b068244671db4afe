import { isSecretOf, namesSecret } from '@yarnboard/domain';
import { isAbsolute, join } from 'node:path';
import { holdsSettings, settingsIn, type Setting } from './config-formats.ts';
import { isCleanPath } from './denied.ts';
import { needsRoot, nothing, OUT_OF_REACH, type Answer, type ArgumentsOf, type Surroundings, type Validator } from './port.ts';
import { compare, tellable, unitOf } from './quantities.ts';
import { searchFiles } from './search.ts';

type Args = ArgumentsOf<'config_value'>;

export const configValue: Validator<Args> = {
  type: 'config_value',
  reads: 'Configuration files in the folders you named: JSON, TOML, YAML, INI, properties, XML and directives. Never secrets.',
  risk: 'very low',
  methods: [
    { name: 'named_file', environment: 'project', missing: needsRoot, run: (args, around) => guarded(args, () => namedFile(args, around)) },
    { name: 'usual_files', environment: 'project', missing: needsRoot, run: (args, around) => guarded(args, () => usualFiles(args, around)) },
    { name: 'other_places', environment: 'project', missing: needsRoot, run: (args, around) => guarded(args, () => otherPlaces(args, around)) },
  ],
};

/** VAL-23: if the key names a secret or the value looks like one, nothing is compared, so the answer is always the same. */
const guarded = async ({ key, value }: Args, run: () => Promise<Answer | readonly Answer[]>): Promise<Answer | readonly Answer[]> =>
  isSensitive([key]) || namesSecret(key.replaceAll(/\s+/gu, '_')) || isSecretOf(key, value.value) ? nothing(SECRET) : run();

const SECRET = 'secret: never compared';

/**
 * VAL-23: whether any name on the path to a setting suggests a secret. Missing an answer costs little; one answer too many costs a password. A key
 * called `value` may belong to any name next to it (`- name: DB_PASSWORD`, `<property name="password" value=…>`).
 */
const isSensitive = (names: readonly string[]): boolean => SENSITIVE.test(names.flatMap(wordsOf).join(' '));

const SENSITIVE =
  /pass(?:\b|w|phrase|code)|\bpwd\b|secret|token|credential|\bauth(?!or)|auth\b|\b(?:api|access|private|signing|master|account|encryption|shared) keys?\b|\bpin\b|\bsalt\b|\bvalue$/u;

const namedFile = async (args: Args, around: Surroundings): Promise<Answer> => {
  const { file } = args;
  if (file === null) return nothing('the claim names no file');
  if (!isCleanPath(file)) return nothing(OUT_OF_REACH);
  const { reach } = around;
  const path = isAbsolute(file) ? file : reach.base === null ? null : join(reach.base, file);
  if (path === null) return nothing('nobody knows which folder the path begins at');
  const read = await readFrom(args, around, path);
  return read ?? nothing('the file holds no settings that can be read');
};

/** What one file says about the key; null if the file's format is unknown. */
const readFrom = async (args: Args, { reach }: Surroundings, path: string): Promise<Answer | null> => {
  const read = await reach.read(path);
  if (read.kind === 'denied') return nothing(OUT_OF_REACH);
  if (read.kind === 'unreadable') return nothing(read.why);
  if (read.kind !== 'text') return nothing('there is no such file');
  const settings = settingsIn(path, read.text);
  if (settings === null) return null;
  const places = settings.filter((setting) => isKey(setting, args.key));
  if (places.length === 0) return nothing('the key is not in it');
  if (places.some(({ path: names, value }) => isSensitive(names) || namesSecret(names.join('_')) || isSecretOf(names.at(-1) ?? '', value)))
    return nothing(SECRET);
  const verdicts = places.map((setting) => compare(args.value, setting.value, unitIn(setting)));
  const shown = reach.shown(read.path);
  const evidence = places.slice(0, 3).map((one) => `${shown}:${one.line} ${one.path.join('.')} = ${tellable(one.value)}`);
  const files = [{ path: read.path, stamp: read.stamp }];
  if (verdicts.every((verdict) => verdict === true)) return { says: 'supports', isDecisive: true, evidence: evidence.join('; '), files };
  if (verdicts.every((verdict) => verdict === false)) return { says: 'refutes', isDecisive: true, evidence: evidence.join('; '), files };
  return nothing(verdicts.includes(null) ? 'the units do not fit' : 'the key stands there several times', evidence.join('; '));
};

const usualFiles = async (args: Args, around: Surroundings): Promise<readonly Answer[] | Answer> => {
  if (args.file !== null) return nothing('the claim names another file');
  const { base } = around.reach;
  if (base === null) return nothing('the session has no folder that may be read');
  const listed = await Promise.all(FOLDERS.map(async (folder) => ({ folder, entries: (await around.reach.list(join(base, folder), 500)) ?? [] })));
  const paths = listed.flatMap(({ folder, entries }) =>
    entries.filter(({ name, isFile }) => isFile && holdsSettings(name) && !LOCKS.test(name)).map(({ name }) => join(base, folder, name)),
  );
  const answers = await Promise.all(paths.slice(0, MOST_FILES).map((path) => readFrom(args, around, path)));
  const speaking = answers.filter((answer) => answer !== null && (answer.says !== 'nothing' || answer.fault === SECRET));
  return speaking.length === 0 ? nothing('the key is in none of the usual files') : speaking.flatMap((answer) => answer ?? []);
};

const otherPlaces = async (args: Args, around: Surroundings): Promise<Answer> => {
  const { reach, signal } = around;
  if (args.file !== null) return nothing('the claim names another file');
  const { found } = await searchFiles(reach, (name) => holdsSettings(name) && !LOCKS.test(name), { signal, most: MOST_PLACES });
  const usual = new Set(FOLDERS.map((folder) => (reach.base === null ? '' : join(reach.base, folder))));
  const others = found.filter(
    ({ path, isFolder, name }) => !isFolder && !usual.has(path.slice(0, -name.length - 1)) && !EXAMPLES.test(reach.shown(path)),
  );
  const answers: Answer[] = [];
  for (const { path } of others) {
    if (signal.aborted) break;
    const answer = await readFrom(args, around, path);
    if (answer !== null && answer.says !== 'nothing') answers.push(answer);
  }
  const says = new Set(answers.map((answer) => answer.says));
  const evidence = answers.map((answer) => answer.evidence ?? '').join('; ');
  const [only] = says;
  if (only === undefined) return nothing('the key is nowhere else');
  if (says.size > 1) return nothing('several places, and they differ', evidence);
  return { says: only, isDecisive: false, evidence, files: answers.flatMap(({ files = [] }) => files).slice(0, 5) };
};

/** VAL-24: a key matches if its words, however joined, are the last words of the setting's path. A unit in the name does not count as a word. */
export const isKey = ({ path }: Pick<Setting, 'path'>, key: string): boolean => {
  const wanted = withoutUnit(wordsOf(key));
  const there = withoutUnit(path.flatMap(wordsOf));
  if (wanted.length === 0 || wanted.length > there.length) return false;
  return wanted.every((word, i) => word === there[there.length - wanted.length + i]);
};

/** The key as words: `maxAge`, `max_age` and `max.age` are the same. */
export const plainKey = (key: string): string => withoutUnit(wordsOf(key)).join(' ');

const wordsOf = (name: string): readonly string[] =>
  name
    .replaceAll(/([a-z\d])([A-Z])/gu, '$1 $2')
    .toLowerCase()
    .replaceAll(/time[\s_-]?out/gu, 'timeout')
    .split(/[^a-z0-9]+/u)
    .filter((word) => word !== '');

const unitIn = ({ path }: Setting): string | null => {
  const last = path.flatMap(wordsOf).at(-1) ?? '';
  return path.flatMap(wordsOf).length > 1 && unitOf(last) !== null ? last : null;
};

const withoutUnit = (words: readonly string[]): readonly string[] =>
  words.length > 1 && unitOf(words.at(-1) ?? '') !== null ? words.slice(0, -1) : words;

const FOLDERS = ['', 'config', 'conf', 'settings', 'etc', '.config', 'src/main/resources'];
const LOCKS = /(?:^|[-.])lock(?:file)?\b|npm-shrinkwrap|\.lock$/iu;
const EXAMPLES = /(?:^|\/)(?:tests?|__tests__|fixtures?|examples?|samples?|testdata|spec|docs?)(?:\/|$)|\.(?:example|sample|template|dist)\./iu;
const MOST_FILES = 60;
const MOST_PLACES = 200;

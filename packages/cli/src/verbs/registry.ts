import { reworded } from '@yarnboard/protocol';
import { printableLine } from '@yarnboard/transcript';
import { reachBoard, serverOf, type Answered } from '../board/reach.ts';
import { operatorTokenOf } from '../board/client.ts';
import { placeOf, type Place } from '../board/place.ts';
import type { ExitCode, Io } from '../io.ts';
import { isDone, printAnswer } from '../print/answer.ts';
import { toJson } from '../print/json.ts';
import { withShownSigns } from '../print/signs.ts';
import { Refusal } from '../refusal.ts';
import { completed, readCommandLine, type Given } from '../registry/command-line.ts';
import { uploadOver, withFiles, withUpload } from '../registry/files.ts';
import { groupHelp, verbHelp } from '../registry/help.ts';
import { hasFoundNothing, isRecoveryNeeded, lookElsewhere, withNames, type Look } from '../registry/second-look.ts';
import { findVerb, groupsOf, type Verb } from '../registry/verbs.ts';

export const isGroup = (word: string): boolean => groupsOf().includes(word);

/** CLI-18: `yarnboard sidebar …`, `agent …`, `gold …`, `cite …`: the registry's operations from a terminal. */
export const registryVerb = async (group: string, args: readonly string[], io: Io): Promise<ExitCode> => {
  const [first] = args;
  const hasWord = first !== undefined && !first.startsWith('-');
  const before = args.slice(0, args.includes('--') ? args.indexOf('--') : args.length);
  const wantsHelp = before.includes('--help') || before.at(hasWord ? 1 : 0) === '-h';
  if (wantsHelp && !hasWord) return printText(io, groupHelp(group));
  const verb = findVerb(group, hasWord ? first : undefined);
  if (wantsHelp) return printText(io, verbHelp(verb));
  const line = readCommandLine(verb, hasWord ? args.slice(1) : args);
  const typed = line.fromInput.length === 0 ? '' : (await io.typing.text()).trimEnd();
  const said = { ...line.given, ...Object.fromEntries(line.fromInput.map((name) => [name, typed])) };
  const given = completed(verb, withFiles(verb.name, said));
  return perform(verb, given, { place: placeOf({ db: line.db, demo: line.isDemo }, io), isJson: line.isJson }, io);
};

/** `yarnboard help sidebar`, `yarnboard help sidebar spawn`; null if there is no such group. */
export const registryHelp = (words: readonly string[]): string | null => {
  const [group = '', word] = words;
  if (!isGroup(group)) return null;
  return word === undefined ? groupHelp(group) : verbHelp(findVerb(group, word));
};

const printText = async (io: Io, text: string): Promise<ExitCode> => {
  await io.out(text);
  return 0;
};

type Wish = { readonly place: Place; readonly isJson: boolean };

const perform = async (verb: Verb, given: Given, wish: Wish, io: Io): Promise<ExitCode> => {
  try {
    return await performOn(verb, given, wish, io);
  } catch (cause) {
    const left = verb.name === 'recovery' ? await leftIn(wish.place) : null;
    if (left === null) throw cause;
    io.err(
      `yarnboard: ${cause instanceof Error ? cause.message : String(cause)}\nWithout the board, these are the emergency caches that lie in the home:\n`,
    );
    await io.out(wish.isJson ? `${toJson(left)}\n` : withShownSigns(printAnswer(verb.name, left, { columns: io.columns }), io.env));
    return isRecoveryNeeded(verb.name, left) ? 1 : 3;
  }
};

/** REC-90: what lies in the home whose board can't be opened; null if there is nothing, or a server is running. */
const leftIn = async (place: Place): Promise<unknown> => {
  if ((await serverOf(place).catch(() => null)) !== null) return null;
  const { showLeft } = await import('@yarnboard/server');
  return showLeft(place.home, place.settings);
};

const performOn = (verb: Verb, given: Given, { place, isJson }: Wish, io: Io): Promise<ExitCode> => {
  const isQuery = verb.operation.method === 'GET';
  return reachBoard(place, io, isQuery ? { readOnly: true } : { create: true }, async ({ ask, upload, board }) => {
    const token = ownToken(io) ?? board?.token ?? operatorTokenOf(place);
    const whole = await withUpload(
      verb.name,
      given,
      uploadOver((bytes) => upload(bytes, token)),
    );
    const answered = await ask(verb.name, whole, { token }).catch((cause: unknown) => {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new Refusal(3, `the server does not answer: ${why}; \`yarnboard status\` tells more`);
    });
    const answer = answerOf(answered, verb);
    const code: ExitCode = hasFoundNothing(verb.name, answer) || isRecoveryNeeded(verb.name, answer) ? 1 : 0;
    if (isJson) {
      await io.out(`${toJson(answer)}\n`);
      return code;
    }
    // The work is done: if the server goes away now, only names are missing.
    const look: Look = (name, input) =>
      ask(name, input, { token }).then(
        (one) => (one.isDone ? one.answer : null),
        () => null,
      );
    await tell(verb, given, await withNames(answer, look), io);
    const elsewhere = await lookElsewhere(verb.name, given, answer, look);
    if (elsewhere !== null) await io.out(`${elsewhere}\n`);
    // CLI-60: the change is on the board, but nothing acts on it yet.
    const isForServer = verb.operation.terminal?.isForServer === true || (verb.name === 'agent_register' && given['runtime'] !== undefined);
    if (board !== null && isForServer) io.err('No server is running: agents act once you run `yarnboard start`.\n');
    return code;
  });
};

/** The caller's token according to the environment. */
export const ownToken = ({ env }: Io): string | null => {
  const token = env['YARNBOARD_TOKEN']?.trim() ?? '';
  return token === '' ? null : token;
};

const answerOf = (answered: Answered, verb: Verb): unknown => {
  if (answered.isDone) return answered.answer;
  const { code, detail } = answered.problem;
  throw new Refusal(
    code === 'bad-request' || code === 'bad-reference' ? 2 : 3,
    `${code}: ${reworded(answered.problem, detail, 'terminal', verb.name)}`,
  );
};

const tell = async (verb: Verb, given: Given, answer: unknown, io: Io): Promise<void> => {
  await io.out(withShownSigns(printAnswer(verb.name, answer, { columns: io.columns }), io.env));
  if (!isDone(answer)) return;
  if (answer.duplicate) await io.out(`done before${answer.ref === null ? '' : `: ${answer.ref}`}\n`);
  for (const warning of answer.warnings) io.err(`warning: ${printableLine(warning)}\n`);
  if ('token' in answer && typeof answer.token === 'string') await io.out(connectLines(answer.token, given['kind'] === 'human'));
};

/** CLI-22: the token is shown only this once. */
const connectLines = (token: string, isHuman: boolean): string => `token: ${token}
It is shown once; only its hash is kept. With it ${isHuman ? 'a person' : 'Claude Code'} takes part:

  ${isHuman ? `YARNBOARD_TOKEN=${token} npx yarnboard chat` : `claude mcp add yarnboard -e YARNBOARD_TOKEN=${token} -- npx yarnboard mcp`}
`;

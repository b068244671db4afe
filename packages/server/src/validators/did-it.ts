import { assertNever } from '@yarnboard/domain';
import type { Deed } from '@yarnboard/language';
import { doesDeed, isOutcome, isPartial, verdictIn } from './deed-signs.ts';
import { nothing, type Answer, type ArgumentsOf, type Method, type Surroundings, type Validator } from './port.ts';
import { onlyLooks, SHELLS, stepsOf, writesFiles, writtenBy, type ShellStep } from '../sessions/shell-commands.ts';
import type { SessionCalls, ToolCall } from './tool-calls.ts';

type Asked = ArgumentsOf<'did_it'>;

/** VAL-29: checks what an agent says it did against the tool calls of its own session. Looks at nothing on the machine. */
export const didIt: Validator<Asked> = {
  type: 'did_it',
  reads: 'the tool calls of the session that the claim was made in, from the log; nothing on this machine',
  risk: 'very low',
  methods: [
    method('edit_calls', (asked, calls) => byEdits(asked, calls)),
    method('command_result', (asked, calls) => byResult(asked, calls)),
    method('command_output', (asked, calls) => byOutput(asked, calls)),
    method('whole_session', (asked, calls) => byAbsence(asked, calls)),
  ],
};

function method(name: string, run: (asked: Asked, calls: SessionCalls) => Answer): Method<Asked> {
  return {
    name,
    environment: 'log',
    missing: () => null,
    run: async (asked, { calls }: Surroundings) =>
      Promise.resolve(calls === null ? nothing('nobody knows in which session this was done') : run(asked, calls)),
  };
}

/** Looks for a tool that writes the claimed file. If that call failed, it wrote nothing, but a command may have. */
const byEdits = ({ deed, object }: Asked, { before, isWhole }: SessionCalls): Answer => {
  if (deed !== 'file_written' || object === null) return NOT_SO;
  const edits = before.filter((call) => EDITORS.has(call.tool) && isSamePath(call.input, object));
  const done = edits.findLast(({ result }) => result === 'ok');
  if (done !== undefined) return { says: 'supports', isDecisive: true, evidence: `${told(done)} wrote it` };
  const failed = edits.findLast(({ result }) => result === 'error');
  if (failed === undefined) return nothing('no call of a tool that writes names it');
  if (!isWhole || before.some((call) => call !== failed && mayHaveDone(deed, call)))
    return nothing(`${told(failed)} failed, other calls may have done it`);
  return { says: 'refutes', isDecisive: true, evidence: `${told(failed)} failed` };
};

/** Judges by how the latest matching command ended. */
const byResult = (asked: Asked, calls: SessionCalls): Answer => {
  const run = latestRun(asked, calls);
  if ('fault' in run) return nothing(run.fault);
  const { call, step, isAlone, isLast } = run;
  const name = told(call);
  if (asked.deed === 'command_ran') return { says: 'supports', isDecisive: true, evidence: `${name} ran it` };
  if (call.result === 'none') return nothing(`the log has no result of ${name}`);
  if (!isLast) return nothing(`what ${name} ended with is the result of another command`);
  if (call.result === 'error') return { says: 'refutes', isDecisive: isAlone, evidence: `${name} failed` };
  if (isOutcome(asked.deed) && verdictIn(asked.deed, call.output) === 'empty') return nothing(`${name} had nothing to run`);
  const partly = shortOf(asked, step, call);
  if (partly !== null) return nothing(partly);
  // A test run without output may not have run anything.
  return { says: 'supports', isDecisive: asked.deed !== 'tests_passed', evidence: `${name} succeeded` };
};

/** Judges by the output of the latest matching command. */
const byOutput = (asked: Asked, calls: SessionCalls): Answer => {
  const run = latestRun(asked, calls);
  if ('fault' in run) return nothing(run.fault);
  const { call, step } = run;
  const verdict = verdictIn(asked.deed, call.output);
  if (verdict === null || verdict === 'empty') return nothing(`the output of ${told(call)} does not say`);
  if (verdict === 'failed') return { says: 'refutes', isDecisive: true, evidence: `the output of ${told(call)} tells of a failure` };
  const partly = shortOf(asked, step, call);
  return partly === null ? { says: 'supports', isDecisive: true, evidence: `the output of ${told(call)} tells of success` } : nothing(partly);
};

/** VAL-2: finding nothing refutes a claim only if the whole session is known and no call in it, before or right after, could have done it. */
const byAbsence = ({ deed, object }: Asked, { before, later, isWhole }: SessionCalls): Answer => {
  if (!isWhole) return nothing('the log does not have all that was done before');
  const isOf = ({ tool, input, result }: ToolCall): boolean => object !== null && EDITORS.has(tool) && result !== 'void' && isSamePath(input, object);
  const maybe = [...before, ...later].find((call) => mayHaveDone(deed, call) || isOf(call));
  if (maybe !== undefined) return nothing(`${told(maybe)} may have done it`);
  return { says: 'refutes', isDecisive: true, evidence: `none of the ${before.length} calls before it could have done it` };
};

type Run = {
  readonly call: ToolCall;
  readonly step: ShellStep;
  /** No other step could have decided the exit code. */ readonly isAlone: boolean;
  readonly isLast: boolean;
};

/** The latest matching command, or why none counts. */
const latestRun = (asked: Asked, { before }: SessionCalls): Run | { readonly fault: string } => {
  const { deed } = asked;
  for (let at = before.length - 1; at >= 0; at -= 1) {
    const call = before[at];
    if (call === undefined || !SHELLS.has(call.tool) || call.result === 'void') continue;
    const steps = stepsOf(call.input);
    const index = steps.findLastIndex((step) => isRunOf(asked, step, call.input));
    const step = steps[index];
    if (step === undefined) continue;
    const changed = isOutcome(deed) ? before.slice(at + 1).find(changesFiles) : undefined;
    if (changed !== undefined) return { fault: `${told(changed)} changed files after ${told(call)}` };
    if (STARTED.test(call.output)) return { fault: `${told(call)} was still running` };
    const others = steps.filter((one, i) => i !== index && !one.text.startsWith('cd '));
    const isPiped = step.joint === '|' && !/\bpipefail\b/u.test(call.input);
    const isLast =
      !isPiped && steps.slice(index).every(({ joint }, i, rest) => i === rest.length - 1 || joint === '&&' || joint === '|') && step.joint !== '&';
    return { call, step, isAlone: others.length === 0, isLast };
  }
  return { fault: 'no command that does this' };
};

const isRunOf = ({ deed, object }: Asked, step: ShellStep, command: string): boolean => {
  switch (deed) {
    case 'command_ran':
      return object !== null && ` ${oneLine(command)} `.includes(` ${oneLine(object)} `);
    case 'file_written':
      return object !== null && writtenBy(step, command).some((path) => isSamePath(path, object));
    case 'file_deleted':
      return object !== null && DELETES.test(step.text) && step.words.slice(1).some((word) => isSamePath(word, object));
    case 'installed':
      return doesDeed(deed, step) && (object === null || step.words.slice(1).some((word) => isPackage(word, object)));
    case 'tests_passed':
    case 'built':
    case 'lint_passed':
    case 'types_passed':
    case 'committed':
    case 'pushed':
    case 'deployed':
      return doesDeed(deed, step);
    default:
      return assertNever(deed);
  }
};

/** Why a successful run is not enough for the claim. */
const shortOf = ({ deed, object }: Asked, step: ShellStep, { input, output }: ToolCall): string | null => {
  if (deed === 'tests_passed' && (object === null ? isPartial(step) : isPartial(step) && !step.words.some((word) => isSamePath(word, object))))
    return 'only some of the tests ran';
  if ((deed === 'pushed' || deed === 'deployed') && object !== null) {
    const name = object.split('/').at(-1) ?? object;
    if (
      !`${input} ${output}`
        .toLowerCase()
        .split(/[^\w.-]+/u)
        .includes(name.toLowerCase())
    )
      return 'the command does not name where to';
  }
  return null;
};

/** Whether a call could have done it, as far as we know its tool or command. */
const mayHaveDone = (deed: Deed, { tool, input, result }: ToolCall): boolean => {
  // A call that the human stopped did nothing. But whether the tests pass remains open.
  if (result === 'void') return isOutcome(deed) && SHELLS.has(tool) && stepsOf(input).some((step) => doesDeed(deed, step));
  if (EDITORS.has(tool) || LOOKERS.has(tool)) return false;
  if (!SHELLS.has(tool)) return true;
  if (onlyLooks(input)) return false;
  const tame = TAME[deed];
  return tame === undefined || /\$\(|`/u.test(input) || !stepsOf(input).every(({ text }) => tame.test(text) || onlyLooks(text));
};

const changesFiles = ({ tool, input, result }: ToolCall): boolean => {
  if (result !== 'ok') return false;
  if (EDITORS.has(tool)) return !/\.(?:md|txt)$/iu.test(input);
  return SHELLS.has(tool) && writesFiles(input);
};

/** VAL-29: evidence names the message and quotes nothing from it, so that forgetting the message is enough. */
const told = ({ tool, ref }: ToolCall): string =>
  `${SHELLS.has(tool) ? 'a command' : EDITORS.has(tool) ? 'an edit' : 'a call'}${ref === null ? '' : ` (${ref})`}`;

const isSamePath = (path: string, claimed: string): boolean => {
  const [one, other] = [path, claimed].map((text) => text.replace(/^(?:\.\/)+/u, '').replace(/\/+$/u, ''));
  if (one === undefined || other === undefined || one === '' || other === '') return false;
  return (
    one === other ||
    (!other.startsWith('/') && one.endsWith(`/${other}`)) ||
    (other.startsWith('/') && !one.startsWith('/') && other.endsWith(`/${one}`))
  );
};

const isPackage = (word: string, name: string): boolean => word.toLowerCase().replace(/(?<=.)(?:@|==|>=|~=|\[).*$/u, '') === name.toLowerCase();

const oneLine = (text: string): string => text.replaceAll(/\s+/gu, ' ').trim();

const NOT_SO = nothing('this is not done by editing a file');
const EDITORS: ReadonlySet<string> = new Set(['Write', 'Edit', 'MultiEdit', 'NotebookEdit']);
const LOOKERS: ReadonlySet<string> = new Set([
  'Read',
  'NotebookRead',
  'Grep',
  'Glob',
  'LS',
  'WebFetch',
  'WebSearch',
  'TodoWrite',
  'TodoRead',
  'ToolSearch',
  'AskUserQuestion',
  'EnterPlanMode',
  'ExitPlanMode',
  'BashOutput',
  'KillShell',
  'KillBash',
  'TaskCreate',
  'TaskUpdate',
  'TaskList',
  'TaskGet',
  'update_plan',
]);
const DELETES = /^(?:rm|unlink|rimraf|trash|git (?:-C \S+ )?rm)\b/u;
const STARTED = /^\s*command (?:is )?running in (?:the )?background|^\s*started in background|running in background with id/iu;
/** Commands that change something, but certainly don't do this. */
const TAME: { readonly [D in Deed]?: RegExp } = {
  pushed: /^git (?:add|commit|tag|checkout|switch|branch|stash|merge|rebase|fetch|pull|reset|restore|mv|rm|init|clone)\b|^mkdir\b|^touch\b/u,
  committed: /^git (?:add|push|checkout|switch|branch|stash|fetch|reset|restore|mv|rm|init)\b|^mkdir\b|^touch\b/u,
  deployed: /^git (?:add|commit|checkout|switch|branch|stash|fetch|reset|restore|mv|rm)\b|^mkdir\b|^touch\b/u,
};

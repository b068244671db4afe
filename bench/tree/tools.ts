import type { Prose } from './prose.ts';
import type { Random } from './random.ts';

/** A tool call and what it returned, as JSON text. `report` is the `toolUseResult`, which repeats the content as real files do. */
export type Call = { readonly name: string; readonly input: string; readonly content: string; readonly report: string; readonly progress: string };

export const makeCall = (random: Random, prose: Prose): Call => {
  const make = random.pick(TOOLS);
  return make(random, prose, random.spread(RESULT_MEDIAN, RESULT_SIGMA, RESULT_MOST));
};

type Maker = (random: Random, prose: Prose, bytes: number) => Call;

const bash: Maker = (random, prose, bytes) => {
  const output = prose.body(bytes);
  return {
    name: 'Bash',
    input: `{"command":"npm run ${prose.line()}","description":"Run step ${random.between(1, 90)}"}`,
    content: `"${output}"`,
    report: `{"stdout":"${output}","stderr":"","interrupted":false,"isImage":false,"noOutputExpected":false}`,
    progress: `{"type":"bash_progress","output":"${prose.line()}","elapsedTimeSeconds":${random.between(2, 90)},"totalLines":${random.between(1, 300)}}`,
  };
};

const read: Maker = (random, prose, bytes) => {
  const path = prose.path();
  const text = prose.body(bytes * 2);
  const lines = random.between(10, 2000);
  return {
    name: 'Read',
    input: `{"file_path":"${path}","offset":${random.between(1, 400)},"limit":${lines}}`,
    content: `"${text}\\n\\n<system-reminder>\\nWhenever you read a file, consider whether it looks malicious.\\n</system-reminder>\\n"`,
    report: `{"type":"text","file":{"filePath":"${path}","content":"${text}","numLines":${lines},"startLine":1,"totalLines":${lines}}}`,
    progress: hookProgress('PreToolUse:Read'),
  };
};

const edit: Maker = (random, prose, bytes) => {
  const path = prose.path();
  const before = prose.body(random.spread(150, 0.8, 4000));
  const after = prose.body(random.spread(220, 0.8, 4000));
  const start = random.between(1, 900);
  return {
    name: 'Edit',
    input: `{"file_path":"${path}","old_string":"${before}","new_string":"${after}","replace_all":false}`,
    content: `"The file ${path} has been updated successfully."`,
    report: `{"filePath":"${path}","oldString":"${before}","newString":"${after}","originalFile":"${prose.body(bytes * 3)}","structuredPatch":[{"oldStart":${start},"oldLines":7,"newStart":${start},"newLines":9,"lines":["-${prose.line()}","+${prose.line()}"," ${prose.line()}"]}],"userModified":false,"replaceAll":false}`,
    progress: hookProgress('PostToolUse:Edit'),
  };
};

const grep: Maker = (random, prose, bytes) => {
  const output = prose.body(bytes);
  return {
    name: 'Grep',
    input: `{"pattern":"${prose.line()}","path":"/home/dev/proj/src","output_mode":"content","-n":true,"head_limit":${random.between(5, 250)}}`,
    content: `"${output}"`,
    report: `{"mode":"content","numFiles":0,"filenames":[],"content":"${output}","numLines":${random.between(1, 200)}}`,
    progress: hookProgress('PreToolUse:Grep'),
  };
};

const glob: Maker = (random, prose) => {
  const paths = Array.from({ length: random.between(1, 30) }, () => prose.path());
  return {
    name: 'Glob',
    input: `{"pattern":"**/*.${random.pick(['ts', 'tsx', 'md', 'json'])}"}`,
    content: `"${paths.join('\\n')}"`,
    report: `{"filenames":["${paths.join('","')}"],"durationMs":${random.between(3, 900)},"numFiles":${paths.length},"truncated":false}`,
    progress: hookProgress('PreToolUse:Glob'),
  };
};

const todo: Maker = (_random, prose) => {
  const item = (status: string): string => `{"content":"${prose.line()}","status":"${status}","activeForm":"${prose.line()}"}`;
  const list = `[${item('completed')},${item('in_progress')},${item('pending')}]`;
  return {
    name: 'TodoWrite',
    input: `{"todos":${list}}`,
    content: '"Todos have been modified successfully. Ensure that you continue to use the todo list to track your progress."',
    report: `{"oldTodos":${list},"newTodos":${list}}`,
    progress: hookProgress('PostToolUse:TodoWrite'),
  };
};

const hookProgress = (hook: string): string =>
  `{"type":"hook_progress","hookEvent":"${hook.split(':')[0] ?? ''}","hookName":"${hook}","command":"callback"}`;

const TOOLS = [bash, bash, bash, read, read, edit, grep, glob, todo] as const satisfies readonly Maker[];
const RESULT_MEDIAN = 150;
const RESULT_SIGMA = 2.5;
const RESULT_MOST = 62_000;

import { join } from 'node:path';

/** One block of a reply, as the Messages API has it; ids are given when it is sent. */
export type ReplyBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool_use'; readonly name: string; readonly input: Readonly<Record<string, unknown>> };

export type Reply =
  { readonly content: readonly ReplyBlock[] } | { readonly status: number; readonly error: { readonly type: string; readonly message: string } };

/** What the program that asks offers, and where it stands. */
export type Offer = {
  /** The folder that files are written to. */
  readonly project: string;
  /** `Task` up to 2.1.62, `Agent` since; null where sub-agents cannot be called. */
  readonly agentTool: string | null;
  readonly canChooseBackground: boolean;
  /** The sidebar that the conversation says it is about; null for one that is none of a seat. */
  readonly sidebar: string | null;
};

/** What the model says when a prompt holds `play:NAME`: its replies, one for each time it is asked. */
export type ScriptName = keyof typeof SCRIPTS;

export const repliesOf = (name: string, offer: Offer): readonly Reply[] | null =>
  Object.hasOwn(SCRIPTS, name) ? SCRIPTS[name as ScriptName](offer) : null;

/** The file by which the long command tells, in the project, that it runs. */
export const LONG_BEGAN = 'long-began.txt';

const says = (text: string): ReplyBlock => ({ type: 'text', text });
const runs = (command: string, description: string): ReplyBlock => ({ type: 'tool_use', name: 'Bash', input: { command, description } });
const writes = ({ project }: Offer, name: string, content: string): ReplyBlock => ({
  type: 'tool_use',
  name: 'Write',
  input: { file_path: join(project, name), content },
});

const delegates = (offer: Offer, isBackground: boolean, description: string, prompt: string): ReplyBlock => ({
  type: 'tool_use',
  name: offer.agentTool ?? 'Task',
  input: {
    description,
    prompt,
    subagent_type: 'general-purpose',
    ...(offer.canChooseBackground ? { run_in_background: isBackground } : {}),
  },
});

const SCRIPTS = {
  plain: () => [{ content: [says('A plain answer.')] }],
  again: () => [{ content: [says('An answer to what came later.')] }],
  tool: () => [
    { content: [says('One command first.'), runs('echo first-output', 'Print a word')] },
    { content: [says('The command printed a word.')] },
  ],
  task: (offer) => [
    { content: [says('Somebody else will look.'), delegates(offer, false, 'Look around', 'play:look Look around and report.')] },
    { content: [says('They looked around.')] },
  ],
  helper: (offer) => [
    { content: [says('Somebody else will write.'), delegates(offer, false, 'Write it', 'play:write Write the file.')] },
    { content: [says('They wrote.')] },
  ],
  background: (offer) => [
    { content: [says('Somebody else will look, meanwhile.'), delegates(offer, true, 'Look around', 'play:look Look around and report.')] },
    { content: [says('They are looking.')] },
    { content: [says('They are back.')] },
  ],
  look: () => [{ content: [says('Looking.'), runs('echo seen-by-agent', 'Look')] }, { content: [says('Nothing but a README.')] }],
  both: (offer) => [
    {
      content: [
        says('Two at once.'),
        delegates(offer, false, 'Left half', 'play:left Do the left half.'),
        delegates(offer, false, 'Right half', 'play:right Do the right half.'),
      ],
    },
    { content: [says('Both halves are done.')] },
  ],
  left: () => [
    { content: [says('Left begins.'), runs('sleep 0.4; echo left-one', 'First of left')] },
    { content: [says('Left goes on.'), runs('echo left-two', 'Second of left')] },
    { content: [says('Left is done.')] },
  ],
  right: () => [{ content: [says('Right begins.'), runs('sleep 0.2; echo right-one', 'First of right')] }, { content: [says('Right is done.')] }],
  write: (offer) => [{ content: [says('A file is needed.'), writes(offer, 'made.txt', 'made\n')] }, { content: [says('That is settled.')] }],
  finding: ({ sidebar }) => [
    {
      content: [
        says('One finding.'),
        { type: 'tool_use', name: 'mcp__yarnboard__finding', input: { action: 'add', sidebar_id: sidebar ?? '', content: 'The cache is cold.' } },
      ],
    },
    { content: [says('It is submitted.')] },
  ],
  long: () => [
    { content: [says('This takes a while.'), runs(`echo began > ${LONG_BEGAN}; sleep 30; echo never-printed`, 'Wait')] },
    { content: [says('It is over.')] },
  ],
  slow: () => [{ content: [says('These words come one after the other, slowly, and whoever has no patience may stop them in the middle of it.')] }],
  broken: () => [{ status: 400, error: { type: 'invalid_request_error', message: 'refused on purpose' } }],
} as const satisfies Record<string, (offer: Offer) => readonly Reply[]>;

import * as z from 'zod';

const instant = z.string().describe('ISO 8601, UTC').nullable();
const count = z.number().int();

const pendingRequest = z.strictObject({
  request_id: z.string(),
  tool: z.string(),
  title: z.string().nullable().describe('the question, where the SDK words it'),
  input: z.record(z.string(), z.unknown()).describe('what the tool would be called with'),
  tool_use_id: z.string().nullable(),
  agent_id: z.string().nullable().describe('the sub-agent that asks'),
  suggestions: z.array(z.unknown()),
  asked_at: instant,
});

export const run = z.strictObject({
  run_id: z.string(),
  session_id: z.string().describe('the session it is in, or was in last'),
  state: z.enum(['starting', 'running', 'waiting', 'idle', 'ended']).describe('waiting: for an answer to a permission request; idle: for a message'),
  cwd: z.string(),
  prompt: z.string().nullable().describe('its first characters'),
  model: z.string().nullable(),
  permission_mode: z.string().nullable(),
  started_at: instant,
  ended_at: instant,
  status: z.enum(['completed', 'failed', 'cancelled']).nullable().describe('null until it has ended'),
  why: z.string().nullable(),
  seat: z
    .strictObject({ agent: z.string(), instance: z.string().nullable(), sidebar: z.string() })
    .nullable()
    .describe('whose seat it is; null for a run that a person started'),
  queued: z
    .array(z.strictObject({ uuid: z.string(), text: z.string(), images: count.describe('how many go with it'), at: instant }))
    .describe('messages that wait for the end of its turn; of a run that has ended, those it never heard'),
  is_ending: z.boolean().describe('it ends when its turn is over, and takes no more prompts'),
  revision: count.describe('rises with everything that happens to the run: of two answers, the higher one is newer'),
  forked_from: z
    .strictObject({ session_id: z.string(), at: z.string().nullable().describe('uuid of the message it went on from; null: the last one') })
    .nullable()
    .describe('the session it is a copy of'),
  max_turns: count.nullable().describe('after how many turns it ends'),
  cost_usd: z.number().nullable().describe('what it has cost so far, as the SDK says; null until it does'),
  tokens: count.nullable().describe('input, output and cache writes, as the SDK says; null until it does'),
  host: z.string().nullable().describe('the machine of the server that has it; null when it is this one'),
  pending: z.array(pendingRequest).describe('open permission requests'),
  counts: z.strictObject({
    messages: count.describe('messages of the SDK'),
    records: count.describe('records that were made of them and of prompts'),
    turns: count,
    permissions: count,
    left: z.record(z.string(), count).describe('messages that made no record, by type'),
  }),
});

export const sentMessage = z.strictObject({ uuid: z.string().describe('of the message, in the transcript too'), run });

export const switched = z.strictObject({
  to: z.enum(['remote', 'local']),
  run: run.nullable().describe('the run that has the session now'),
  session_id: z.string(),
  is_taken: z.boolean().describe('whether it is taken: by the run, or the terminal that had it before'),
  command: z.string().nullable().describe('what to type in a terminal to continue it there, if it is free'),
});

/** Who holds a session. */
const HOLDERS = ['nobody', 'run', 'seat', 'terminal', 'elsewhere', 'foreign'] as const;

export const holder = z.strictObject({
  session_id: z.string(),
  holder: z
    .enum(HOLDERS)
    .describe(
      'run: one of this server; seat: an agent of the board; terminal: a `yarnboard claude`; elsewhere: a run of another server; foreign: a program that was not started here and is at work; nobody: it can be continued',
    ),
  tool: z.string().describe('the program it is a session of; only sessions of Claude Code can be continued here'),
  directory: z.string().nullable().describe('where it works; null if unknown'),
  is_terminal_waiting: z.boolean().describe('its terminal has released it, and takes it back when it is asked to'),
  run: run.nullable().describe('the run that has it, or else the last one that had it'),
  slash_commands: z
    .array(z.string())
    .describe('what may be typed behind a slash, as the program says that last worked there; empty where nobody knows'),
  forks: z
    .array(
      z.strictObject({
        session_id: z.string(),
        run_id: z.string(),
        at: z.string().nullable().describe('uuid of the message it goes on from'),
        prompt: z.string().nullable(),
        started_at: instant,
      }),
    )
    .describe('sessions that runs have forked from it, the latest first; at most 50'),
});

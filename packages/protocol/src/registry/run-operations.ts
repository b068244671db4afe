import * as z from 'zod';
import { tried } from '../wire/seats.ts';
import { PERMISSION_MODES } from '../seats/runtime-settings.ts';
import { GRANT_SCOPES, sessionRules } from '../wire/permissions.ts';
import { holder, run, sentMessage, switched } from '../wire/runs.ts';
import { page } from '../wire/schemas.ts';
import { cursor, limit, sessionId } from '../parameters.ts';
import { PROMPT_IMAGES } from '../media-limits.ts';
import type { Operation } from '../operation.ts';

const id = z.string().min(1).max(200).describe('a run_id');
const text = z.string().min(1).max(900_000);
const images = z
  .array(z.strictObject({ media_type: z.enum(PROMPT_IMAGES), data: z.string().min(1).max(1_000_000).describe('the bytes as base64') }))
  .max(20)
  .optional()
  .describe('PNG, JPEG, GIF or WebP; 675,000 bytes in all');

/** Runs of the Claude Agent SDK. */
export const RUN_OPERATIONS = {
  runs: {
    name: 'runs',
    method: 'GET',
    path: '/runs',
    who: 'anyone',
    help: 'Runs started here, newest first.',
    input: z.object({ ended: z.stringbool().default(true).describe('false: only active runs'), limit, cursor }),
    output: page(run),
  },
  run: {
    name: 'run',
    method: 'GET',
    path: '/runs/{id}',
    who: 'anyone',
    help: 'One run: what it is doing and which permissions it is asking for.',
    input: z.object({ id }),
    output: run,
  },
  holder: {
    name: 'holder',
    method: 'GET',
    path: '/sessions/{id}/holder',
    who: 'anyone',
    help: 'Who has a session: a run, an agent, a terminal, another program, or no one, so that you can continue it.',
    input: z.object({ id: sessionId }),
    output: holder,
  },
  directory_files: {
    name: 'directory_files',
    method: 'GET',
    path: '/sessions/{id}/directory',
    who: 'operator',
    help: 'Files and folders in the directory a session works in, by part of their path.',
    input: z.object({
      id: sessionId,
      words: z.string().max(400).default('').describe('part of the path'),
      limit: z.coerce.number().int().min(1).max(100).default(20).describe('at most 100'),
    }),
    output: z.strictObject({
      directory: z.string(),
      items: z.array(z.string()).describe('relative paths; those of folders end with a slash'),
      is_cut: z.boolean().describe('whether there may be more'),
    }),
  },
  session_rules: {
    name: 'session_rules',
    method: 'GET',
    path: '/sessions/{id}/rules',
    who: 'operator',
    help: 'What Claude Code need not ask for in a session: until its run ends, or in its project.',
    input: z.object({ id: sessionId }),
    output: sessionRules,
    terminal: { words: ['session', 'rules'], given: ['id'] },
  },
  session_rule_revoke: {
    name: 'session_rule_revoke',
    method: 'POST',
    path: '/sessions/{id}/rules/revoke',
    who: 'operator',
    help: 'Takes a rule back that Claude Code keeps for the project of a session; then it asks again.',
    input: z.object({ id: sessionId, rule: z.string().min(1).max(100_000).describe('as session_rules lists it: Bash(npm test:*)') }),
    output: sessionRules,
    terminal: { words: ['session', 'revoke'], given: ['id', 'rule'] },
  },
  start_run: {
    name: 'start_run',
    method: 'POST',
    path: '/runs',
    who: 'operator',
    help: 'Starts Claude Code in a directory on this machine through the Agent SDK: a new session, a resumed one, or a fork.',
    input: z.object({
      cwd: z.string().min(1).max(4096).optional().describe('an absolute path; optional when resuming'),
      prompt: text.optional().describe('without one it waits for a message'),
      images,
      resume: sessionId.optional().describe('the session to go on with'),
      fork: z.boolean().default(false).describe('continues in a copy of the resumed session'),
      resume_at: z.string().min(1).max(200).optional().describe('uuid of the message to go on from'),
      model: z.string().min(1).max(200).optional().describe('which model answers'),
      permission_mode: z.enum(PERMISSION_MODES).optional().describe('what it may do without asking'),
      max_turns: z.number().int().min(1).optional().describe('after how many turns it ends'),
    }),
    output: run,
  },
  send_message: {
    name: 'send_message',
    method: 'POST',
    path: '/runs/{id}/messages',
    who: 'operator',
    help: 'Sends a run a prompt: a text, or a user envelope with a text.',
    input: z.object({
      id,
      text: text.optional().describe('what to say'),
      envelope: z.record(z.string(), z.unknown()).optional().describe('instead of a text'),
      images,
      uuid: z.uuid().optional().describe('its uuid; sent again with the same uuid, it is delivered once'),
      queue: z.boolean().default(false).describe('waits for the end of the open turn; until then unsend_message takes it back'),
    }),
    output: sentMessage,
  },
  unsend_message: {
    name: 'unsend_message',
    method: 'POST',
    path: '/runs/{id}/unsend',
    who: 'operator',
    help: 'Takes back a queued message that the run has not received yet.',
    input: z.object({ id, uuid: z.string().min(1).max(200).describe('of the message; the run lists what is queued') }),
    output: run,
  },
  change_message: {
    name: 'change_message',
    method: 'POST',
    path: '/runs/{id}/change',
    who: 'operator',
    help: 'Changes a queued message that the run has not received yet; it keeps its place.',
    input: z.object({
      id,
      uuid: z.string().min(1).max(200).describe('of the message; the run lists what is queued'),
      text: text.describe('the new text'),
    }),
    output: run,
  },
  interrupt_run: {
    name: 'interrupt_run',
    method: 'POST',
    path: '/runs/{id}/interrupt',
    who: 'operator',
    help: 'Stops the open turn of a run and keeps the run; the next queued message follows.',
    input: z.object({ id }),
    output: run,
  },
  answer_permission: {
    name: 'answer_permission',
    method: 'POST',
    path: '/runs/{id}/permissions',
    who: 'operator',
    help: 'Answers a permission request of a run; the first answer counts.',
    input: z.object({
      id,
      request_id: z.string().min(1).max(200).describe('which request; the run lists them'),
      decision: z.enum(['allow', 'deny']).describe('your answer'),
      message: z.string().min(1).max(100_000).optional().describe('why not; the agent reads it'),
      updated_input: z.record(z.string(), z.unknown()).optional().describe('what the tool is called with instead'),
      interrupt: z.boolean().default(false).describe('with deny: ends the turn, too'),
      always: z
        .enum(GRANT_SCOPES)
        .optional()
        .describe('with allow: what the request lists under always is not asked for again in this session, or in this project'),
    }),
    output: run,
  },
  agent_try: {
    name: 'agent_try',
    method: 'POST',
    path: '/agents/{agent_id}/try',
    who: 'operator',
    help: 'Runs one tiny turn on an agent’s runtime, outside of every sidebar, and reports what works.',
    input: z.object({ agent_id: z.string().min(1).max(200).describe('AGENT-name, or the name') }),
    output: tried,
    terminal: { words: ['agent', 'try'], given: ['agent_id'] },
  },
  abort_run: {
    name: 'abort_run',
    method: 'POST',
    path: '/runs/{id}/abort',
    who: 'operator',
    help: 'Ends a run immediately and cancels its turn.',
    input: z.object({ id }),
    output: run,
  },
  end_run: {
    name: 'end_run',
    method: 'POST',
    path: '/runs/{id}/end',
    who: 'operator',
    help: 'Ends a run when its turn is over.',
    input: z.object({ id }),
    output: run,
  },
  switch_session: {
    name: 'switch_session',
    method: 'POST',
    path: '/sessions/{id}/switch',
    who: 'operator',
    help: 'Moves a session from its terminal to a run, or back; the open turn is cancelled.',
    input: z.object({
      id: sessionId,
      to: z.enum(['remote', 'local']).describe('into a run, or back to its terminal'),
      prompt: text.optional().describe('with remote: the prompt to continue with'),
    }),
    output: switched,
  },
} as const satisfies Record<string, Operation>;

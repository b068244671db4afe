import * as z from 'zod';
import { conversation } from '../wire/flow.ts';
import { activity, boardRows } from '../wire/page.ts';
import type { Operation } from '../operation.ts';
import { cursor, sessionId } from '../parameters.ts';

const pageLink = z.strictObject({
  url: z.string().describe('its fragment has the key, which no server and no log gets'),
  expires_at: z.string().describe('ISO 8601, UTC'),
});

/** What a page needs to show everything at once; everyone else may call it as well. */
export const PAGE_OPERATIONS = {
  conversation: {
    name: 'conversation',
    method: 'GET',
    path: '/sessions/{id}/conversation',
    who: 'anyone',
    help: 'One branch of a session, or a sub-agent’s conversation, as its clean main flow: prompts, replies, operations below the reply that caused them.',
    input: z.object({
      id: sessionId,
      thread: z.string().min(1).max(4096).default('main').describe('main, or the agent_id of a sidechain'),
      through: z.string().min(1).max(4096).optional().describe('MSG-n or uuid of a record of the branch to show; the active branch unless given'),
      from: z.coerce.number().int().min(0).optional().describe('index of the first step; the last steps unless given'),
      at: z.string().min(1).max(4096).optional().describe('MSG-n, MSG-n#i or a uuid: the steps around it, wherever it is'),
      limit: z.coerce.number().int().min(1).max(200).default(50).describe('how many steps, at most 200'),
      operations_from: z.coerce.number().int().min(0).default(0).describe('how many operations of each step to pass over; a step tells 60 at a time'),
      quick: z
        .stringbool()
        .default(false)
        .describe(
          'answers at once with the last steps, or those around `at`, also while the session as a whole is not read yet; not with from or through',
        ),
    }),
    output: conversation,
  },
  activity: {
    name: 'activity',
    method: 'GET',
    path: '/activity',
    who: 'anyone',
    help: 'What is happening now: active sessions, their running sub-agents, and open permission requests.',
    input: z.object({ minutes: z.coerce.number().int().min(1).max(1440).default(10).describe('how long ago still counts as now') }),
    output: activity,
  },
  board: {
    name: 'board',
    method: 'GET',
    path: '/board',
    who: 'anyone',
    help: 'Rows of the board as of a log position. Fold later events onto them to keep a live copy.',
    input: z.object({
      sidebars: z
        .string()
        .min(1)
        .max(32_768)
        .optional()
        .describe('only these, with commas between: SB-n, uuids, or references of findings in them; all unless given, the latest first'),
      cursor,
    }),
    output: boardRows,
  },
  page_link: {
    name: 'page_link',
    method: 'POST',
    path: '/page/link',
    who: 'operator',
    help: 'Makes a link that opens the page as the operator, once, within ten minutes.',
    input: z.object({}),
    output: pageLink,
    isShownWhole: true,
    isNoTool: true,
  },
  demo_link: {
    name: 'demo_link',
    method: 'POST',
    path: '/demo/link',
    who: 'operator',
    help: 'Opens the demo board, in a home of its own, and makes a link to its page that works once, within ten minutes.',
    input: z.object({}),
    output: pageLink,
    isShownWhole: true,
    isNoTool: true,
  },
  enter: {
    name: 'enter',
    method: 'POST',
    path: '/enter',
    who: 'anyone',
    help: 'Exchanges the key of a one-time link for the operator’s token; the key works once.',
    input: z.object({ key: z.string().min(1).max(200).describe('what the link has behind #key=') }),
    output: z.strictObject({ token: z.string() }),
    isShownWhole: true,
    isNoTool: true,
  },
} as const satisfies Record<string, Operation>;

import * as z from 'zod';

const instant = z.string().describe('ISO 8601, UTC').nullable();
const count = z.number().int();

export const activity = z.strictObject({
  sessions: z
    .array(
      z.strictObject({
        session_id: z.string(),
        tool: z.string().describe('the program that it is a session of'),
        title: z.string().nullable(),
        project: z.string().nullable(),
        last_at: instant,
        is_working: z.boolean().describe('a turn is open: the model or a tool is to say more'),
        is_your_turn: z.boolean().describe('the model has finished, and no one has typed anything since'),
        doing: z.string().nullable().describe('its open operation, else its latest words or operation, as one line'),
        agents: z
          .array(
            z.strictObject({
              agent_id: z.string(),
              agent: z.string().describe('the kind it was called as; "unknown" when its call is not near'),
              started_at: instant,
              last_at: instant,
              operations: count,
              doing: z.string().nullable(),
            }),
          )
          .describe('sub-agents at work'),
        run_id: z.string().nullable().describe('the run it is in now'),
        launch_id: z.string().nullable().describe('the terminal it is in now, or that waits to take it back'),
      }),
    )
    .describe('at most 50, the latest first'),
  permissions: z
    .array(
      z.strictObject({
        run_id: z.string(),
        session_id: z.string(),
        request_id: z.string(),
        tool: z.string(),
        title: z.string().nullable().describe('the question, where the SDK words it'),
        summary: z.string().describe('what the tool would do, as one line'),
        asked_at: instant,
      }),
    )
    .describe('what runs ask leave for'),
});

/** Tables of the domain’s board by name; rows are the domain’s own, with internal names. */
export const boardRows = z.strictObject({
  seq: count.describe('position of the last decided entry that the rows know of'),
  through: count.describe('nothing else was decided up to this position: the rows are true from seq up to here'),
  forgotten: count.describe('position of the last payload.forgotten that the rows know of'),
  counts: z.record(z.string(), count).describe('how many rows each table has as a whole'),
  tables: z.record(z.string(), z.array(z.tuple([z.string(), z.unknown()]))).describe('rows by their keys, in no order'),
  unknown: z.array(z.string()).describe('names that were asked for and stand for no sidebar'),
  next_cursor: z.string().nullable().describe('older rows, true at a place of their own'),
});

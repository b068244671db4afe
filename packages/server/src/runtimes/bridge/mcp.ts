import { readTurnEnd, readTurnNext, toldTurn, TURN_END, TURN_NEXT, TURN_TOOLS, type SeatEvent, type TurnTool } from '@yarnboard/protocol';
import { textIn, type SeatLines } from '../seat-lines.ts';
import { openingOf, promptOf, tokensOfText } from '../seat-words.ts';
import type { ToolCall } from '../tool-call.ts';
import { giveUp, startBridged, type BridgedProgram } from './program.ts';
import type { BridgeTask } from './task.ts';

/** Tools that let a program fetch and end its turns: every MCP client can call tools, but few accept requests. */
export type TurnDoor = {
  readonly tools: readonly TurnTool[];
  /** Null if the tool isn't one of these. */
  readonly call: (name: string, given: Readonly<Record<string, unknown>>, signal: AbortSignal) => Promise<object> | null;
  /** Text to append to the next answer; null if there is none. */
  readonly besides: () => string | null;
};

export type McpParts = {
  readonly task: BridgeTask;
  readonly lines: SeatLines;
  /** Runs a registered operation. */
  readonly call: ToolCall;
  /** Serves the seat's tools and these turn tools on the program's standard input and output. */
  readonly serve: (program: BridgedProgram, call: ToolCall, turns: TurnDoor) => void;
};

type Turn = { readonly id: string; readonly prompt: string; isTaken: boolean; isCancelled: boolean; spoken: number };

/** RT-34: a seat on a program that is an MCP client over standard input and output: it fetches its turns, uses the tools, and ends its turns. */
export const runMcp = ({ task, lines, call, serve }: McpParts): void => {
  const { send, listen } = lines;
  let opening = '';
  let model = task.model;
  let isReady = false;
  let turn: Turn | null = null;
  let meanwhile: string[] = [];
  let used = 0;
  let wake: () => void = () => {};

  const next = async (given: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<object> => {
    if (!isReady) send({ type: 'ready', name: 'mcp', version: null });
    isReady = true;
    if (turn === null) await waitFor(readTurnNext(given) * 1000, signal);
    if (turn === null) return toldTurn(null, `Nothing yet. Call ${TURN_NEXT} again.`, null);
    const text = turn.isTaken ? turn.prompt : `${opening}${turn.prompt}`;
    opening = '';
    turn.isTaken = true;
    turn.spoken += tokensOfText(text.length);
    return toldTurn(turn.id, text, turn.isCancelled ? CANCELLED : null);
  };

  /** Waits for a turn, the timeout, or the caller giving up. */
  const waitFor = (ms: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
      signal.addEventListener('abort', () => wake());
    });

  const end = async (given: Readonly<Record<string, unknown>>): Promise<object> => {
    const read = readTurnEnd(given);
    if (!read.ok) return { ended: false, text: read.error };
    const { turnId, status, text, why, usage } = read.value;
    if (turn === null || turn.id !== (turnId ?? turn.id)) return { ended: false, text: `That turn is over. Call ${TURN_NEXT} for the next one.` };
    send({
      type: 'usage',
      model: usage.model ?? model,
      inputTokens: usage.inputTokens ?? turn.spoken,
      outputTokens: usage.outputTokens ?? tokensOfText(text.length),
      cacheReadTokens: usage.cacheReadTokens ?? 0,
      cacheWriteTokens: usage.cacheWriteTokens ?? 0,
      costUsd: usage.costUsd,
    });
    send({ type: 'turn-end', turnId: turn.id, status: turn.isCancelled ? 'cancelled' : status, text: text === '' ? null : text, why });
    turn = null;
    meanwhile = [];
    return { ended: true, text: `Call ${TURN_NEXT} for the next turn.` };
  };

  const observed: ToolCall = async (name, input) => {
    if (!isReady) return { ok: false, error: { code: 'not-ready', detail: `Call ${TURN_NEXT} first.` } };
    if (turn?.isCancelled === true) return { ok: false, error: { code: 'turn-cancelled', detail: CANCELLED } };
    used += 1;
    const id = `t${used}`;
    send({ type: 'tool', id, name, input });
    const done = await call(name, input);
    const output = JSON.stringify(done.ok ? done.value : done.error).slice(0, MOST_OUTPUT);
    if (turn !== null) turn.spoken += tokensOfText(output.length);
    send({ type: 'tool-result', id, output, isError: !done.ok });
    return done;
  };

  const program = startBridged(task);
  void program.ended.then(giveUp);
  serve(program, observed, {
    tools: TURN_TOOLS,
    call: (name, given, signal) => {
      if (name === TURN_NEXT) return next(given, signal);
      return name === TURN_END ? end(given) : null;
    },
    besides: () => {
      const told = [...meanwhile.splice(0), ...(turn?.isCancelled === true ? [CANCELLED] : [])];
      return told.length === 0 ? null : told.join('\n\n');
    },
  });

  listen(
    {
      hello: (order) => {
        opening = openingOf(order);
        if (textIn(order['model']) !== '') model = textIn(order['model']);
      },
      brief: (order) => {
        opening += `${textIn(order['text'])}\n\n`;
      },
      turn: (order) => {
        const prompt = promptOf(order['events'] as readonly SeatEvent[]); // the server wrote it
        turn = { id: textIn(order['turn_id']), prompt, isTaken: false, isCancelled: false, spoken: 0 };
        wake();
      },
      event: (order) => {
        if (turn !== null) meanwhile.push(`Meanwhile:\n${promptOf([order['event'] as SeatEvent])}`); // the server wrote it
      },
      cancel: (order) => {
        if (turn === null || turn.id !== order['turn_id']) return;
        turn.isCancelled = true;
        // A cancelled turn that the program never fetched ends right away.
        if (!turn.isTaken) void end({});
      },
      bye: () => process.exit(0),
    },
    () => process.exit(0),
  );
};

const CANCELLED = `Your turn was cancelled. End it with ${TURN_END} now.`;
const MOST_OUTPUT = 100_000;

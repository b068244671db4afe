import { randomUUID } from 'node:crypto';
import { REGISTRY, reworded, type Operation, type OperationName } from '@yarnboard/protocol';
import { reasonOf } from '@yarnboard/server/entrance';
import { callerOf, refuseInput, serveMcp, type McpCall, type Refusal as Refused } from '@yarnboard/server/mcp';
import { ConnectionLost } from '../board/ask-server.ts';
import { BOARD_OPTIONS, placeOf, type Place } from '../board/place.ts';
import { reachBoard, type Answered } from '../board/reach.ts';
import type { ExitCode, Io } from '../io.ts';
import { readOptions } from '../options.ts';
import { Refusal } from '../refusal.ts';
import { VERSION } from '../version.ts';

/** `yarnboard mcp`: speaks MCP on standard input and output until the input ends. Nothing else may be written to standard output. */
export const mcp = async (args: readonly string[], io: Io): Promise<ExitCode> => {
  const { values, positionals } = readOptions('mcp', args, BOARD_OPTIONS);
  if (positionals.length > 0) throw new Refusal(2, `mcp takes no "${positionals[0] ?? ''}"; \`yarnboard help mcp\` tells how it is set up`);
  const place = placeOf(values, io);
  const stop = new AbortController();
  const stopped = io.untilStopped(stop.signal);
  // MCP-10: the operator's file is ignored: an agent without a token must not become the operator that way.
  const token = io.env['YARNBOARD_TOKEN']?.trim() ?? '';
  const call = callFor(place, io, token);
  const door = serveMcp({
    version: VERSION,
    call,
    // MCP-2: the board says whose token it is.
    caller: async () => (token === '' ? 'anyone' : callerOf(await call('inbox', {}, AbortSignal.timeout(LONGEST_LOOK)))),
    onFault: (cause) => io.err(`yarnboard: ${reasonOf(cause)}\n`),
  });
  await Promise.race([stopped, door.closed]);
  stop.abort();
  await door.close();
  return 0;
};

/** MCP-11: every call looks for the board anew: a server may have stopped or started since the last one. */
const callFor =
  (place: Place, io: Io, token: string): McpCall =>
  async (name, asked, signal) => {
    const operation: Operation = REGISTRY[name];
    if (operation.who !== 'anyone' && token === '') return refused('token-needed', `${name} needs a token. ${HOW_TO_GIVE_ONE}`);
    const refusal = refuseInput(name, asked);
    if (refusal !== null) return { ok: false, error: refusal };
    const isQuery = operation.method === 'GET';
    // MCP-11: with the same id, it is done once, however often it arrives.
    const isKept = Object.hasOwn(operation.input.shape, 'message_id');
    const given = isKept ? { message_id: randomUUID(), ...asked } : asked;
    for (let tries = 0; ; tries += 1) {
      try {
        return await reachBoard(place, io, { readOnly: true }, async ({ ask, board }) =>
          board === null || isQuery
            ? resultOf(await ask(name, given, { token, signal, client: 'mcp' }), name)
            : refused('store-unavailable', `${name} ${NEEDS_A_SERVER}`),
        );
      } catch (cause) {
        const lost = lostConnection(cause);
        if (signal.aborted) return refused('store-unavailable', 'no one is waiting for the answer any longer');
        if (lost === null) {
          if (!(cause instanceof Refusal)) io.err(`yarnboard: ${cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)}\n`);
          return refused('store-unavailable', reasonOf(cause));
        }
        // A command is retried only if no server can have received it.
        if (!isQuery && !isKept && lost !== 'ECONNREFUSED') {
          return refused('store-unavailable', `the server went away (${lost}), and ${name} may be done or not; look before you ask again`);
        }
        const wait = PATIENCE[tries];
        if (wait === undefined)
          return refused('store-unavailable', `the server does not answer (${lost}); it may be stopping: ask again, or see \`yarnboard status\``);
        await pause(wait);
      }
    }
  };

const resultOf = (answered: Answered, asked: OperationName): Awaited<ReturnType<McpCall>> => {
  if (answered.isDone) return { ok: true, value: answered.answer };
  const { code, detail } = answered.problem;
  if (code === 'bad-token') return refused(code, `the token in YARNBOARD_TOKEN is not valid in this home. ${HOW_TO_GIVE_ONE}`);
  // The server worded it for HTTP.
  return refused(code, reworded(answered.problem, detail, 'mcp', asked), answered.problem);
};

const refused = (
  code: Refused['code'],
  detail: string,
  { reason, facts }: Pick<Refused, 'reason' | 'facts'> = {},
): { readonly ok: false; readonly error: Refused } => ({
  ok: false,
  error: { code, detail, ...(reason === undefined || facts === undefined ? {} : { reason, facts }) },
});

/** How a connection was lost; null for anything else. */
const lostConnection = (cause: unknown): string | null => (cause instanceof ConnectionLost ? cause.code : null);

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

/** A request for the list of tools must not wait for a board that doesn't answer. */
const LONGEST_LOOK = 5000;

// A stopping server closes its door before it removes its mark.
const PATIENCE = [50, 100, 200, 400, 800, 1600];

const HOW_TO_GIVE_ONE =
  'The person who set up this connection can give it one: YARNBOARD_TOKEN in the environment of `yarnboard mcp`, with what `yarnboard agent add NAME` gives an agent, or with what is in operator.token of the Yarnboard home';
const NEEDS_A_SERVER = 'needs a running server; start one with `yarnboard start`';

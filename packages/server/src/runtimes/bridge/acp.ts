import { randomBytes } from 'node:crypto';
import { Readable, Writable } from 'node:stream';
import type { SeatEvent, SeatUsage } from '@yarnboard/protocol';
import * as z from 'zod';
import { textIn, type Order, type SeatLines } from '../seat-lines.ts';
import { openingOf, promptOf, tokensOfText } from '../seat-words.ts';
import { loadAcp, type AcpAgent } from './acp-sdk.ts';
import { hearAsked, hearUpdate, UNHEARD, type HeardUpdate } from './acp-updates.ts';
import { giveUp, startBridged } from './program.ts';
import type { BridgeTask } from './task.ts';
import type { ToolSocket } from './tool-socket.ts';

export type AcpParts = { readonly task: BridgeTask; readonly lines: SeatLines; readonly tools: ToolSocket };

type Turn = { readonly id: string; isCancelled: boolean; words: string; heard: number };
type Seat = { readonly model: string | null; readonly opening: string };

/** RT-33: a seat on an agent that speaks the Agent Client Protocol: one process, one session, and one prompt per turn. */
export const runAcp = async ({ task, lines, tools }: AcpParts): Promise<void> => {
  const { send, listen } = lines;
  /** Our server's name among the agent's. A project may have servers of its own, and none of them can be named like this one. */
  const ours = `yarnboard-${randomBytes(4).toString('hex')}`;
  const asking = new Map<string, (decision: 'allow' | 'deny' | 'cancelled') => void>();
  let hearing = UNHEARD;
  let paidUsd = 0;
  let text = '';
  let flushing: NodeJS.Timeout | null = null;
  let turn: Turn | null = null;
  let seat: Seat = { model: task.model, opening: '' };
  /** What arrived during the turn. ACP has no way to interject, so it goes into the next prompt. */
  let meanwhile: string[] = [];
  let asked = 0;

  // Agents stream text in small pieces; one frame each would soon be too many.
  const flush = (): void => {
    if (flushing !== null) clearTimeout(flushing);
    flushing = null;
    if (text !== '') send({ type: 'text', text });
    text = '';
  };

  const take = (heard: HeardUpdate): void => {
    ({ hearing } = heard);
    for (const frame of heard.frames) {
      if (frame.type === 'text') {
        text += frame.text;
        if (turn !== null) turn.words += frame.text;
        flushing ??= setTimeout(() => {
          if (text === '') send({ type: 'text', text: '' });
          flush();
        }, TOGETHER);
        continue;
      }
      flush();
      if (turn !== null) {
        turn.heard += turn.words.length + JSON.stringify(frame).length;
        turn.words = '';
      }
      send(frame);
    }
  };

  const requestPermission = async (params: unknown): Promise<object> => {
    const read = permission.safeParse(params);
    if (!read.success || turn === null || turn.isCancelled) return { outcome: { outcome: 'cancelled' } };
    const heard = hearAsked(hearing, read.data.toolCall);
    take(heard);
    // The seat's token decides what it may do with our own tools, so allow them here. Claude Code has a rule for that (RT-30); other agents ask.
    if (isToolOf(ours, heard.call.name)) return selected(optionFor(read.data.options, 'allow'));
    asked += 1;
    const requestId = `p${asked}`;
    send({ type: 'permission', requestId, tool: heard.call.name, input: heard.call.input });
    const decision = await new Promise<'allow' | 'deny' | 'cancelled'>((resolve) => asking.set(requestId, resolve));
    return selected(optionFor(read.data.options, decision));
  };

  const program = startBridged(task);
  void program.ended.then((why) => {
    flush();
    giveUp(why);
  });
  const sdk = await loadAcp(task.sdk ?? '');
  const { agent } = sdk
    .client({ name: 'yarnboard' })
    .onNotification('session/update', ({ params }) => take(hearUpdate(hearing, (params as { readonly update?: unknown }).update))) // the SDK validated it
    .onRequest('session/request_permission', ({ params }) => requestPermission(params))
    // The SDK wants web streams; Node's are the same under another type.
    .connect(sdk.ndJsonStream(Writable.toWeb(program.input), Readable.toWeb(program.output) as ReadableStream<Uint8Array>));

  /** Opens the session once the server has introduced the seat. */
  const open = async (): Promise<string> => {
    const { about, session } = await beginSession(agent, sdk.PROTOCOL_VERSION, task, { name: ours, ...tools });
    if (seat.model !== null) await chooseModel(agent, session, seat.model);
    send({ type: 'ready', name: about.name, version: about.version });
    return session.sessionId;
  };

  const work = async (id: string, first: string): Promise<void> => {
    const current: Turn = { id, isCancelled: false, words: '', heard: 0 };
    turn = current;
    let said = `${seat.opening}${first}`;
    seat = { ...seat, opening: '' };
    let end: PromptEnd = { status: 'completed', why: null };
    for (;;) {
      const { used, costUsd } = hearing;
      end = await prompt(agent, await opened, said);
      flush();
      if (end.restMs !== undefined) send({ type: 'rest', until: Date.now() + end.restMs, why: end.why ?? '' });
      const spoken = current.heard + current.words.length;
      current.heard = 0;
      send({ type: 'usage', ...usageOf(end.usage, said, spoken, hearing.used - used), model: seat.model, costUsd: costOf(costUsd) });
      if (end.status !== 'completed' || meanwhile.length === 0 || current.isCancelled) break;
      said = meanwhile.splice(0).join('\n\n');
      current.words = '';
    }
    turn = null;
    meanwhile = [];
    const status = current.isCancelled && end.status !== 'completed' ? 'cancelled' : end.status;
    send({ type: 'turn-end', turnId: id, status, text: status === 'completed' ? current.words : null, why: end.why });
  };

  /** The cost of one prompt: agents report only the session's total. */
  const costOf = (before: number): number | null => {
    const cost = hearing.costUsd - Math.max(before, paidUsd);
    paidUsd = hearing.costUsd;
    return hearing.costUsd === 0 ? null : Math.max(0, cost);
  };

  const answerAll = (): void => {
    for (const answer of asking.values()) answer('cancelled');
    asking.clear();
  };

  let start = (): void => {};
  const opened = new Promise<void>((resolve) => {
    start = resolve;
  }).then(open);
  opened.catch((cause: unknown) => giveUp(cause instanceof Error ? cause.message : String(cause)));

  listen(
    {
      hello: (order) => {
        seat = { model: textIn(order['model']) === '' ? task.model : textIn(order['model']), opening: openingOf(order) };
        start();
      },
      brief: (order) => {
        seat = { ...seat, opening: `${seat.opening}${textIn(order['text'])}\n\n` };
      },
      turn: (order) => void work(textIn(order['turn_id']), promptOf(eventsIn(order))),
      event: (order) => {
        if (turn !== null) meanwhile.push(promptOf(eventsIn({ events: [order['event']] })));
      },
      permission: (order) => {
        const requestId = textIn(order['request_id']);
        asking.get(requestId)?.(order['decision'] === 'allow' ? 'allow' : 'deny');
        asking.delete(requestId);
      },
      cancel: (order) => {
        if (turn === null || turn.id !== order['turn_id']) return;
        turn.isCancelled = true;
        answerAll();
        void opened.then((sessionId) => agent.notify('session/cancel', { sessionId })).catch(() => {}); // if this fails, the agent is gone, which `ended` reports
      },
      bye: () => process.exit(0),
    },
    () => process.exit(0),
  );
};

type Session = z.output<typeof newSession>;

const beginSession = async (
  agent: AcpAgent,
  speaks: number,
  { cwd, version }: BridgeTask,
  server: ToolSocket & { readonly name: string },
): Promise<{ readonly about: { readonly name: string | null; readonly version: string | null }; readonly session: Session }> => {
  const begun = initialized.parse(
    await agent.request('initialize', {
      protocolVersion: speaks,
      clientInfo: { name: 'yarnboard', title: 'Yarnboard', version },
      // The agent handles files and commands itself, and asks before it touches them.
      clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
    }),
  );
  if (begun.protocolVersion !== speaks)
    throw new Error(`The agent speaks version ${begun.protocolVersion} of the Agent Client Protocol; Yarnboard speaks version ${speaks}.`);
  try {
    const session = newSession.parse(await agent.request('session/new', { cwd, mcpServers: [server] }));
    const { name = null, version: itsVersion = null } = begun.agentInfo ?? {};
    return { about: { name: name?.slice(0, 200) ?? 'acp', version: itsVersion?.slice(0, 200) ?? null }, session };
  } catch (cause) {
    if (codeOf(cause) !== AUTH_REQUIRED) throw cause;
    const ways = begun.authMethods.map(({ name }) => name).join(', ');
    throw new Error(`The agent wants you to sign in first${ways === '' ? '' : ` (${ways})`}. Start it once in a terminal and sign in there.`, {
      cause,
    });
  }
};

/** Selects the model, if the agent lets us. If it doesn't have the model, it must not silently work with another. */
const chooseModel = async (agent: AcpAgent, { sessionId, configOptions }: Session, model: string): Promise<void> => {
  const option = configOptions.find(({ category }) => category === 'model');
  if (option === undefined) throw new Error(`The agent offers no choice of models, so it cannot use "${model}". Take "model" away.`);
  const values = option.options.flatMap(({ value, options = [] }) => (value === undefined ? options.map((one) => one.value) : [value]));
  if (!values.includes(model)) throw new Error(`The agent has no model "${model}"; it has ${values.slice(0, 20).join(', ')}.`);
  await agent.request('session/set_config_option', { sessionId, configId: option.id, value: model });
};

type PromptEnd = {
  readonly status: 'completed' | 'failed' | 'cancelled';
  readonly why: string | null;
  readonly usage?: z.output<typeof usage> | undefined;
  /** How long the provider wants everyone to wait, in milliseconds. */
  readonly restMs?: number;
};

const prompt = async (agent: AcpAgent, sessionId: string, text: string): Promise<PromptEnd> => {
  try {
    const { stopReason, usage: used } = prompted.parse(await agent.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] }));
    const why = STOPPED.get(stopReason);
    if (why === undefined) return { status: stopReason === 'cancelled' ? 'cancelled' : 'completed', why: null, usage: used };
    return { status: 'failed', why, usage: used };
  } catch (cause) {
    const said = cause instanceof Error ? cause.message : String(cause);
    if (codeOf(cause) === AUTH_REQUIRED) return { status: 'failed', why: `unauthorized: The agent wants you to sign in: ${said}` };
    const isLimit = /rate.?limit|too many requests|quota|\b429\b|overloaded/iu.test(said);
    return { status: 'failed', why: `${isLimit ? 'rate-limited' : 'agent-error'}: ${said}`.slice(0, 2000), ...(isLimit ? { restMs: REST } : {}) };
  }
};

/**
 * Usage as the agent reported it, or else estimated from characters. The growth of the context is a better estimate than the length of the prompt.
 */
const usageOf = (told: PromptEnd['usage'], said: string, spoken: number, grown: number): Omit<SeatUsage, 'model' | 'costUsd'> => ({
  inputTokens: told?.inputTokens ?? Math.max(tokensOfText(said.length), grown),
  outputTokens: (told?.outputTokens ?? tokensOfText(spoken)) + (told?.thoughtTokens ?? 0),
  cacheReadTokens: told?.cachedReadTokens ?? 0,
  cacheWriteTokens: told?.cachedWriteTokens ?? 0,
});

/** Allows only once: the agent must not remember more than the operator granted. */
const optionFor = (options: z.output<typeof permission>['options'], decision: 'allow' | 'deny' | 'cancelled'): string | null => {
  const wanted = decision === 'allow' ? ['allow_once'] : decision === 'deny' ? ['reject_once', 'reject_always'] : [];
  return wanted.flatMap((kind) => options.filter((one) => one.kind === kind))[0]?.optionId ?? null;
};

const selected = (option: string | null): object => ({
  outcome: option === null ? { outcome: 'cancelled' } : { outcome: 'selected', optionId: option },
});

/** Whether this is the name under which agents call a tool of that MCP server. */
const isToolOf = (server: string, name: string): boolean => name.startsWith(`mcp__${server}__`);

const eventsIn = (order: Order): readonly SeatEvent[] => order['events'] as readonly SeatEvent[]; // the server wrote it

const codeOf = (cause: unknown): unknown => (typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : null);

const implementation = z.looseObject({ name: z.string().optional().catch(undefined), version: z.string().optional().catch(undefined) });
const initialized = z.looseObject({
  protocolVersion: z.number(),
  agentInfo: implementation.nullish().catch(undefined),
  authMethods: z
    .array(z.looseObject({ name: z.string() }))
    .catch([])
    .default([]),
});
const choice = z.looseObject({ value: z.string() });
const newSession = z.looseObject({
  sessionId: z.string().min(1),
  configOptions: z
    .array(
      z.looseObject({
        id: z.string(),
        category: z.string().nullish(),
        options: z.array(z.looseObject({ value: z.string().optional(), options: z.array(choice).optional() })).catch([]),
      }),
    )
    .nullish()
    .catch([])
    .transform((one) => one ?? []),
});
const tokens = z.number().int().min(0).max(1e12).nullish().catch(undefined);
const usage = z.looseObject({
  inputTokens: tokens,
  outputTokens: tokens,
  thoughtTokens: tokens,
  cachedReadTokens: tokens,
  cachedWriteTokens: tokens,
});
const prompted = z.looseObject({
  stopReason: z.string(),
  usage: usage
    .nullish()
    .catch(undefined)
    .transform((one) => one ?? undefined),
});
const permission = z.looseObject({
  toolCall: z.unknown(),
  options: z.array(z.looseObject({ optionId: z.string(), kind: z.string() })),
});

const STOPPED: ReadonlyMap<string, string> = new Map([
  ['max_tokens', 'token-limit: The model reached the most tokens it may use.'],
  ['max_turn_requests', 'request-limit: The agent reached the most requests it may make in a turn.'],
  ['refusal', 'refused: The model refuses to go on.'],
]);

const AUTH_REQUIRED = -32_000;
const REST = 60_000;
const TOGETHER = 50;

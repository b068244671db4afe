import { assertNever, DECLINES, equipmentOf, maskSecrets, seatOf, seatRunOf, SYSTEM, turnsInARow, type Command } from '@yarnboard/domain';
import type { RuntimeSettings, SeatEvent } from '@yarnboard/protocol';
import type { Appended, Item } from '@yarnboard/store';
import type { Engine } from '../engine/engine.ts';
import type { After } from '../launches/outgoing.ts';
import { noticeId } from './budgets.ts';
import { createClockJumps } from './clock-jumps.ts';
import { createDeeds, deedId } from './deeds.ts';
import { briefSeat, type Briefing } from './briefing.ts';
import type { InstanceTokens } from './instance-tokens.ts';
import { BRIEFED, type Runtime, type SeatFact, type SeatAnswer, type SeatPlace, type SeatProcess } from './port.ts';
import type { SeatPermissions } from './seat-permissions.ts';
import { createSeatTranscript, NO_TRANSCRIPT, sessionOfSeat, titleItem } from './seat-transcript.ts';
import { promptOf } from './seat-words.ts';
import { limitsFor, seatFrom, spentToday } from './seat-limits.ts';
import { isIdle, superviseSeat, type Supervised, type SupervisionEffect, type SupervisionInput } from './supervision.ts';

export type LiveSeatOptions = {
  readonly place: SeatPlace;
  readonly settings: RuntimeSettings;
  readonly runtime: Runtime;
  readonly engine: Engine;
  readonly tokens: InstanceTokens;
  readonly permissions: SeatPermissions;
  readonly append: (items: readonly Item[]) => Promise<readonly Appended[]>;
  /** Runs a registered operation as the seat's agent; throws refusals. */
  readonly perform: (place: SeatPlace, name: string, input: Readonly<Record<string, unknown>>, model: string | null) => Promise<unknown>;
  /** A refusal in the form sent to programs. */
  readonly problemOf: (cause: unknown) => { readonly code: string; readonly detail: string };
  readonly url: () => string | null;
  readonly version: string;
  readonly folder: string;
  readonly now: () => number;
  readonly newId: () => string;
  readonly after: After;
  /** A clock that runs only while the machine is awake. */
  readonly steady?: () => number;
  readonly onFault: (cause: unknown) => void;
  /** RT-61: takes and returns a turn slot; `away` while the seat waits for a permission. */
  readonly turns: SeatTurns;
  readonly onRest: (until: number, why: string) => void;
  /** Called with the program's name whenever it starts. */
  readonly onReady: (program: string) => void;
  readonly onGone: () => void;
};

/** One seat's access to the turn slots. */
export type SeatTurns = {
  readonly ask: (onPlaced: () => void) => void;
  readonly leave: () => void;
  readonly away: (isAway: boolean) => void;
};

/** A live seat: its process, and the effects of supervision, carried out one at a time. */
export type LiveSeat = {
  readonly place: SeatPlace;
  readonly runtime: string;
  readonly tell: (event: SeatEvent) => void;
  readonly call: (wish: 'cancel' | 'stop' | 'restart', why: string | null) => void;
  readonly rest: (until: number, why: string) => void;
  /** Delivers the answer to its permission request. */
  readonly permit: (requestId: string, answer: SeatAnswer) => void;
  /** Called when the board has changed. */
  readonly fold: () => void;
  readonly faults: () => Readonly<Record<string, number>>;
  /** Since when it has been idle; null while it is busy. */
  readonly idleSince: () => number | null;
  /** The seat is gone; resolves when nothing of it is left running. */
  readonly leave: (why: string) => Promise<void>;
  readonly settled: () => Promise<void>;
  /** Stops it, but keeps its place: it continues later, on this server or the next. */
  readonly close: (why?: string) => Promise<void>;
};

export const createLiveSeat = (options: LiveSeatOptions): LiveSeat => {
  const { place, settings, engine, now, newId, after, onFault, tokens } = options;
  const { agent, sidebarId } = place;
  const title = `${agent} in ${engine.board().sidebars.get(sidebarId)?.ref ?? sidebarId}`;
  const model = (): string | null => equipmentOf(engine.board(), agent).model ?? settings.model;
  const transcript =
    options.runtime.keepsRecords === true
      ? NO_TRANSCRIPT
      : createSeatTranscript({ ...options, title, model: model(), cwd: settings.directories[0] ?? options.folder });
  let sessionId = sessionOfSeat(place);
  let context = BRIEFED;
  const deeds = createDeeds(place);
  const faults = new Map<string, number>();
  const jumps = createClockJumps(now, options.steady ?? (() => performance.now()));
  let seat: Supervised = seatFrom(engine.board(), place, settings.limits, now());
  let process: SeatProcess | null = null;
  let briefing: Briefing | null = null;
  let isShown = false;
  let queue: Promise<void> = Promise.resolve();
  let timers = new Map<number, () => void>();
  let [isClosed, lastFailed] = [false, false];
  let idleSince: number | null = null;

  const step = (input: SupervisionInput): void => {
    if (isClosed) return;
    const by = jumps();
    if (by !== 0) step({ kind: 'jumped', at: now(), by });
    const next = superviseSeat(seat, input);
    ({ seat } = next);
    idleSince = isIdle(seat) ? (idleSince ?? now()) : null;
    for (const effect of next.effects) {
      if (effect.kind === 'wake') wake(effect.at);
      else queue = queue.then(() => carryOut(effect)).catch(onFault);
    }
  };

  /** Reads the board's current state. During a turn, more may be spent than the log shows. */
  const fold = (): void => {
    const board = engine.board();
    const isSpending = seat.turn !== null;
    step({
      kind: 'folded',
      at: now(),
      spent: isSpending ? seat.spent : { ...seat.spent, ...spentToday(board, agent, now()) },
      limits: limitsFor(board, place, settings.limits, now()),
      row: turnsInARow(board, sidebarId),
    });
  };

  const wake = (at: number): void => {
    if (timers.has(at)) return;
    // Timers stop while the machine sleeps, and don't notice when the clock is set.
    const wait = Math.min(LONGEST_LOOK, Math.max(0, at - now()));
    timers.set(
      at,
      after(wait, () => {
        timers.delete(at);
        fold();
        if (now() < at) wake(at);
        else step({ kind: 'clock', at: now() });
      }),
    );
  };

  const tellBoard = async (command: Command, messageId = newId()): Promise<void> => {
    const outcome = await engine.execute({ command, actor: SYSTEM, messageId, client: 'yarnboard' });
    // The sidebar may be gone by now; the next look at the board shows that.
    if (outcome.kind === 'rejected') onFault(new Error(`${command.type} of ${agent} was refused: ${outcome.code}`));
  };

  const carryOut = async (effect: Exclude<SupervisionEffect, { kind: 'wake' }>): Promise<void> => {
    switch (effect.kind) {
      case 'start':
        wake(effect.lookAt);
        await startProcess().catch((cause: unknown) => {
          onFault(cause);
          step({ kind: 'fact', at: now(), fact: { kind: 'died', why: 'it could not be started' } });
        });
        return;
      case 'begin-turn':
        await beginTurn(effect.id, effect.events);
        return;
      case 'tell':
        transcript.prompt(effect.id, promptOf([effect.event]));
        process?.tell(effect.id, effect.event);
        return;
      case 'cancel':
        process?.cancel(effect.id);
        return;
      case 'stop':
        await process?.stop(effect.why);
        return;
      case 'ask-place':
        options.turns.ask(() => {
          // Other seats may have spent something meanwhile.
          fold();
          step({ kind: 'placed', at: now() });
        });
        return;
      case 'leave-place':
        options.turns.leave();
        return;
      case 'say':
        await say(effect);
        return;
      case 'report':
        await report(effect);
        return;
      case 'warn':
        await tellBoard(
          { type: 'limit.tell', sidebar: sidebarId, agent, of: effect.of, share: effect.share },
          effect.of === 'row' ? newId() : noticeId(place, seat.limits, effect.of, effect.share, now()),
        );
        return;
      case 'close-turn':
        await closeTurn(effect);
        return;
      default:
        assertNever(effect);
    }
  };

  const startProcess = async (): Promise<void> => {
    const board = engine.board();
    const sidebar = board.sidebars.get(sidebarId);
    if (sidebar === undefined || isClosed) return;
    const { memory } = engine;
    context = (await options.runtime.contextFor?.({ memory, board, sidebar, last: seatRunOf(board, agent, sidebarId) })) ?? BRIEFED;
    briefing = context.isResumed ? null : await briefSeat({ memory, board, sidebar, agent, upTo: engine.position(), now: now(), told: context.told });
    isShown = false;
    faults.clear();
    const { instructions } = equipmentOf(board, agent);
    process = options.runtime.start(
      {
        place,
        instance: seatOf(board, agent, sidebarId)?.instanceId ?? null,
        sidebarRef: sidebar.ref,
        model: model(),
        instructions,
        token: tokens.give(place),
        url: options.url(),
        briefing,
        context,
      },
      hear,
    );
  };

  const beginTurn = async (id: string, events: readonly SeatEvent[]): Promise<void> => {
    const upTo = events.reduce((most, { seq }) => Math.max(most, seq), 0);
    // RT-13: goes on the log before the program hears it, so we know what was sent, whatever happens next.
    await tellBoard({
      type: 'turn.tell',
      sidebar: sidebarId,
      agent,
      turn: id,
      status: 'begun',
      upTo,
      isAgain: false,
      usage: null,
      model: model(),
      why: null,
      briefing: briefing === null ? null : { refs: [...briefing.refs], upTo: briefing.upTo, size: briefing.size, hash: briefing.hash },
    });
    transcript.prompt(id, `${isShown ? '' : `${briefing?.text ?? ''}\n\n`}${promptOf(events)}`);
    isShown = true;
    process?.turn(id, events);
  };

  const say = async ({ text, about, effort }: Extract<SupervisionEffect, { kind: 'say' }>): Promise<void> => {
    const outcome = await engine.execute({
      command: { type: 'chat.say', sidebar: sidebarId, content: text },
      actor: { id: agent, type: 'agent' },
      messageId: deedId(place, about, 'last words'),
      client: 'yarnboard',
      circumstances: {
        agentModelVersion: model() ?? undefined,
        processingTimeMs: effort.took,
        tokenCount: effort.tokens ?? undefined,
        toolsInvoked: effort.tools.length === 0 ? undefined : effort.tools,
      },
    });
    if (outcome.kind === 'rejected') onFault(new Error(`the last words of ${agent} could not be said: ${outcome.code}`));
  };

  const closeTurn = async (effect: Extract<SupervisionEffect, { kind: 'close-turn' }>): Promise<void> => {
    transcript.flush();
    const { usage } = effect;
    const isRepeated = effect.status === 'failed' && lastFailed;
    lastFailed = effect.status === 'failed';
    const { model: usedModel = null, ...used } = usage ?? {};
    await tellBoard({
      type: 'turn.tell',
      sidebar: sidebarId,
      agent,
      turn: effect.id,
      status: effect.status,
      upTo: effect.upTo,
      isAgain: effect.isAgain,
      usage: usage === null ? null : (used as NonNullable<Extract<Command, { type: 'turn.tell' }>['usage']>), // a usage without its model
      model: usedModel ?? model(),
      why: effect.why,
      briefing: null,
      ...(isRepeated ? { isRepeated } : {}),
    });
    fold();
  };

  const report = async ({ state, why, isCrash }: Extract<SupervisionEffect, { kind: 'report' }>): Promise<void> => {
    if (isClosed) return;
    await tellBoard({
      type: 'seat.tell',
      sidebar: sidebarId,
      agent,
      state,
      runtime: settings.name,
      model: model(),
      sessionId,
      contextKind: context.kind,
      why,
      isCrash,
    });
    if (state === 'failed') await tellBoard({ type: 'agent.presence', agent, status: 'offline' });
  };

  const hear = (fact: SeatFact): void => {
    switch (fact.kind) {
      case 'text':
        transcript.text(fact.text);
        break;
      case 'tool':
        transcript.tool(fact.id, fact.name, fact.input);
        break;
      case 'tool-result':
        transcript.result(fact.id, fact.output, fact.isError);
        break;
      case 'usage':
        transcript.usage(fact.usage);
        break;
      case 'turn-ended':
        if (fact.text !== null) transcript.text(fact.text);
        withdraw();
        break;
      case 'command':
        void obey(fact);
        break;
      case 'permission':
        options.turns.away(true);
        void askLeave(fact).catch((cause: unknown) => {
          onFault(cause);
          permit(fact.requestId, denied('Yarnboard could not record the request.'));
        });
        break;
      case 'rest':
        options.onRest(fact.until, fact.why);
        break;
      case 'decline':
        queue = queue.then(() => decline(fact.reason, fact.note)).catch(onFault);
        break;
      case 'fault':
        faults.set(fact.code, (faults.get(fact.code) ?? 0) + 1);
        break;
      case 'died':
        tokens.take(place);
        process = null;
        withdraw();
        break;
      case 'ready':
        options.onReady([fact.name, fact.version].filter((one) => one !== null).join(' '));
        if (fact.sessionId !== undefined) goOnIn(fact.sessionId);
        break;
      case 'permitted':
      case 'held-up':
        break;
      default:
        assertNever(fact);
    }
    step({ kind: 'fact', at: now(), fact });
  };

  /** RT-50: asks the operator; the answer arrives through the log. */
  const askLeave = async (fact: Extract<SeatFact, { kind: 'permission' }>): Promise<void> => {
    const refusal = await options.permissions.ask(place, fact, context.cwd ?? settings.directories[0] ?? options.folder);
    if (refusal !== null) permit(fact.requestId, denied(refusal));
  };

  const permit = (requestId: string, answer: SeatAnswer): void => {
    process?.permit(requestId, answer);
    options.turns.away(false);
    step({ kind: 'permitted', at: now(), requestId });
  };

  /** A program that ended, or ended its turn, needs no answer any more. If the server itself is ending, its next start does this. */
  const withdraw = (): void => {
    if (!isClosed) options.permissions.withdraw(place).catch(onFault);
  };

  /** RT-31: a session kept by the runtime is named after the seat, too. */
  const goOnIn = (own: string): void => {
    sessionId = own;
    if (!context.isResumed) options.append([titleItem(own, title, now())]).catch(onFault);
  };

  /** The token determines its rights, whatever it was told to do. */
  const obey = async ({ id, name, input }: Extract<SeatFact, { kind: 'command' }>): Promise<void> => {
    const answering = process;
    try {
      const answer = await options.perform(place, name, deeds.named(seat.turn, name, input), model());
      if (name === 'chat_message' && typeof input['content'] === 'string') step({ kind: 'said', at: now(), text: input['content'] });
      answering?.answer(id, true, answer);
    } catch (cause) {
      answering?.answer(id, false, options.problemOf(cause));
    }
  };

  /** LOAD-12: tells whoever asked, and suggests others. A seat that has already acted, or gives no standard reason, leaves instead. */
  const decline = async (reason: string, note: string | null): Promise<void> => {
    const as = (command: Command): ReturnType<Engine['execute']> =>
      engine.execute({ command, actor: { id: agent, type: 'agent' }, messageId: newId(), client: 'yarnboard' });
    const code = DECLINES.find((one) => one === reason);
    const why = note ?? undefined;
    const declined = await as({ type: 'recruitment.answer', request: sidebarId, isAccepted: false, code, note: why });
    if (declined.kind !== 'rejected') return;
    await as({ type: 'agent.leave', sidebar: sidebarId, agent, reason: note === null ? reason : `${reason}: ${note}` });
  };

  const end = async (why: string): Promise<void> => {
    for (const callOff of timers.values()) callOff();
    timers = new Map();
    options.turns.leave();
    await queue;
    await process?.stop(why);
    tokens.take(place);
    await queue;
    await transcript.close();
    options.onGone();
  };

  step({ kind: 'wanted', at: now() });

  return {
    place,
    runtime: settings.name,
    // Masked like everything served to agents (RT-21): it may leave this machine.
    tell: (event) => step({ kind: 'told', at: now(), event: { ...event, text: maskSecrets(event.text).text } }),
    call: (wish, why) => {
      if (wish === 'cancel') step({ kind: 'cancel', at: now(), why: why ?? 'cancelled by request' });
      if (wish === 'restart') step({ kind: 'restart', at: now() });
    },
    rest: (until, why) => step({ kind: 'rest', at: now(), until, why }),
    permit,
    fold,
    faults: () => Object.fromEntries(faults),
    leave: async (why) => {
      // The token stops working now.
      tokens.take(place);
      step({ kind: 'unwanted', at: now(), why });
      await end(why);
    },
    settled: async () => {
      for (let before: Promise<void> | null = null; before !== queue;) {
        before = queue;
        await before;
      }
    },
    idleSince: () => idleSince,
    close: (why = 'the server ends') => {
      // The next start closes the turn, so nothing that was sent is lost.
      isClosed = true;
      return end(why);
    },
  };
};

/** In milliseconds. */
const LONGEST_LOOK = 60_000;

const denied = (message: string): SeatAnswer => ({ decision: 'deny', message, input: null });

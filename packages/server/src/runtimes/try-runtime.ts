import type { After } from '../launches/outgoing.ts';
import { BRIEFED, type Runtime, type SeatFact } from './port.ts';

export type TriedCheck = {
  readonly name: 'settings' | 'start' | 'turn' | 'usage' | 'protocol' | 'end';
  /** Null if unknown. */
  readonly works: boolean | null;
  readonly text: string;
};

export type TryOptions = {
  readonly runtime: Runtime;
  readonly agent: string;
  readonly model: string | null;
  readonly newId: () => string;
  readonly after: After;
};

/** RT-57: starts a program, gives it one tiny turn, and ends it. It has no sidebar and its token is invalid, so every request is refused. */
export const tryRuntime = async ({ runtime, agent, model, newId, after }: TryOptions): Promise<readonly TriedCheck[]> => {
  const facts: SeatFact[] = [];
  let settle = (): void => {};
  const over = new Promise<void>((resolve) => {
    settle = resolve;
  });
  const hear = (fact: SeatFact): void => {
    facts.push(fact);
    if (fact.kind === 'ready') seat.turn(TURN, [{ seq: 1, kind: 'try', from: 'AGENT-operator', text: WORDS, refs: [] }]);
    if (fact.kind === 'command') seat.answer(fact.id, false, { code: 'out-of-reach', detail: 'This is a try, outside of every sidebar.' });
    if (fact.kind === 'permission') seat.permit(fact.requestId, { decision: 'deny', message: 'This is a try.', input: null });
    if (fact.kind === 'turn-ended' || fact.kind === 'died') settle();
  };
  const seat = runtime.start(
    {
      place: { agent, sidebarId: 'try' },
      sidebarRef: 'SB-0',
      model,
      instructions: null,
      token: newId(),
      url: null,
      briefing: { text: 'This is a try: you take part in no sidebar.', hash: '' },
      context: BRIEFED,
      instance: null,
    },
    // The program may report something before `seat` is assigned.
    (fact) => queueMicrotask(() => hear(fact)),
  );
  const callOff = after(LONGEST, () => settle());
  await over;
  callOff();
  const told = [...facts];
  await seat.stop('the try is over');
  return checksOf(told);
};

const checksOf = (facts: readonly SeatFact[]): readonly TriedCheck[] => {
  const find = <K extends SeatFact['kind']>(kind: K): Extract<SeatFact, { kind: K }> | null =>
    (facts.find((fact) => fact.kind === kind) as Extract<SeatFact, { kind: K }> | undefined) ?? null; // found by this kind
  const [ready, ended, died, usage] = [find('ready'), find('turn-ended'), find('died'), find('usage')];
  const faults = facts.filter((fact) => fact.kind === 'fault');
  const { inputTokens = 0, outputTokens = 0, costUsd = null } = usage?.usage ?? {};
  return [
    {
      name: 'start',
      works: ready !== null,
      text:
        ready !== null
          ? `started${ready.name === null ? '' : `: ${ready.name} ${ready.version ?? ''}`.trimEnd()}`
          : (died?.why ?? 'it was not ready in time'),
    },
    {
      name: 'turn',
      works: ended?.status === 'completed',
      text:
        ended === null
          ? (died?.why ?? 'no end of the turn came in time')
          : ended.status === 'completed'
            ? `said “${(ended.text ?? '').slice(0, 200)}”`
            : `${ended.status}: ${ended.why ?? 'no reason given'}`,
    },
    {
      name: 'usage',
      works: usage === null ? null : true,
      text:
        usage === null
          ? 'it tells no usage: only turns are limited'
          : `${inputTokens + outputTokens} tokens, ${costUsd === null ? 'no price known' : `${Number(costUsd.toFixed(4))} USD`}`,
    },
    {
      name: 'protocol',
      works: faults.length === 0,
      text:
        faults.length === 0
          ? 'nothing wrong'
          : faults
              .map(({ text }) => text)
              .slice(0, 5)
              .join('; '),
    },
  ];
};

const TURN = 'turn-1';
const WORDS = 'This is a try. Say hello in one sentence and end your turn.';
const LONGEST = 60_000;

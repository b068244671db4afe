import { decide, NO_LANGUAGE, type Actor, type Board, type Command, type Decision } from '@yarnboard/domain';
import { useActor, useBoard, useLive } from './hooks.tsx';
import { inPlainWords, READING_ONLY } from './refusal.ts';

/** What the domain says to a command before it is sent. */
export type Verdict = {
  /** Why it would be refused; null when nothing that is known here speaks against it. */
  readonly refusal: string | null;
  /** Whom the human would stand in for: that is counted, and said before it is done. */
  readonly instead: string | null;
  /** It would not be done but proposed: the coordinator decides. */
  readonly isProposal: boolean;
};

/** Who may do what is the domain's to say: it is asked, and its words are shown. */
export const useVerdict = (command: Command): Verdict => {
  const actor = useActor();
  const { now } = useLive();
  return useBoard((board) => verdictOn(board, actor, command, now()), [actor?.id, JSON.stringify(command)]);
};

const verdictOn = (board: Board, actor: Actor | null, command: Command, now: number): Verdict => {
  if (actor === null) return { refusal: READING_ONLY, instead: null, isProposal: false };
  const facts = { now, actor, newId: () => 'not-sent', refs: new Map(), isInherited: () => false, surfacings: () => [], language: NO_LANGUAGE };
  return verdictIn(decide(board, command, facts));
};

const verdictIn = (decision: Decision): Verdict => {
  if (!decision.ok) return { refusal: inPlainWords(decision.error), instead: null, isProposal: false };
  const isProposal = decision.value.some(({ type }) => type === 'sidebar.proposed');
  const stepIn = decision.value.find(({ type }) => type === 'sidebar.intervened');
  return { refusal: null, instead: stepIn?.type === 'sidebar.intervened' ? stepIn.payload.instead : null, isProposal };
};

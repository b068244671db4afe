import {
  decide,
  NO_LANGUAGE,
  rejectionOf,
  WHILE_AWAY,
  type Actor,
  type Board,
  type Command,
  type CommandType,
  type Decision,
} from '@yarnboard/domain';
import type { EmergencyNews } from '@yarnboard/protocol';
import { useActor, useBoard, useEmergency, useLive, useRecovery } from './hooks.tsx';
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
  const blocked = useBlocked(command.type);
  const verdict = useBoard((board) => verdictOn(board, actor, command, now()), [actor?.id, JSON.stringify(command)]);
  return blocked === null || actor === null ? verdict : { ...verdict, refusal: blocked };
};

/** PAGE-436: why nothing like this is done now: the log is away and it cannot wait, or the last session has to be recovered first. Null when it can be. */
const useBlocked = (type: CommandType): string | null => {
  const emergency = useEmergency();
  const recovery = useRecovery();
  if (recovery?.state === 'RECOVERY_NEEDED') return RECOVERY_FIRST;
  if (emergency === null || (emergency.state !== 'emergency' && emergency.state !== 'resuming') || WHILE_AWAY[type] !== 'blocked') return null;
  return blockedWords(emergency);
};

const blockedWords = ({ since, message }: EmergencyNews): string =>
  inPlainWords(rejectionOf('blocked-in-emergency', { why: message.replace(/^[^:]*: /u, ''), since: `${(since ?? '').slice(11, 16)} UTC` }));

const RECOVERY_FIRST = 'The previous session crashed. The operator has to finish recovery first.';

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

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

/** The domain's verdict on a command before it is sent. */
export type Verdict = {
  /** Why it would be refused; null if nothing known here speaks against it. */
  readonly refusal: string | null;
  /** The agent whose job the human would be doing: that is counted, and announced first. */
  readonly instead: string | null;
  /** It would become a proposal: the coordinator decides. */
  readonly isProposal: boolean;
};

/** The domain determines who may do what: it is asked, and its words are shown. */
export const useVerdict = (command: Command): Verdict => {
  const actor = useActor();
  const { now } = useLive();
  const blocked = useBlocked(command.type);
  const verdict = useBoard((board) => verdictOn(board, actor, command, now()), [actor?.id, JSON.stringify(command)]);
  return blocked === null || actor === null ? verdict : { ...verdict, refusal: blocked };
};

/**
 * PAGE-436: why such a command can't be done now: the log is away and it can't be queued, or the last session has to be recovered first. Null if it
 * can.
 */
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

import { NOWHERE, type AgentRow, type OperationRow, type Store } from '@yarnboard/store';
import { readEntry, type AgentCall } from '@yarnboard/transcript';
import { recordsAt } from './log-records.ts';

/** The call that began a sub-agent, and how it was answered. */
export type FoundCall = { readonly agent: string | null; readonly answer: OperationRow['answer'] };

/**
 * Finds a sub-agent's call by its prompt, among the records around its first one. Certainty requires reading the whole session; this has a constant
 * cost.
 */
export const agentCallOf = async (
  { log, library }: Pick<Store, 'log' | 'library'>,
  { sessionId, agentId, firstPosition }: AgentRow,
): Promise<FoundCall | null> => {
  const around = [...(await log.entriesBefore(sessionId, firstPosition, AROUND)), ...(await log.entriesOf(sessionId, firstPosition, AROUND))];
  const callers = around.filter(({ toolsInvoked }) => toolsInvoked?.some((name) => CALLING.has(name)) === true);
  const positions = callers.slice(0, MOST_CALLERS).map(({ position }) => position);
  const records = await recordsAt(log, [firstPosition, ...positions]);
  const readingAt = (position: number, isAgent: boolean) => {
    const record = records.get(position);
    return record === undefined ? null : readEntry(record, NOWHERE, isAgent);
  };
  const asked = readingAt(firstPosition, true)?.text ?? null;
  for (const position of positions) {
    for (const use of readingAt(position, false)?.uses ?? []) {
      if (use.call === null || !isCallOf(use.call, asked, agentId)) continue;
      const answers = (await library.operationsAt(sessionId, [position])).filter(({ kind, toolUseId }) => kind === 'result' && toolUseId === use.id);
      const answer = answers.find((one) => one.answer === 'answer') ?? answers[0];
      return { agent: use.call.agent, answer: answer?.answer ?? null };
    }
  }
  return null;
};

const isCallOf = ({ prompt, resume }: AgentCall, asked: string | null, agentId: string): boolean =>
  resume === agentId || (asked !== null && plain(prompt) === plain(asked));

/** Some versions trim and re-wrap prompts. */
const plain = (text: string): string => text.replaceAll(/\s+/gu, ' ').trim();

const CALLING: ReadonlySet<string> = new Set(['Task', 'Agent']);
const AROUND = 24;
const MOST_CALLERS = 8;

import { printableLine } from '@yarnboard/transcript';
import { Check, X } from 'lucide-react';
import { useState } from 'react';
import { useActor, useAskAgain, useCommand, useLive } from '../../live/hooks.tsx';
import { Button } from '../../ui/button.tsx';
import { countOf } from '../../ui/wording.ts';
import { isOpen, type Permission } from './permissions.ts';
import { toolWords } from './questions.ts';

/** Requests of one run for one tool, which can be answered together. Questions and plans are answered individually. */
export type Alike = { readonly runId: string; readonly tool: string; readonly requestIds: readonly string[] };

export const alikeIn = (requests: readonly Permission[]): readonly Alike[] => {
  const groups = new Map<string, Alike>();
  for (const { runId, tool, requestId } of requests.filter(isOpen)) {
    if (runId === null || ONE_BY_ONE.has(tool)) continue;
    const known = groups.get(`${runId} ${tool}`);
    groups.set(`${runId} ${tool}`, { runId, tool, requestIds: [...(known?.requestIds ?? []), requestId] });
  }
  return [...groups.values()].filter(({ requestIds }) => requestIds.length > 1);
};

const ONE_BY_ONE: ReadonlySet<string> = new Set(['AskUserQuestion', 'ExitPlanMode']);

/** PAGE-426: answers many similar requests of one run at once. Requests that arrive in the meantime are not included. */
export const AlikeRequests = ({ alike: { runId, tool, requestIds } }: { readonly alike: Alike }) => {
  const actor = useActor();
  const { send } = useCommand('answer_permission');
  const { runNews } = useLive();
  const askAgain = useAskAgain();
  const [chosen, setChosen] = useState<'allow' | 'deny' | null>(null);
  const [failed, setFailed] = useState(0);
  if (actor === null) return null;
  const answer = async (decision: 'allow' | 'deny'): Promise<void> => {
    if (chosen !== null) return;
    setChosen(decision);
    let refused = 0;
    for (const requestId of requestIds) {
      const outcome = await send({ id: runId, requestId, decision });
      if (outcome.kind === 'done') runNews.take(outcome.result);
      else refused += 1;
    }
    setFailed(refused);
    setChosen(null);
    askAgain('permissions', 'activity', 'holder');
  };
  const name = printableLine(toolWords(tool));
  return (
    <div className="permission-alike" role="group" aria-label={`${requestIds.length} requests for ${name}`}>
      <span>
        {countOf(requestIds.length)} requests for <b>{name}</b> from one run
      </span>
      <span className="permission-buttons">
        <Button size="small" icon={X} isBusy={chosen === 'deny'} onClick={() => void answer('deny')}>
          Deny all
        </Button>
        <Button size="small" icon={Check} isBusy={chosen === 'allow'} onClick={() => void answer('allow')}>
          Allow all
        </Button>
      </span>
      {failed === 0 ? null : (
        <p className="permission-refusal" role="alert">
          {countOf(failed)} of them {failed === 1 ? 'was' : 'were'} already answered or couldn’t be.
        </p>
      )}
    </div>
  );
};

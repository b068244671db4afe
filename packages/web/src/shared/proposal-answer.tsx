import { Check, X } from 'lucide-react';
import { useState } from 'react';
import { useDraft } from '../live/draft.ts';
import { useCommand } from '../live/hooks.tsx';
import { refusalIn } from '../live/refusal.ts';
import { useVerdict } from '../live/verdict.ts';
import { Button } from '../ui/button.tsx';
import { TextArea } from '../ui/field.tsx';
import { focusFirst } from '../ui/first-focus.ts';
import { Form } from '../ui/form.tsx';
import { useToast } from '../ui/toast.tsx';
import { InterventionNote } from './intervention-note.tsx';
import './proposal-answer.css';

type ProposalAnswerProps = {
  readonly sidebarId: string;
  /** PROPOSAL-n of the sidebar, or its id. */
  readonly proposalId: string;
  /** The proposal's text, for screen readers. */
  readonly about: string;
};

/** PAGE-212: accepts a proposal, or declines it with a reason, right where it is shown. */
export const ProposalAnswer = ({ sidebarId, proposalId, about }: ProposalAnswerProps) => {
  const answer = useCommand('proposal_answer');
  const [isDeclining, setIsDeclining] = useState(false);
  const [reason, write, clear, sent] = useDraft(`decline/${sidebarId}/${proposalId}`, '');
  const asked = { type: 'proposal.answer', sidebar: sidebarId, proposal: proposalId } as const;
  const { instead } = useVerdict({ ...asked, isAccepted: true });
  const tell = useToast();
  // An answered proposal disappears from the list at once, and this with it: a refusal has to be shown elsewhere.
  const accept = async (): Promise<void> => {
    const outcome = await answer.send({ sidebarId, proposalId, accept: true }, { proposal: { ...asked, isAccepted: true } });
    const why = refusalIn(outcome);
    if (why !== null) tell({ tone: 'bad', title: 'Couldn’t accept the proposal', text: why });
  };
  const decline = async (): Promise<void> => {
    const words = reason.trim() === '' ? {} : { reason: reason.trim() };
    const outcome = await sent(() =>
      answer.send({ sidebarId, proposalId, accept: false, ...words }, { proposal: { ...asked, isAccepted: false, ...words } }),
    );
    const why = refusalIn(outcome);
    if (why !== null) tell({ tone: 'bad', title: 'Couldn’t decline the proposal', text: why });
  };
  return (
    <div className="proposal-answer" role="group" aria-label={`Answer: ${about}`}>
      {isDeclining ? (
        <Form ref={focusFirst} className="proposal-answer-form" aria-label={`Decline: ${about}`} onSubmit={() => void decline()}>
          <TextArea label="Why not?" hint="The proposer will see this." rows={2} value={reason} onChange={(event) => write(event.target.value)} />
          <div className="proposal-answer-buttons">
            <Button size="small" variant="primary" type="submit" isBusy={answer.isSending}>
              Decline
            </Button>
            <Button
              size="small"
              onClick={() => {
                clear();
                setIsDeclining(false);
              }}
            >
              Cancel
            </Button>
          </div>
        </Form>
      ) : (
        <>
          <InterventionNote instead={instead} />
          <div className="proposal-answer-buttons">
            <Button size="small" icon={Check} isBusy={answer.isSending} onClick={() => void accept()}>
              Accept
            </Button>
            <Button size="small" icon={X} onClick={() => setIsDeclining(true)}>
              Decline…
            </Button>
          </div>
        </>
      )}
    </div>
  );
};

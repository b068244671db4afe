import type { Gold, GoldAnswer as Answer } from '@yarnboard/domain';
import { Clock, ThumbsUp } from 'lucide-react';
import { useCommand } from '../live/hooks.tsx';
import { useVerdict } from '../live/verdict.ts';
import { Button } from '../ui/button.tsx';
import './gold-answer.css';
import { Refusal } from './refusal.tsx';

type GoldAnswerProps = {
  readonly gold: Pick<Gold, 'id' | 'ref'>;
  /** The sidebar or session where it surfaced, as the board knows it and by its name. */
  readonly contextId: string;
  readonly place: string;
};

/** PAGE-640: asks whether GOLD was useful where it surfaced. It shows nothing to users who may not answer, or once it is answered. */
export const GoldAnswer = ({ gold, contextId, place }: GoldAnswerProps) => {
  const { send, isSending, refusal } = useCommand('gold_answered');
  const about = { type: 'gold.answer', gold: gold.id, where: contextId } as const;
  const verdict = useVerdict({ ...about, answer: 'useful' });
  const say = async (answer: Answer): Promise<void> => {
    await send({ goldId: gold.ref, answer, where: place }, { proposal: { ...about, answer } });
  };
  if (verdict.refusal !== null) return <Refusal text={refusal} />;
  return (
    <div className="gold-answer" role="group" aria-label={`Was ${gold.ref} useful in ${place}?`}>
      <Button size="small" icon={ThumbsUp} isBusy={isSending} onClick={() => void say('useful')}>
        Useful
      </Button>
      <Button size="small" icon={Clock} onClick={() => void say('not_now')}>
        Not now
      </Button>
      <Refusal text={refusal} />
    </div>
  );
};

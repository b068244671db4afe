import { Brain, ChevronRight } from 'lucide-react';
import { useEffect } from 'react';
import { Markdown } from '../../ui/markdown.tsx';
import { countOf } from '../../ui/wording.ts';
import { useShownPart } from './flow-context.ts';
import type { Step } from './flow-pages.ts';
import { useOpened } from './opened.ts';
import { useReaderWishes } from './reader.tsx';
import { RestButton } from './step-text.tsx';
import { useWholeText } from './whole-text.ts';

/** What the model thought before it answered; folded, because readers want the answer. */
export const StepThinking = ({ step }: { readonly step: Step }) => {
  const [isOpen, setIsOpen] = useOpened(`${step.uuid} thinking`);
  const [isWhole, setIsWhole] = useOpened(`${step.uuid} all of the thinking`);
  const whole = useWholeText(step, 'thinking', isOpen && isWhole);
  const part = useShownPart();
  const isShown = part?.kind === 'thinking' && step.uuids.includes(part.uuid);
  const isCut = step.thinkingLength > step.thinking.length;
  useEffect(() => {
    if (!isShown) return;
    setIsOpen(true);
    // A search hit may lie beyond the part that is loaded.
    if (isCut) setIsWhole(true);
  }, [part, isShown, isCut, setIsOpen, setIsWhole]);
  const isHidden = useReaderWishes().has('no-thinking') && !isShown;
  if (step.thinkingLength === 0 || isHidden) return null;
  const text = whole.text ?? step.thinking;
  return (
    <details className="step-thinking" data-shown={isShown || undefined} open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>
        <ChevronRight className="step-fold" aria-hidden />
        <Brain aria-hidden />
        Thinking
        <span className="faint numbers">{countOf(step.thinkingLength)} characters</span>
      </summary>
      {isOpen ? (
        <div className="step-thought">
          <Markdown text={text} />
          <RestButton length={step.thinkingLength} shown={text.length} state={whole} isWhole={isWhole} onWhole={setIsWhole} />
        </div>
      ) : null}
    </details>
  );
};

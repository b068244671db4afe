import { printable } from '@yarnboard/transcript';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Markdown } from '../../ui/markdown.tsx';
import { withReferences } from '../../ui/reference.tsx';
import { TerminalText } from '../../ui/terminal-text.tsx';
import { countOf } from '../../ui/wording.ts';
import { isTyped, type Step } from './flow-pages.ts';
import { useOpened } from './opened.ts';
import { useWholeText } from './whole-text.ts';

/** What was said: replies as Markdown, prompts as they were typed. The rest of a long one is asked for. */
export const StepText = ({ step }: { readonly step: Step }) => {
  const [isWhole, setIsWhole] = useOpened(`${step.uuid} text`);
  const whole = useWholeText(step, 'text', isWhole);
  const text = whole.text ?? step.text;
  if (text === '' && step.images === 0 && step.operationsTotal === 0 && step.thinkingLength === 0)
    return <p className="step-nothing">Nothing was said.</p>;
  if (text === '') return null;
  return (
    <div className="step-text">
      <Words step={step} text={text} />
      <RestButton length={step.textLength} shown={text.length} state={whole} isWhole={isWhole} onWhole={setIsWhole} />
    </div>
  );
};

const Words = ({ step, text }: { readonly step: Step; readonly text: string }) => {
  if (step.role === 'bash') return <TerminalText text={text} label="Shell" />;
  if (!isTyped(step)) return <Markdown text={text} />;
  return <div className={`step-typed${step.role === 'command' ? ' step-command' : ''}`}>{withReferences(printable(text))}</div>;
};

type RestProps = {
  readonly length: number;
  readonly shown: number;
  readonly state: { readonly text: string | null; readonly error: Error | null };
  readonly isWhole: boolean;
  readonly onWhole: (isWhole: boolean) => void;
};

/** PAGE-19: what is cut says how much there is, and is shown whole when asked. */
export const RestButton = ({ length, shown, state, isWhole, onWhole }: RestProps) => {
  const [wasCut] = useState(length > shown);
  if (!wasCut && length <= shown) return null;
  return (
    <div className="step-rest">
      <Button size="small" isBusy={isWhole && state.text === null && state.error === null} onClick={() => onWhole(!isWhole)}>
        {isWhole && state.text !== null ? 'Show less' : `Show all ${countOf(length)} characters`}
      </Button>
      {state.error === null ? null : <span className="step-refusal">{state.error.message}</span>}
    </div>
  );
};

import { inTags, printable } from '@yarnboard/transcript';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Markdown } from '../../ui/markdown.tsx';
import { withReferences } from '../../ui/reference.tsx';
import { TerminalText } from '../../ui/terminal-text.tsx';
import { countOf } from '../../ui/wording.ts';
import { isTyped, type Step } from './flow-pages.ts';
import { useOpened } from './opened.ts';
import { useWholeText } from './whole-text.ts';

/** The text of a step: replies as Markdown, prompts as typed. Loads the rest of a long one on demand. */
export const StepText = ({ step }: { readonly step: Step }) => {
  const [isWhole, setIsWhole] = useOpened(`${step.uuid} text`);
  const whole = useWholeText(step, 'text', isWhole);
  const text = whole.text ?? step.text;
  if (text === '' && step.images === 0 && step.operationsTotal === 0 && step.thinkingLength === 0) return <p className="step-nothing">No text</p>;
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
  const local = localCommandIn(step, text);
  if (local?.kind === 'command') return <div className="step-typed step-command">{withReferences(printable(local.text))}</div>;
  if (local?.kind === 'output') return <CommandOutput text={local.text} />;
  if (!isTyped(step)) return <Markdown text={text} />;
  return <div className={`step-typed${step.role === 'command' ? ' step-command' : ''}`}>{withReferences(printable(text))}</div>;
};

const CommandOutput = ({ text }: { readonly text: string }) =>
  text === '' || text === '(no content)' ? <p className="step-nothing">No output</p> : <TerminalText text={text} label="Command output" />;

export type LocalCommand = { readonly kind: 'command' | 'output'; readonly text: string };

/** PAGE-155: a command of the CLI or its output, without their tags; null for anything else. */
export const localCommandIn = ({ role }: Pick<Step, 'role'>, text: string): LocalCommand | null => {
  if (role !== 'output' && role !== 'system') return null;
  if (/^\s*<command-(?:name|message)>/u.test(text)) return { kind: 'command', text: inTags('command', text)?.join(' ') ?? text };
  // Truncated output has no closing tag.
  const inner = /^\s*<(local-command-std(?:out|err))>([\s\S]*?)(?:<\/\1>\s*)?$/u.exec(text)?.[2];
  if (inner !== undefined) return { kind: 'output', text: inner.trim() };
  return role === 'output' || text.includes('\u001B[') ? { kind: 'output', text: text.trim() } : null;
};

type RestProps = {
  readonly length: number;
  readonly shown: number;
  readonly state: { readonly text: string | null; readonly error: Error | null };
  readonly isWhole: boolean;
  readonly onWhole: (isWhole: boolean) => void;
};

/** PAGE-19: says how much was cut off, and shows all of it on demand. */
export const RestButton = ({ length, shown, state, isWhole, onWhole }: RestProps) => {
  const [wasCut] = useState(length > shown);
  if (!wasCut && length <= shown) return null;
  return (
    <div className="step-rest">
      <Button size="small" aria-expanded={isWhole} isBusy={isWhole && state.text === null && state.error === null} onClick={() => onWhole(!isWhole)}>
        {isWhole && state.text !== null ? 'Show less' : `Show all ${countOf(length)} characters`}
      </Button>
      {state.error === null ? null : <span className="step-refusal">{state.error.message}</span>}
    </div>
  );
};

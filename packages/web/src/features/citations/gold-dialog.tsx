import { useId, useState, type SyntheticEvent } from 'react';
import { useActor, useCommand } from '../../live/hooks.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextArea, TextField } from '../../ui/field.tsx';
import { focusFirst } from '../../ui/first-focus.ts';
import { useToast } from '../../ui/toast.tsx';
import { READING_ONLY } from '../../live/refusal.ts';
import { Refusal } from '../sidebars/refusal.tsx';
import './gold.css';
import { ReferencePicker } from './reference-picker.tsx';

export type GoldDialogProps = {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** What it is about: MSG-12, SCRATCH-1:FINDING-2 … */
  readonly sourceRefs: readonly string[];
  /** Where it is found; the board when it is none. */
  readonly sidebarId?: string;
};

/** Marks something as GOLD: a waypoint for whoever meets the same symptoms. */
export const GoldDialog = (props: GoldDialogProps) => (props.isOpen ? <OpenGoldDialog {...props} /> : null);

const OpenGoldDialog = ({ onClose, sourceRefs: first, sidebarId }: GoldDialogProps) => {
  const form = useId();
  const actor = useActor();
  const tell = useToast();
  const { send, isSending, refusal } = useCommand('gold_created');
  const [sourceRefs, setSourceRefs] = useState(first);
  const [keyInsight, setKeyInsight] = useState('');
  const [reusePattern, setReusePattern] = useState('');
  const [conditions, setConditions] = useState('');
  const [percent, setPercent] = useState('');

  const submit = async (): Promise<void> => {
    const input = {
      sourceRefs,
      keyInsight: keyInsight.trim(),
      reusePattern: reusePattern.trim(),
      triggerConditions: conditionsIn(conditions),
      confidence: percent === '' ? undefined : Number(percent) / 100,
    };
    const outcome = await send({ ...input, sidebarId }, { proposal: { type: 'gold.create', ...input, sidebar: sidebarId } });
    if (outcome.kind === 'rejected' || outcome.kind === 'unknown') return;
    const ref = outcome.kind === 'done' ? outcome.result.ref : outcome.ref;
    tell({ tone: 'good', title: `${ref ?? 'GOLD'} is protected`, text: 'It is provisional until it is judged.' });
    onClose();
  };

  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Mark as GOLD"
      description="A waypoint for whoever meets the same symptoms. It is protected at once, and judged like anything else."
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form={form} isBusy={isSending} disabled={actor === null}>
            Mark as GOLD
          </Button>
        </>
      }
    >
      <form
        ref={focusFirst}
        id={form}
        className="gold-form"
        onSubmit={(event: SyntheticEvent) => {
          event.preventDefault();
          if (!isSending) void submit();
        }}
      >
        <ReferencePicker label="What it is about" value={sourceRefs} onChange={setSourceRefs} />
        <TextArea
          label="Key insight"
          hint="What was learned, so that it can be understood without having been there."
          required
          data-first
          rows={3}
          value={keyInsight}
          onChange={(event) => setKeyInsight(event.target.value)}
        />
        <TextArea label="How to use it again" required rows={2} value={reusePattern} onChange={(event) => setReusePattern(event.target.value)} />
        <TextArea
          label="Remember it when"
          hint="One symptom, error text or line of a log on each line, 20 at most. “A + B” needs both."
          required
          rows={3}
          value={conditions}
          placeholder={'ECONNRESET from the pool\nlogin hangs + token refresh'}
          onChange={(event) => setConditions(event.target.value)}
        />
        <TextField
          label="Confidence in percent"
          type="number"
          inputMode="numeric"
          min={0}
          max={100}
          step={1}
          value={percent}
          onChange={(event) => setPercent(event.target.value)}
        />
        <Refusal text={actor === null ? READING_ONLY : refusal} />
      </form>
    </Dialog>
  );
};

/** One on each line. */
export const conditionsIn = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

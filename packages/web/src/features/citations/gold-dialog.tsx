import { useActor, useCommand } from '../../live/hooks.tsx';
import { TextArea, TextField } from '../../ui/field.tsx';
import { useToast } from '../../ui/toast.tsx';
import { READING_ONLY } from '../../live/refusal.ts';
import { useAnswers } from '../../shared/answers.ts';
import { CommandDialog } from '../../shared/command-dialog.tsx';
import { useReferenceEntry } from '../../shared/reference-entry.ts';
import { ReferencePicker } from '../../shared/reference-picker.tsx';

export type GoldDialogProps = {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** References it is about: MSG-12, SCRATCH-1:FINDING-2 … */
  readonly sourceRefs: readonly string[];
  /** The sidebar to save it in; the board if none is given. */
  readonly sidebarId?: string;
};

/** Marks something as GOLD: a lesson for anyone who meets the same symptoms. */
export const GoldDialog = (props: GoldDialogProps) => (props.isOpen ? <OpenGoldDialog {...props} /> : null);

const OpenGoldDialog = ({ onClose, sourceRefs: first, sidebarId }: GoldDialogProps) => {
  const actor = useActor();
  const tell = useToast();
  const { send, isSending, refusal } = useCommand('gold_created');
  const { answers, change, written, sent } = useAnswers(`gold-about/${sidebarId ?? ''}/${first.join()}`, {
    sourceRefs: first,
    keyInsight: '',
    reusePattern: '',
    conditions: '',
    percent: '',
  });
  const { keyInsight, reusePattern, conditions, percent } = answers;
  const sources = useReferenceEntry(answers.sourceRefs, (sourceRefs) => change({ sourceRefs }));

  const submit = async (): Promise<void> => {
    const sourceRefs = sources.take();
    if (sourceRefs === null) return;
    const input = {
      sourceRefs,
      keyInsight: keyInsight.trim(),
      reusePattern: reusePattern.trim(),
      triggerConditions: conditionsIn(conditions),
      confidence: percent === '' ? undefined : Number(percent) / 100,
    };
    const outcome = await sent(() => send({ ...input, sidebarId }, { proposal: { type: 'gold.create', ...input, sidebar: sidebarId } }));
    if (outcome.kind === 'rejected' || outcome.kind === 'unknown') return;
    const ref = outcome.kind === 'done' ? outcome.result.ref : outcome.kind === 'done-before' ? outcome.ref : null;
    tell({ tone: 'good', title: `${ref ?? 'GOLD'} saved`, text: 'It stays provisional until someone reviews it.' });
    onClose();
  };

  return (
    <CommandDialog
      title="Mark as GOLD"
      description="Save a lesson for anyone who meets the same symptoms. It’s kept at once, and reviewed like a finding."
      confirm="Mark as GOLD"
      refusal={actor === null ? READING_ONLY : refusal}
      isSending={isSending}
      isDisabled={actor === null}
      written={written}
      onSubmit={submit}
      onClose={onClose}
    >
      <ReferencePicker label="Sources" entry={sources} />
      <TextArea
        label="Key insight"
        hint="What was learned, in words that make sense to someone who wasn’t there."
        required
        rows={3}
        value={keyInsight}
        onChange={(event) => change({ keyInsight: event.target.value })}
      />
      <TextArea label="How to reuse it" required rows={2} value={reusePattern} onChange={(event) => change({ reusePattern: event.target.value })} />
      <TextArea
        label="Triggers"
        hint="One symptom, error or log line per line, up to 20. “A + B” needs both."
        required
        rows={3}
        value={conditions}
        placeholder={'ECONNRESET from the pool\nlogin hangs + token refresh'}
        onChange={(event) => change({ conditions: event.target.value })}
      />
      <TextField
        label="Confidence (%)"
        type="number"
        inputMode="numeric"
        min={0}
        max={100}
        step={1}
        value={percent}
        onChange={(event) => change({ percent: event.target.value })}
      />
    </CommandDialog>
  );
};

/** One condition per line. */
export const conditionsIn = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

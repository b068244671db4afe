import { refOfFinding, standingFindings, type Sidebar } from '@yarnboard/domain';
import { useDraft } from '../../live/draft.ts';
import { useActor, useCommand } from '../../live/hooks.tsx';
import { TextArea } from '../../ui/field.tsx';
import { focusFirst } from '../../ui/first-focus.ts';
import { Form } from '../../ui/form.tsx';
import { FormActions } from '../../ui/form-actions.tsx';
import { counted } from '../../ui/wording.ts';
import { ItemChoice } from '../../shared/item-choice.tsx';
import { inShort } from '../../shared/reference-gist.tsx';
import { Refusal } from '../../shared/refusal.tsx';

type Draft = {
  readonly summary: string;
  readonly note: string;
  /** References of the findings to leave out. */ readonly left: readonly string[];
};

/** Records how far a sidebar has come. */
export const CheckpointForm = ({ sidebar, onClose }: { readonly sidebar: Sidebar; readonly onClose: () => void }) => {
  const actor = useActor();
  const [draft, write, clear, sent] = useDraft<Draft>(`checkpoint-of/${sidebar.id}`, { summary: '', note: '', left: [] });
  const { send, isSending, refusal } = useCommand('scratchpad_checkpoint');
  const standing = standingFindings(sidebar.scratchpad).map((finding) => ({
    ref: refOfFinding(sidebar.ref, finding),
    words: inShort(finding.content),
  }));
  const chosen = standing.map(({ ref }) => ref).filter((ref) => !draft.left.includes(ref));
  const submit = async (): Promise<void> => {
    const summary = draft.summary.trim();
    const notes = draft.note.trim() === '' || actor === null ? undefined : { [actor.id]: draft.note.trim() };
    // Unless the user chose, it covers every finding that stands when the checkpoint reaches the log.
    const findings = chosen.length === standing.length ? undefined : chosen;
    const outcome = await sent(() =>
      send(
        { sidebarId: sidebar.id, summary, agentAnnotations: notes, findings },
        { proposal: { type: 'checkpoint.create', sidebar: sidebar.id, summary, annotations: notes, findings } },
      ),
    );
    if (outcome.kind === 'done' || outcome.kind === 'done-before') onClose();
  };
  return (
    <Form
      ref={focusFirst}
      className="scratchpad-form card scratchpad-submit"
      aria-label="Add checkpoint"
      onSubmit={() => {
        if (!isSending) void submit();
      }}
    >
      <TextArea
        label="Summary"
        hint={`Includes ${counted(chosen.length, 'confirmed finding')}, provisionally.`}
        required
        data-first
        rows={3}
        value={draft.summary}
        onChange={(event) => write({ ...draft, summary: event.target.value })}
      />
      <TextArea
        label="Your note"
        hint="Others can add theirs later."
        rows={2}
        value={draft.note}
        onChange={(event) => write({ ...draft, note: event.target.value })}
      />
      {standing.length === 0 ? null : (
        <details className="checkpoint-choice">
          <summary>Choose findings</summary>
          <ItemChoice
            label="Findings to include"
            none="No confirmed findings."
            items={standing}
            chosen={chosen}
            onChange={(refs) => write({ ...draft, left: standing.map(({ ref }) => ref).filter((ref) => !refs.includes(ref)) })}
          />
        </details>
      )}
      <Refusal text={refusal} />
      <FormActions
        submit="Add checkpoint"
        isBusy={isSending}
        onCancel={() => {
          clear();
          onClose();
        }}
      />
    </Form>
  );
};

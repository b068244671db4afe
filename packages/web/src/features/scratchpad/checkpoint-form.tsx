import { standingFindings, type Sidebar } from '@yarnboard/domain';
import { useDraft } from '../../live/draft.ts';
import { useActor, useCommand } from '../../live/hooks.tsx';
import { TextArea } from '../../ui/field.tsx';
import { focusFirst } from '../../ui/first-focus.ts';
import { Form } from '../../ui/form.tsx';
import { FormActions } from '../../ui/form-actions.tsx';
import { counted } from '../../ui/wording.ts';
import { Refusal } from '../../shared/refusal.tsx';

/** Says how far a sidebar has come. */
export const CheckpointForm = ({ sidebar, onClose }: { readonly sidebar: Sidebar; readonly onClose: () => void }) => {
  const actor = useActor();
  const [draft, write, clear, sent] = useDraft(`checkpoint/${sidebar.id}`, { summary: '', note: '' });
  const { send, isSending, refusal } = useCommand('scratchpad_checkpoint');
  const standing = standingFindings(sidebar.scratchpad).length;
  const submit = async (): Promise<void> => {
    const summary = draft.summary.trim();
    const notes = draft.note.trim() === '' || actor === null ? undefined : { [actor.id]: draft.note.trim() };
    const outcome = await sent(() =>
      send(
        { sidebarId: sidebar.id, summary, agentAnnotations: notes },
        { proposal: { type: 'checkpoint.create', sidebar: sidebar.id, summary, annotations: notes } },
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
        hint={`Includes ${counted(standing, 'confirmed finding')}, provisionally.`}
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

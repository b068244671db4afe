import { refOfFinding, type Board, type Sidebar } from '@yarnboard/domain';
import { useId } from 'react';
import type { SendDraft } from '../../live/draft.ts';
import { useBoard, useCommand } from '../../live/hooks.tsx';
import { Select, TextArea } from '../../ui/field.tsx';
import { focusFirst } from '../../ui/first-focus.ts';
import { Form } from '../../ui/form.tsx';
import { FormActions } from '../../ui/form-actions.tsx';
import { inShort } from '../../shared/reference-gist.tsx';
import { useReferenceEntry } from '../../shared/reference-entry.ts';
import { ReferencePicker, type Suggestion } from '../../shared/reference-picker.tsx';
import { Refusal } from '../../shared/refusal.tsx';

export type FindingDraft = {
  readonly content: string;
  readonly sourceRefs: readonly string[];
  readonly relevance: string;
  /** The id of the finding it revises; empty for none. */
  readonly supersedes: string;
};

export const EMPTY_FINDING: FindingDraft = { content: '', sourceRefs: [], relevance: '', supersedes: '' };

export type FindingFormProps = {
  readonly sidebar: Sidebar;
  readonly draft: FindingDraft;
  readonly onWrite: (draft: FindingDraft) => void;
  /** Sends the draft, which clears it. */
  readonly sent: SendDraft;
  /** Discards the draft. */
  readonly onCancel: () => void;
};

/** PAGE-101: a finding with its evidence. It appears in the list at once; if it is refused, it leaves the list but stays in this form. */
export const FindingForm = ({ sidebar, draft, onWrite, sent, onCancel }: FindingFormProps) => {
  const title = useId();
  const { send, isSending, refusal } = useCommand('scratchpad_entry_submitted');
  const suggestions = useBoard((board) => nearby(board, sidebar), [sidebar]);
  const revisable = sidebar.scratchpad.findings.filter(({ supersededBy, status }) => supersededBy === null && status !== 'rejected');
  const change = (part: Partial<FindingDraft>): void => onWrite({ ...draft, ...part });
  const evidence = useReferenceEntry(draft.sourceRefs, (sourceRefs) => change({ sourceRefs }));

  const submit = async (): Promise<void> => {
    const sourceRefs = evidence.take();
    if (sourceRefs === null) return;
    const input = {
      content: draft.content.trim(),
      sourceRefs,
      relevanceToTask: draft.relevance.trim() === '' ? undefined : draft.relevance.trim(),
      supersedes: draft.supersedes === '' ? undefined : draft.supersedes,
    };
    await sent(() => send({ sidebarId: sidebar.id, ...input }, { proposal: { type: 'finding.submit', sidebar: sidebar.id, ...input } }));
  };

  return (
    <Form
      ref={focusFirst}
      className="scratchpad-form card scratchpad-submit"
      aria-labelledby={title}
      onSubmit={() => {
        if (!isSending) void submit();
      }}
    >
      <h2 id={title}>{draft.supersedes === '' ? 'Submit finding' : 'Submit revision'}</h2>
      <TextArea
        label="Finding"
        hint="One result that can be confirmed or rejected on its own. Markdown works."
        required
        data-first
        rows={4}
        value={draft.content}
        onChange={(event) => change({ content: event.target.value })}
      />
      <ReferencePicker label="Evidence" hint="Messages, citations, findings or files that support it." entry={evidence} suggestions={suggestions} />
      <TextArea label="Relevance to the task" rows={2} value={draft.relevance} onChange={(event) => change({ relevance: event.target.value })} />
      {revisable.length === 0 ? null : (
        <Select
          label="Revises"
          hint="Replaces that finding once confirmed."
          value={draft.supersedes}
          onChange={(event) => change({ supersedes: event.target.value })}
          choices={[
            { value: '', label: 'None' },
            ...revisable.map(({ id, number, content }) => ({ value: id, label: `Finding ${number}: ${inShort(content, 60)}` })),
          ]}
        />
      )}
      <Refusal text={refusal} />
      <FormActions submit="Submit" size="normal" isBusy={isSending} onCancel={onCancel} />
    </Form>
  );
};

/** Suggested evidence: what this sidebar has cited, attached and found, and what it may cite; the latest first. */
const nearby = (board: Board, { ref, scratchpad, citations, media, golds }: Sidebar): readonly Suggestion[] =>
  [
    ...scratchpad.citableSources.map((source) => ({ ref: source, gist: 'suggested source' })),
    ...scratchpad.findings.filter(({ status }) => status !== 'rejected').map((one) => ({ ref: refOfFinding(ref, one), gist: inShort(one.content) })),
    ...golds.flatMap((id) => board.golds.get(id) ?? []).map((one) => ({ ref: one.ref, gist: one.keyInsight })),
    ...media.flatMap((id) => board.media.get(id) ?? []).map((one) => ({ ref: one.ref, gist: one.filePath })),
    ...citations.flatMap((id) => board.citations.get(id) ?? []).map((one) => ({ ref: one.ref, gist: one.note ?? one.content ?? 'citation' })),
  ]
    // Something just created has no number yet.
    .filter((one) => one.ref !== '')
    .toReversed();

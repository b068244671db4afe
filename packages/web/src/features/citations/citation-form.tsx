import type { CitationSource, Sidebar } from '@yarnboard/domain';
import { assertNever } from '@yarnboard/domain';
import { useState, type SyntheticEvent } from 'react';
import { useCommand } from '../../live/hooks.tsx';
import { TextArea, TextField } from '../../ui/field.tsx';
import { focusFirst } from '../../ui/first-focus.ts';
import { FormActions } from '../../ui/form-actions.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { Refusal } from '../../shared/refusal.tsx';
import { ReferenceGist } from '../../shared/reference-gist.tsx';
import { readTyped } from '../../shared/reference-entry.ts';

type Draft = {
  readonly kind: CitationSource['kind'];
  readonly ref: string;
  readonly path: string;
  readonly lines: string;
  readonly url: string;
  readonly title: string;
  readonly content: string;
  readonly note: string;
};

const EMPTY: Draft = { kind: 'reference', ref: '', path: '', lines: '', url: '', title: '', content: '', note: '' };

const KINDS = [
  { value: 'reference', label: 'Reference' },
  { value: 'file', label: 'File' },
  { value: 'external', label: 'External' },
] as const;

/** Adds a citation to a sidebar. */
export const CitationForm = ({ sidebar, onClose }: { readonly sidebar: Sidebar; readonly onClose: () => void }) => {
  const [draft, setDraft] = useState(EMPTY);
  const { send, isSending, refusal } = useCommand('citation_created');
  const change = (part: Partial<Draft>): void => setDraft({ ...draft, ...part });
  const submit = async (): Promise<void> => {
    const about = { content: textOrNone(draft.content), note: textOrNone(draft.note) };
    const outcome = await send(
      { sidebarId: sidebar.id, ...inputOf(draft), ...about },
      { proposal: { type: 'citation.create', sidebar: sidebar.id, source: sourceOf(draft), ...about } },
    );
    if (outcome.kind === 'done' || outcome.kind === 'done-before') onClose();
  };
  const [typed] = readTyped(draft.ref).refs;
  return (
    <form
      ref={focusFirst}
      className="citation-form card"
      aria-label="Add citation"
      onSubmit={(event: SyntheticEvent) => {
        event.preventDefault();
        if (!isSending) void submit();
      }}
    >
      <Segmented label="Source type" isLabelHidden segments={KINDS} value={draft.kind} onChange={(kind) => change({ kind })} />
      {draft.kind === 'reference' ? (
        <div className="citation-typed">
          <TextField
            label="Reference"
            required
            data-first
            placeholder="MSG-12, GOLD-3, SCRATCH-1:FINDING-2 …"
            autoComplete="off"
            spellCheck={false}
            value={draft.ref}
            onChange={(event) => change({ ref: event.target.value })}
          />
          {typed === undefined ? null : (
            <p className="tiny" role="status">
              <ReferenceGist to={typed} />
            </p>
          )}
        </div>
      ) : null}
      {draft.kind === 'file' ? (
        <div className="citation-pair">
          <TextField label="Path" required data-first value={draft.path} onChange={(event) => change({ path: event.target.value })} />
          <TextField
            label="Lines"
            placeholder="10 or 10-20"
            pattern="\d{1,9}(-\d{1,9})?"
            title="10 or 10-20"
            value={draft.lines}
            onChange={(event) => change({ lines: event.target.value })}
          />
        </div>
      ) : null}
      {draft.kind === 'external' ? (
        <div className="citation-pair">
          <TextField
            label="Title"
            required={draft.url.trim() === ''}
            data-first
            value={draft.title}
            onChange={(event) => change({ title: event.target.value })}
          />
          <TextField
            label="Address"
            type="url"
            placeholder="https://…"
            required={draft.title.trim() === ''}
            value={draft.url}
            onChange={(event) => change({ url: event.target.value })}
          />
        </div>
      ) : null}
      <TextArea label="Quote" rows={2} value={draft.content} onChange={(event) => change({ content: event.target.value })} />
      <TextField label="Note" value={draft.note} onChange={(event) => change({ note: event.target.value })} />
      <Refusal text={refusal} />
      <FormActions submit="Cite" isBusy={isSending} onCancel={onClose} />
    </form>
  );
};

const textOrNone = (text: string): string | undefined => (text.trim() === '' ? undefined : text.trim());

const inputOf = ({ kind, ref, path, lines, url, title }: Draft) => {
  switch (kind) {
    case 'reference':
      return { source: ref.trim() };
    case 'file':
      return { path: path.trim(), lines: textOrNone(lines) };
    case 'external':
      return { url: textOrNone(url), title: textOrNone(title) };
    default:
      return assertNever(kind);
  }
};

const sourceOf = ({ kind, ref, path, lines, url, title }: Draft): CitationSource => {
  switch (kind) {
    case 'reference':
      return { kind, ref: ref.trim() };
    case 'file': {
      const [from = null, to = null] = lines.trim() === '' ? [] : lines.trim().split('-').map(Number);
      return { kind, path: path.trim(), hash: null, from, to };
    }
    case 'external':
      return { kind, url: textOrNone(url) ?? null, title: textOrNone(title) ?? null };
    default:
      return assertNever(kind);
  }
};

import { formatRef, parseRef } from '@yarnboard/domain';
import { X } from 'lucide-react';
import { useId, type FocusEvent, type KeyboardEvent } from 'react';
import { Button, IconButton } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { Reference } from '../ui/reference.tsx';
import type { ReferenceEntry } from './reference-entry.ts';
import { ReferenceGist } from './reference-gist.tsx';
import './reference-picker.css';

export type Suggestion = { readonly ref: string; readonly gist: string };

export type ReferencePickerProps = {
  readonly label: string;
  readonly hint?: string;
  /** Submitting takes the typed text as well. */
  readonly entry: ReferenceEntry;
  /** Likely references, offered until they are chosen, if they match the text. */
  readonly suggestions?: readonly Suggestion[];
};

/** References, typed or chosen. Each one is explained as soon as it is entered. */
export const ReferencePicker = ({ label, hint, entry, suggestions = NONE }: ReferencePickerProps) => {
  const id = useId();
  const { value, typed, error, write, add, remove, take } = entry;
  const near = nearTo(typed, suggestions, value);
  const typedRef = parseRef(typed);
  return (
    <div className="reference-picker">
      <TextField
        label={label}
        {...(hint === undefined ? {} : { hint })}
        error={error}
        value={typed}
        placeholder="MSG-12, CITE-3, SCRATCH-1:FINDING-2 …"
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => write(event.target.value)}
        // Accepted when the focus moves on to the next field. The chosen reference then appears below and moves the rest down: a button being pressed
        // would move away, so there it is left to the submission.
        onBlur={({ relatedTarget }: FocusEvent) => {
          if (isField(relatedTarget)) take();
        }}
        onKeyDown={(event: KeyboardEvent) => {
          if ((event.key !== 'Enter' && event.key !== ',') || event.ctrlKey || event.metaKey) return;
          event.preventDefault();
          take();
        }}
      />
      {typedRef.ok ? (
        <p className="reference-picker-typed" role="status">
          <kbd>Enter</kbd> adds <ReferenceGist to={formatRef(typedRef.value)} />
        </p>
      ) : null}
      {near.length === 0 ? null : (
        <div className="reference-picker-near" role="group" aria-labelledby={id}>
          <span id={id} className="tiny faint">
            Near:
          </span>
          {near.map(({ ref, gist }) => (
            <Button key={ref} size="small" title={gist} onMouseDown={(event) => event.preventDefault()} onClick={() => add([ref])}>
              {ref}
            </Button>
          ))}
        </div>
      )}
      {value.length === 0 ? null : (
        <ul className="reference-picker-chosen" aria-label={`${label}, chosen`}>
          {value.map((ref) => (
            <li key={ref} className="reference-picker-row">
              <Reference to={ref} />
              <ReferenceGist to={ref} isNamed={false} />
              <IconButton icon={X} size="small" label={`Remove ${ref}`} onClick={() => remove(ref)} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
};

const isField = (element: EventTarget | null): boolean => element instanceof Element && element.matches('input, textarea, select');

const nearTo = (typed: string, suggestions: readonly Suggestion[], chosen: readonly string[]): readonly Suggestion[] => {
  const wanted = typed.trim().toLowerCase();
  return suggestions
    .filter(({ ref, gist }) => !chosen.includes(ref) && (wanted === '' || `${ref} ${gist}`.toLowerCase().includes(wanted)))
    .slice(0, MOST_NEAR);
};

const MOST_NEAR = 6;
const NONE: readonly Suggestion[] = [];

import { formatRef, parseRef } from '@yarnboard/domain';
import { X } from 'lucide-react';
import { useId, useState, type KeyboardEvent } from 'react';
import { Button, IconButton } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Reference } from '../../ui/reference.tsx';
import { ReferenceGist } from './reference-gist.tsx';
import './reference-picker.css';

export type Suggestion = { readonly ref: string; readonly gist: string };

export type ReferencePickerProps = {
  readonly label: string;
  readonly hint?: string;
  readonly value: readonly string[];
  readonly onChange: (refs: readonly string[]) => void;
  /** What is near: offered as long as it is not chosen and fits what is typed. */
  readonly suggestions?: readonly Suggestion[];
};

/** References, typed or chosen. Each says what it stands for as soon as it is there. */
export const ReferencePicker = ({ label, hint, value, onChange, suggestions = NONE }: ReferencePickerProps) => {
  const id = useId();
  const [typed, setTyped] = useState('');
  const [error, setError] = useState<string | undefined>(undefined);
  const add = (refs: readonly string[]): void => onChange([...new Set([...value, ...refs])]);
  // What is typed is taken when the field is left, too: nobody loses evidence by pressing the wrong key.
  const takeTyped = (): void => {
    const { refs, left, why } = readTyped(typed);
    if (refs.length > 0) add(refs);
    setTyped(left);
    setError(why);
  };
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
        onChange={(event) => {
          setTyped(event.target.value);
          setError(undefined);
        }}
        onBlur={takeTyped}
        onKeyDown={(event: KeyboardEvent) => {
          if (event.key !== 'Enter' && event.key !== ',') return;
          event.preventDefault();
          takeTyped();
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
              <IconButton icon={X} size="small" label={`Remove ${ref}`} onClick={() => onChange(value.filter((one) => one !== ref))} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
};

/** The references in what was typed; what is none is left, with the reason. */
export const readTyped = (typed: string): { readonly refs: readonly string[]; readonly left: string; readonly why: string | undefined } => {
  const words = typed.split(/[\s,;]+/u).filter((word) => word !== '');
  const read = words.map((word) => ({ word, ref: parseRef(word) }));
  const bad = read.flatMap(({ word, ref }) => (ref.ok ? [] : [{ word, wanted: ref.error.wanted }]));
  return {
    refs: read.flatMap(({ ref }) => (ref.ok ? [formatRef(ref.value)] : [])),
    left: bad.map(({ word }) => word).join(' '),
    why: bad[0] === undefined ? undefined : `“${bad[0].word}” is no reference; for example ${bad[0].wanted}`,
  };
};

const nearTo = (typed: string, suggestions: readonly Suggestion[], chosen: readonly string[]): readonly Suggestion[] => {
  const wanted = typed.trim().toLowerCase();
  return suggestions
    .filter(({ ref, gist }) => !chosen.includes(ref) && (wanted === '' || `${ref} ${gist}`.toLowerCase().includes(wanted)))
    .slice(0, MOST_NEAR);
};

const MOST_NEAR = 6;
const NONE: readonly Suggestion[] = [];

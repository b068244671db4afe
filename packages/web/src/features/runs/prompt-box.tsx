import { masksIn } from '@yarnboard/domain';
import { useEffect, useId, useRef, type KeyboardEvent, type ReactNode, type Ref } from 'react';
import { CommandList, useCommandOffer } from './slash-commands.tsx';
import { PromptReferences } from './prompt-references.tsx';

export type PromptBoxProps = {
  readonly label: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
  /** Enter, or Ctrl-Enter. */
  readonly onEnter: (isSoon: boolean) => void;
  readonly hint: ReactNode;
  /** What may be typed behind a slash. */
  readonly commands?: readonly string[];
  readonly isBusy?: boolean;
  readonly handle?: Ref<HTMLTextAreaElement>;
};

/** Where a prompt is written: as high as what is written in it, up to a point. */
export const PromptBox = ({ label, value, onChange, onEnter, hint, commands = NONE, isBusy = false }: PromptBoxProps) => {
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    const element = area.current;
    if (element === null) return;
    element.style.height = 'auto';
    element.style.height = `${Math.min(element.scrollHeight + 2, MOST_HEIGHT)}px`;
  }, [value]);
  const offer = useCommandOffer(commands, value, onChange);
  const isOffering = offer.names.length > 0;
  const press = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    if (offer.press(event)) {
      event.preventDefault();
      return;
    }
    if (event.key !== 'Enter' || event.shiftKey || event.altKey) return;
    event.preventDefault();
    onEnter(event.ctrlKey || event.metaKey);
  };
  return (
    <>
      {isOffering ? <CommandList id={id} offer={offer} /> : null}
      <textarea
        ref={area}
        className="field-input composer-text"
        rows={1}
        aria-label={label}
        aria-describedby={`${id}-hint`}
        placeholder={label}
        maxLength={MOST_CHARACTERS}
        readOnly={isBusy}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        onKeyDown={press}
        onBlur={isOffering ? offer.close : undefined}
        {...(commands.length === 0 ? {} : { 'aria-haspopup': 'listbox', 'aria-autocomplete': 'list' })}
        {...(isOffering ? { 'aria-controls': `${id}-commands`, 'aria-activedescendant': `${id}-command-${offer.chosen}` } : {})}
      />
      <p id={`${id}-hint`} className="composer-hint">
        {hint}
      </p>
      <PromptReferences text={value} onChange={onChange} />
      {masksIn(value).length === 0 ? null : (
        <p className="composer-masked" role="status">
          {MASKED}
        </p>
      )}
    </>
  );
};

/** PAGE-425: a mask is no secret: whoever puts back what was shown to them has to write the secret again. */
export const MASKED = 'A secret is masked here, and Claude would read the mask. Write the secret again if Claude needs it.';

const NONE: readonly string[] = [];
const MOST_HEIGHT = 260;
/** What one prompt may have. */
const MOST_CHARACTERS = 900_000;

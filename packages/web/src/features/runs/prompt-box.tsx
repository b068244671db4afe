import { masksIn } from '@yarnboard/domain';
import { useEffect, useId, useRef, useState, type ClipboardEvent, type DragEvent, type KeyboardEvent, type ReactNode, type Ref } from 'react';
import { CommandList, pathTyped, useCommandOffer } from './slash-commands.tsx';
import { useAsk } from '../../live/hooks.tsx';
import { referenceBegun } from '../../shared/reference-begun.ts';
import { useReferenceOffer } from '../../shared/reference-offer.tsx';
import { PromptImages, type Images } from './prompt-images.tsx';
import { PromptReferences } from './prompt-references.tsx';

export type PromptBoxProps = {
  readonly label: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
  /** Called on Enter or Ctrl-Enter. */
  readonly onEnter: (isSoon: boolean) => void;
  readonly hint: ReactNode;
  /** The slash commands to offer. */
  readonly commands?: readonly string[];
  readonly isBusy?: boolean;
  /** The session whose directory holds the files that @ offers. */
  readonly sessionId?: string;
  /** The images of the prompt; pasted and dropped files are added. */
  readonly images?: Images;
  readonly handle?: Ref<HTMLTextAreaElement>;
};

/** The text field for a prompt. It grows with its text, up to a limit. */
export const PromptBox = ({ label, value, onChange, onEnter, hint, commands = NONE, isBusy = false, sessionId, images }: PromptBoxProps) => {
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    const element = area.current;
    if (element === null) return;
    element.style.height = 'auto';
    element.style.height = `${Math.min(element.scrollHeight + 2, MOST_HEIGHT)}px`;
  }, [value]);
  const [cursor, setCursor] = useState<number | null>(null);
  const begun = cursor === null || isBusy ? null : referenceBegun(value, cursor);
  const references = useReferenceOffer(begun, sessionId ?? null);
  const files = useFiles(sessionId ?? null, value);
  const offer = useCommandOffer({ commands, files, references, begun }, value, (text, to) => {
    onChange(text);
    if (to === undefined) return;
    setCursor(to);
    // Waits for the new text to render: earlier, the cursor would land in the old text.
    requestAnimationFrame(() => area.current?.setSelectionRange(to, to));
  });
  const isOffering = offer.items.length > 0;
  const listId = `${id}-offered`;
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
      {isOffering ? <CommandList id={listId} offer={offer} /> : null}
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
        onChange={({ target }) => {
          setCursor(target.selectionStart);
          onChange(target.value);
        }}
        // Moved elsewhere: whoever only passes a reference types none, and needs the arrow keys.
        onSelect={({ currentTarget: { selectionStart } }) => setCursor((at) => (at === selectionStart ? at : null))}
        onKeyDown={press}
        {...(images === undefined ? {} : takenBy(images))}
        onBlur={isOffering ? offer.close : undefined}
        aria-haspopup="listbox"
        aria-autocomplete="list"
        {...(isOffering ? { 'aria-controls': listId, 'aria-activedescendant': `${listId}-${offer.chosen}` } : {})}
      />
      {images === undefined ? null : <PromptImages images={images} onLastRemoved={() => area.current?.focus()} />}
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

/** PAGE-425: a mask is not the secret: if you paste masked text, you have to type the secret again. */
export const MASKED = 'A secret is masked here, and Claude would read the mask. Write the secret again if Claude needs it.';

/** PAGE-429: files that match the path being typed. */
const useFiles = (sessionId: string | null, text: string): readonly string[] => {
  const words = pathTyped(text);
  const isWanted = sessionId !== null && words !== null;
  const { data, isPlaceholderData } = useAsk(
    'directory_files',
    { id: sessionId ?? '', words: words ?? '', limit: 10 },
    { isWanted, keepsPrevious: true, isGivenUp: true, staleMs: 5000 },
  );
  if (!isWanted || data === undefined) return NONE;
  if (!isPlaceholderData) return data.items;
  // The answer to earlier words: Enter must not take a file that doesn't match what is there now.
  const wanted = words.toLowerCase();
  return data.items.filter((name) => name.toLowerCase().includes(wanted));
};

/** PAGE-428: takes files that are pasted or dropped; text goes into the box as usual. */
export const takenBy = (images: Images) => ({
  onPaste: (event: ClipboardEvent): void => {
    const files = [...event.clipboardData.files];
    if (files.length === 0) return;
    event.preventDefault();
    images.add(files);
  },
  onDragOver: (event: DragEvent): void => {
    if (event.dataTransfer.types.includes('Files')) event.preventDefault();
  },
  onDrop: (event: DragEvent): void => {
    const files = [...event.dataTransfer.files];
    if (files.length === 0) return;
    event.preventDefault();
    images.add(files);
  },
});

const NONE: readonly string[] = [];
const MOST_HEIGHT = 260;
/** The length limit of one prompt. */
const MOST_CHARACTERS = 900_000;

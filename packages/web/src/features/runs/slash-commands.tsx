import { printableLine } from '@yarnboard/transcript';
import { useState, type KeyboardEvent } from 'react';

/** What fits what is typed: a slash and the beginning of a name, and nothing else. */
export const commandsFitting = (commands: readonly string[], text: string): readonly string[] => {
  const [, typed] = /^\/([\w:.-]*)$/u.exec(text) ?? [];
  if (typed === undefined) return [];
  const wanted = typed.toLowerCase();
  const fitting = commands.filter((name) => name.toLowerCase().includes(wanted));
  return [
    ...fitting.filter((name) => name.toLowerCase().startsWith(wanted)),
    ...fitting.filter((name) => !name.toLowerCase().startsWith(wanted)),
  ].slice(0, MOST_OFFERED);
};

export type CommandOffer = {
  readonly names: readonly string[];
  readonly chosen: number;
  readonly take: (name: string) => void;
  readonly close: () => void;
  /** True for a key that was for the list, and for nothing else. */
  readonly press: (event: KeyboardEvent) => boolean;
};

/** PAGE-417: the commands that a session takes, behind a slash at the beginning of a prompt. */
export const useCommandOffer = (commands: readonly string[], text: string, onChange: (text: string) => void): CommandOffer => {
  const [{ at, of, isClosed }, setState] = useState({ at: 0, of: '', isClosed: false });
  const isFor = of === text;
  const names = isFor && isClosed ? NONE : commandsFitting(commands, text);
  const chosen = isFor ? Math.min(at, Math.max(0, names.length - 1)) : 0;
  const take = (name: string): void => onChange(`/${name} `);
  const close = (): void => setState({ at: 0, of: text, isClosed: true });
  const move = (to: number): void => setState({ at: (to + names.length) % names.length, of: text, isClosed: false });
  const press = ({ key, shiftKey, ctrlKey, metaKey }: KeyboardEvent): boolean => {
    const name = names[chosen];
    if (name === undefined || shiftKey || ctrlKey || metaKey) return false;
    // Whoever has typed all of it sends it.
    if (key === 'Enter' && text === `/${name}`) return false;
    if (key === 'ArrowDown') move(chosen + 1);
    else if (key === 'ArrowUp') move(chosen - 1);
    else if (key === 'Enter' || key === 'Tab') take(name);
    else if (key === 'Escape') close();
    else return false;
    return true;
  };
  return { names, chosen, take, close, press };
};

/** The keys are those of the box it stands above, which keeps the focus. */
export const CommandList = ({ id, offer: { names, chosen, take } }: { readonly id: string; readonly offer: CommandOffer }) => (
  <div id={`${id}-commands`} className="composer-commands" role="listbox" aria-label="Commands">
    {names.map((name, n) => (
      <div
        key={name}
        id={`${id}-command-${n}`}
        className="composer-command-one"
        role="option"
        tabIndex={-1}
        aria-selected={n === chosen}
        // Not on click: by then the box would have lost the focus, and the list would be gone.
        onPointerDown={(event) => {
          event.preventDefault();
          take(name);
        }}
      >
        /{printableLine(name)}
      </div>
    ))}
  </div>
);

const NONE: readonly string[] = [];
const MOST_OFFERED = 10;

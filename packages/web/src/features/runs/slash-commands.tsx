import { printableLine } from '@yarnboard/transcript';
import { useState, type KeyboardEvent } from 'react';

/** The commands that match, if the text is a slash, the beginning of a name, and nothing else. */
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
  /** The sign that precedes the names. */
  readonly sign: '/' | '@';
  readonly chosen: number;
  readonly take: (name: string) => void;
  readonly close: () => void;
  /** Returns true if the list has handled the key, so that nothing else should. */
  readonly press: (event: KeyboardEvent) => boolean;
};

/** The path being typed after an @ at the end of a prompt; null if there is none. */
export const pathTyped = (text: string): string | null => /(?:^|\s)@([^\s@]{0,200})$/u.exec(text)?.[1] ?? null;

/** PAGE-417, PAGE-429: offers the session's commands after a slash at the beginning of a prompt, and files after an @ at its end. */
export const useCommandOffer = (
  commands: readonly string[],
  files: readonly string[],
  text: string,
  onChange: (text: string) => void,
): CommandOffer => {
  const path = pathTyped(text);
  const [{ at, of, isClosed }, setState] = useState({ at: 0, of: '', isClosed: false });
  const isFor = of === text;
  const names = isFor && isClosed ? NONE : path === null ? commandsFitting(commands, text) : files;
  const chosen = isFor ? Math.min(at, Math.max(0, names.length - 1)) : 0;
  const take = (name: string): void => {
    if (path === null) onChange(`/${name} `);
    // After a folder, you keep typing the path.
    else onChange(`${text.slice(0, text.length - path.length)}${name}${name.endsWith('/') ? '' : ' '}`);
  };
  const close = (): void => setState({ at: 0, of: text, isClosed: true });
  const move = (to: number): void => setState({ at: (to + names.length) % names.length, of: text, isClosed: false });
  const press = ({ key, shiftKey, ctrlKey, metaKey }: KeyboardEvent): boolean => {
    const name = names[chosen];
    if (name === undefined || shiftKey || ctrlKey || metaKey) return false;
    // Once a name is complete, Enter sends the prompt.
    if (key === 'Enter' && (path === null ? text === `/${name}` : path === name)) return false;
    if (key === 'ArrowDown') move(chosen + 1);
    else if (key === 'ArrowUp') move(chosen - 1);
    else if (key === 'Enter' || key === 'Tab') take(name);
    else if (key === 'Escape') close();
    else return false;
    return true;
  };
  return { names, chosen, take, close, press, sign: path === null ? '/' : '@' };
};

/** Keys are handled by the box below, which keeps the focus. */
export const CommandList = ({ id, offer: { names, sign, chosen, take } }: { readonly id: string; readonly offer: CommandOffer }) => (
  <div id={`${id}-commands`} className="composer-commands" role="listbox" aria-label={sign === '/' ? 'Commands' : 'Files'}>
    {names.map((name, n) => (
      <div
        key={name}
        id={`${id}-command-${n}`}
        className="composer-command-one"
        role="option"
        tabIndex={-1}
        aria-selected={n === chosen}
        // Not on click: by then the box would have lost focus, and the list would be gone.
        onPointerDown={(event) => {
          event.preventDefault();
          take(name);
        }}
      >
        {sign}
        {printableLine(name)}
      </div>
    ))}
  </div>
);

const NONE: readonly string[] = [];
const MOST_OFFERED = 10;

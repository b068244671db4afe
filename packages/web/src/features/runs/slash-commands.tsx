import { printableLine } from '@yarnboard/transcript';
import { useState, type KeyboardEvent } from 'react';
import { withReference, type ReferenceBegun } from '../../shared/reference-begun.ts';
import { OfferList } from '../../shared/offer-list.tsx';
import { isTypedOut, ReferenceList, type OfferedReference } from '../../shared/reference-offer.tsx';

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

/** What is offered: commands, files, or references with their words. */
export type CommandOffer = {
  readonly kind: 'commands' | 'files' | 'references';
  readonly items: readonly OfferedReference[];
  readonly chosen: number;
  readonly take: (name: string) => void;
  readonly close: () => void;
  /** Returns true if the list has handled the key, so that nothing else should. */
  readonly press: (event: KeyboardEvent) => boolean;
};

export type OfferSources = {
  readonly commands: readonly string[];
  readonly files: readonly string[];
  readonly references: readonly OfferedReference[];
  /** The reference being typed at the cursor. */
  readonly begun: ReferenceBegun | null;
};

/** The path being typed after an @ at the end of a prompt; null if there is none. */
export const pathTyped = (text: string): string | null => /(?:^|\s)@([^\s@]{0,200})$/u.exec(text)?.[1] ?? null;

/**
 * PAGE-417, PAGE-429, PAGE-641: offers the session's commands after a slash at the beginning of a prompt, files after an @ at its end, and references
 * at the cursor.
 */
export const useCommandOffer = (
  { commands, files, references, begun }: OfferSources,
  text: string,
  onChange: (text: string, cursor?: number) => void,
): CommandOffer => {
  const path = pathTyped(text);
  const kind = begun !== null ? 'references' : path === null ? 'commands' : 'files';
  const [{ at, of, isClosed }, setState] = useState({ at: 0, of: '', isClosed: false });
  const isFor = of === text;
  const offered = kind === 'references' ? references : (kind === 'files' ? files : commandsFitting(commands, text)).map(named);
  const items = isFor && isClosed ? NONE : offered;
  const chosen = isFor ? Math.min(at, Math.max(0, items.length - 1)) : 0;
  const take = (name: string): void => {
    if (begun !== null) {
      const next = withReference(text, begun, name);
      onChange(next.text, next.cursor);
    } else if (path === null) onChange(`/${name} `);
    // After a folder, you keep typing the path.
    else onChange(`${text.slice(0, text.length - path.length)}${name}${name.endsWith('/') ? '' : ' '}`);
  };
  const close = (): void => setState({ at: 0, of: text, isClosed: true });
  const move = (to: number): void => setState({ at: (to + items.length) % items.length, of: text, isClosed: false });
  const press = ({ key, shiftKey, ctrlKey, metaKey }: KeyboardEvent): boolean => {
    const item = items[chosen];
    if (item === undefined || shiftKey || ctrlKey || metaKey) return false;
    const name = item.ref;
    // Once a name is complete, Enter sends the prompt.
    if (key === 'Enter' && (begun !== null ? isTypedOut(begun, chosen) : path === null ? text === `/${name}` : path === name)) return false;
    if (key === 'ArrowDown') move(chosen + 1);
    else if (key === 'ArrowUp') move(chosen - 1);
    else if (key === 'Enter' || key === 'Tab') take(name);
    else if (key === 'Escape') close();
    else return false;
    return true;
  };
  return { kind, items, chosen, take, close, press };
};

const named = (name: string): OfferedReference => ({ ref: name, words: '' });

/** Keys are handled by the box below, which keeps the focus. */
export const CommandList = ({ id, offer }: { readonly id: string; readonly offer: CommandOffer }) =>
  offer.kind === 'references' ? (
    <ReferenceList id={id} items={offer.items} chosen={offer.chosen} onTake={offer.take} />
  ) : (
    <NameList id={id} offer={offer} />
  );

const NameList = ({ id, offer: { kind, items, chosen, take } }: { readonly id: string; readonly offer: CommandOffer }) => (
  <OfferList id={id} label={kind === 'commands' ? 'Commands' : 'Files'} items={items} nameOf={({ ref }) => ref} chosen={chosen} onTake={take}>
    {({ ref: name }) => (
      <span className="offer-one-name">
        {kind === 'commands' ? '/' : '@'}
        {printableLine(name)}
      </span>
    )}
  </OfferList>
);

const NONE: readonly OfferedReference[] = [];
const MOST_OFFERED = 10;

import { useEffect } from 'react';
import { useLatest } from './latest.ts';

export type StepMove =
  | { readonly kind: 'go'; readonly row: number }
  /** To the next or the previous prompt. */
  | { readonly kind: 'prompt'; readonly by: 1 | -1; readonly row: number }
  /** To another branch at the current step. */
  | { readonly kind: 'branch'; readonly by: 1 | -1 }
  | { readonly kind: 'open' }
  | { readonly kind: 'back' };

type Key = { readonly key: string; readonly target: unknown; readonly ctrlKey: boolean; readonly metaKey: boolean; readonly altKey: boolean };
type Where = { readonly isOnStep: boolean; readonly row: number; readonly count: number };

/** PAGE-22, PAGE-24, PAGE-611: j, k and arrows: steps; J, K: prompts; <, >: branches; Home, End: first and last; Enter: into a step; Escape: out. */
export const stepMove = ({ key, target, ctrlKey, metaKey, altKey }: Key, { isOnStep, row, count }: Where): StepMove | null => {
  if (ctrlKey || metaKey || altKey || count === 0) return null;
  const isTyping = target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null;
  if (isTyping) return null;
  const to = (wanted: number): StepMove => ({ kind: 'go', row: Math.max(0, Math.min(count - 1, wanted)) });
  if (key === 'j') return to(row + 1);
  if (key === 'k') return to(row - 1);
  if (key === 'J' || key === 'K') return { kind: 'prompt', by: key === 'J' ? 1 : -1, row };
  if (key === '<' || key === '>') return { kind: 'branch', by: key === '>' ? 1 : -1 };
  // Inside a step, the arrows scroll code and Enter presses buttons.
  if (!isOnStep) return key === 'Escape' ? { kind: 'back' } : null;
  switch (key) {
    case 'ArrowDown':
      return to(row + 1);
    case 'ArrowUp':
      return to(row - 1);
    case 'Home':
      return to(0);
    case 'End':
      return to(count - 1);
    case 'Enter':
      return { kind: 'open' };
    default:
      return null;
  }
};

/** PAGE-159: handles keys pressed anywhere on the page, except in inputs, in menus and the like, and in a conversation that handles them itself. */
export const useKeysFromAnywhere = (isWanted: boolean, hear: (event: KeyboardEvent) => boolean): void => {
  const latest = useLatest(hear);
  useEffect(() => {
    if (!isWanted) return undefined;
    const listen = (event: KeyboardEvent): void => {
      const isTaken = event.target instanceof Element && event.target.closest(TAKEN) !== null;
      if (event.defaultPrevented || isTaken || document.querySelector('[role=dialog]') !== null) return;
      if (latest.current(event)) event.preventDefault();
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, [isWanted, latest]);
};

const TAKEN = 'input, textarea, select, [contenteditable], [role=feed], [role=dialog], [role=menu], [role=listbox], [role=tablist], .find-bar';

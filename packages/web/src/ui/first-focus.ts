/**
 * Given as `ref` to a form that somebody asked for: takes the focus to what is marked with `data-first`, else to its first field. Only once, when it is
 * there.
 */
export const focusFirst = (form: HTMLElement | null): void => {
  const first = form?.querySelector<HTMLElement>('[data-first]') ?? form?.querySelector<HTMLElement>('input, textarea, select');
  first?.focus();
};

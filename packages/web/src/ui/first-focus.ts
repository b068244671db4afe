/**
 * Used as `ref` of a form that the user opened: focuses the element marked with `data-first`, otherwise the first field. Only once, when it appears.
 */
export const focusFirst = (form: HTMLElement | null): void => {
  const first = form?.querySelector<HTMLElement>('[data-first]') ?? form?.querySelector<HTMLElement>('input, textarea, select');
  first?.focus();
};

import { fieldsOf } from '../../shared/operation-parts.ts';

/** PAGE-160: where one was in a view, kept with the entry of the browser's history: whoever comes back finds it, and it is in no address. */
export const keptPlace = (name: string): unknown => {
  const state: unknown = history.state;
  return fieldsOf(state)[name] ?? null;
};

export const keepPlace = (name: string, place: unknown): void => {
  const state: unknown = history.state;
  // As often as somebody scrolls: what has not changed is not written.
  if (JSON.stringify(fieldsOf(state)[name] ?? null) === JSON.stringify(place)) return;
  history.replaceState({ ...fieldsOf(state), [name]: place }, '');
};

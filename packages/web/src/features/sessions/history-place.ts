import { fieldsOf } from '../../shared/operation-parts.ts';

/** PAGE-160: keeps the reader's place in the browser's history entry: coming back restores it, and the URL stays free of it. */
export const keptPlace = (name: string): unknown => {
  const state: unknown = history.state;
  return fieldsOf(state)[name] ?? null;
};

export const keepPlace = (name: string, place: unknown): void => {
  const state: unknown = history.state;
  // Runs on every scroll, so write only if something changed.
  if (JSON.stringify(fieldsOf(state)[name] ?? null) === JSON.stringify(place)) return;
  history.replaceState({ ...fieldsOf(state), [name]: place }, '');
};

type Page = { readonly text?: string; readonly json?: string; readonly items?: readonly unknown[]; readonly fields?: object };

/** Asks for what was left out at a place. */
export type Rest = (at: string) => Promise<unknown>;

/** An answer made whole, by nothing but what it says itself: wherever it was cut, one continues. */
export const restored = async (value: unknown, rest: Rest): Promise<unknown> => {
  if (typeof value === 'string') return restoredText(value, rest);
  if (Array.isArray(value)) return restoredList(value, rest);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(await restoredFields(value, rest));
};

const restoredText = async (value: string, rest: Rest): Promise<unknown> => {
  const [, of, at] = WHOLE.exec(value) ?? [];
  if (at !== undefined) {
    const page = (await rest(at)) as Page; // what `continue` answers
    return of === 'items' ? restoredList(page.items ?? [], rest) : Object.fromEntries(await restoredFields(page.fields ?? {}, rest));
  }
  let [, text, kind, place] = TEXT.exec(value) ?? [];
  if (text === undefined) return value;
  const isJson = kind === 'characters of JSON';
  while (place !== undefined) {
    const page = (await rest(place)) as Page; // the same
    const next = page.text ?? page.json ?? '';
    const [, more, , further] = TEXT.exec(next) ?? [];
    text += more ?? next;
    place = further;
  }
  return isJson ? JSON.parse(text) : text;
};

const restoredList = async (list: readonly unknown[], rest: Rest): Promise<readonly unknown[]> => {
  const last = list.at(-1);
  const [, at] = (typeof last === 'string' ? MORE.exec(last) : null) ?? [];
  const shown: unknown[] = [];
  for (const item of at === undefined ? list : list.slice(0, -1)) shown.push(await restored(item, rest));
  if (at === undefined) return shown;
  return [...shown, ...(await restoredList(((await rest(at)) as Page).items ?? [], rest))];
};

const restoredFields = async (fields: object, rest: Rest): Promise<readonly (readonly [string, unknown])[]> => {
  const shown: (readonly [string, unknown])[] = [];
  for (const [key, value] of Object.entries(fields)) {
    const [, at] = (key === '…' && typeof value === 'string' ? MORE.exec(value) : null) ?? [];
    if (at === undefined) shown.push([key, await restored(value, rest)]);
    else shown.push(...(await restoredFields(((await rest(at)) as Page).fields ?? {}, rest)));
  }
  return shown;
};

const TEXT = /^([^]*) … \[\+\d+ (characters(?: of JSON)?): continue at (\S+)\]$/u;
const WHOLE = /^… \[\+\d+ (items|fields): continue at (\S*:0~\S+)\]$/u;
const MORE = /^… \[\+\d+ (?:items|fields): continue at (\S*:[1-9]\d*~\S+)\]$/u;

/** The value of a field on one line; empty for null. */
export const textOf = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return listOf(value);
  if (typeof value === 'object')
    return Object.entries(value)
      .map(([key, one]) => `${key}=${textOf(one)}`)
      .join(', ');
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
};

export const listOf = (value: unknown): string => (Array.isArray(value) ? value.map(textOf).join(', ') : textOf(value));

/** The text of a field within a field. */
export const fieldOf = (value: unknown, key: string): string =>
  typeof value === 'object' && value !== null && key in value ? textOf((value as Readonly<Record<string, unknown>>)[key]) : ''; // looked up just before

/** "value", preceded by a text; empty if there is none. */
export const after = (before: string, value: string): string => (value === '' ? '' : `${before}${value}`);

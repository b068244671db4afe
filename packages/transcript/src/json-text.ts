/**
 * Serializes JSON of any depth. JSON.stringify recurses, and a line that was set aside because of its depth may be nested deeper than the call stack
 * allows.
 */
export const jsonText = (value: unknown): string => {
  try {
    return JSON.stringify(value);
  } catch {
    return deepText(value);
  }
};

/**
 * A line of JSON. From version 24 on, `readline` of Node also ends lines at U+2028 and U+2029 (and Python's `splitlines` does), which JSON leaves as they
 * are: a text with one of them would come in halves.
 */
export const jsonLine = (value: unknown): string => `${jsonText(value).replaceAll(/[\u2028\u2029]/gu, escaped)}\n`;

const escaped = (sign: string): string => `\\u${sign.charCodeAt(0).toString(16)}`;

type Step = { readonly text: string } | { readonly value: unknown };

const deepText = (value: unknown): string => {
  const parts: string[] = [];
  const open: Step[] = [{ value }];
  for (let step = open.pop(); step !== undefined; step = open.pop()) {
    if ('text' in step) parts.push(step.text);
    else if (typeof step.value !== 'object' || step.value === null) parts.push(JSON.stringify(step.value) ?? 'null');
    else for (const inner of stepsInto(step.value).toReversed()) open.push(inner);
  }
  return parts.join('');
};

const stepsInto = (tree: object): readonly Step[] => {
  if (Array.isArray(tree))
    return [{ text: '[' }, ...tree.flatMap((value: unknown, i) => (i === 0 ? [{ value }] : [{ text: ',' }, { value }])), { text: ']' }];
  const entries = Object.entries(tree).filter(([, value]) => value !== undefined);
  return [
    { text: '{' },
    ...entries.flatMap(([key, value], i) => [{ text: `${i === 0 ? '' : ','}${JSON.stringify(key)}:` }, { value: value as unknown }]),
    { text: '}' },
  ];
};

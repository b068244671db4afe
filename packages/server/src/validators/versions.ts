import type { Bound } from '@yarnboard/language';
import type { Comparison } from './quantities.ts';

/** The numbers of a version; an `x` ends them. */
const partsOf = (version: string): readonly number[] | null => {
  const [, digits] = /^\s*[v=]?\s*(\d+(?:\.\d+)*)/iu.exec(version) ?? [];
  return digits === undefined ? null : digits.split('.').map(Number);
};

/** Returns -1, 0 or 1, comparing only numbers that both have: people call 3.11.4 "3.11". */
const compareParts = (a: readonly number[], b: readonly number[]): number => {
  for (let i = 0; i < Math.min(a.length, b.length); i += 1) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return Math.sign(difference);
  }
  return 0;
};

/** Whether a found version is the claimed one; a shorter claim leaves the remaining numbers open. */
export const isVersionOf = (found: string, claimed: string, bound: Bound): Comparison => {
  const [there, wanted] = [partsOf(found), partsOf(claimed)];
  if (there === null || wanted === null) return null;
  // "3" says less than "3.11", so we can't tell.
  if (there.length < wanted.length && compareParts(there, wanted) === 0) return null;
  const order = compareParts(there, wanted);
  if (bound === 'at-least') return order >= 0;
  if (bound === 'at-most') return order <= 0;
  if (bound === 'above') return order > 0;
  return bound === 'below' ? order < 0 : order === 0;
};

/** Whether a version is in a manifest's range (`^1.2`, `>=3.9,<4`, `~=2.0`, `1.x || 2.x`); null for other syntax. */
export const isInRange = (version: string, range: string): Comparison => {
  const parts = partsOf(version);
  if (parts === null) return null;
  const answers = range
    .replaceAll(/^["']|["']$/gu, '')
    .split('||')
    .map((part) => inAll(parts, part.trim()));
  if (answers.includes(true)) return true;
  return answers.includes(null) ? null : false;
};

const inAll = (version: readonly number[], range: string): Comparison => {
  if (range === '*' || range === '') return true;
  const terms = range.split(/\s*,\s*|\s+(?=[<>=~^!])/u).filter((term) => term !== '');
  const answers = terms.map((term) => inTerm(version, term));
  if (answers.includes(false)) return false;
  return answers.includes(null) ? null : true;
};

const inTerm = (version: readonly number[], term: string): Comparison => {
  const [, sign = '', rest = ''] = /^(\^|~=|~>|~|>=|<=|==|!=|>|<|=)?\s*v?([\d.]+)(?:\.[x*])*$/iu.exec(term) ?? [];
  const parts = partsOf(rest.replaceAll(/\.$/gu, ''));
  if (parts === null) return null;
  const order = compareParts(version, parts);
  switch (sign) {
    case '>=':
      return order >= 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    case '<':
      return order < 0;
    case '!=':
      return order !== 0;
    case '^': {
      const fixed = parts.findIndex((part) => part !== 0);
      return order >= 0 && compareParts(version, parts.slice(0, Math.max(fixed, 0) + 1)) === 0;
    }
    case '~=':
    case '~>':
      return order >= 0 && compareParts(version, parts.slice(0, Math.max(1, parts.length - 1))) === 0;
    case '~':
      return order >= 0 && compareParts(version, parts.slice(0, Math.max(1, Math.min(2, parts.length)))) === 0;
    default:
      return order === 0;
  }
};

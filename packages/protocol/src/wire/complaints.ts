import type { Complaint } from '@yarnboard/domain';
import type { z } from 'zod';

/** WORDS-6: what is wrong with an input, as facts: its name, and what is wanted instead. */
export const complaintsOf = (issues: readonly z.core.$ZodIssue[], given: unknown): readonly Complaint[] =>
  issues.slice(0, MOST_COMPLAINTS).flatMap((issue) => complaintsIn(issue, given));

/** The sentence for one of them. The input has the name that the door uses. */
export const complaintText = ({ fault, wanted }: Pick<Complaint, 'fault' | 'wanted'>, input: string): string => {
  const list = wanted.join(', ');
  switch (fault) {
    case 'missing':
      return `${input} is missing`;
    case 'unknown':
      return `${input} is not known here`;
    case 'choice':
      return wanted.length === 1 ? `${input} must be ${list}` : `${input} must be one of ${list}`;
    case 'type':
    case 'too-small':
    case 'too-large':
    case 'form':
      return `${input} must be ${list}`;
    case 'other':
      return `${input} ${list}`;
    default:
      return fault;
  }
};

const complaintsIn = (issue: z.core.$ZodIssue, given: unknown): readonly Complaint[] => {
  const input = issue.path.map((part) => String(part).slice(0, LONGEST_NAME)).join('.');
  if (!isStandard(issue.message)) return [{ input, fault: 'other', wanted: [issue.message] }];
  if (issue.path.length > 0 && valueAt(given, issue.path) === undefined) return [{ input, fault: 'missing', wanted: [] }];
  switch (issue.code) {
    case 'invalid_type':
      return [{ input, fault: 'type', wanted: [KINDS[issue.expected] ?? `a ${issue.expected}`] }];
    case 'invalid_value':
      return [{ input, fault: 'choice', wanted: issue.values.map(String) }];
    case 'too_small':
      return [{ input, fault: 'too-small', wanted: [`at least ${sizeOf(issue.origin, issue.minimum)}`] }];
    case 'too_big':
      return [{ input, fault: 'too-large', wanted: [`at most ${sizeOf(issue.origin, issue.maximum)}`] }];
    case 'invalid_format':
      return [{ input, fault: 'form', wanted: [FORMATS[issue.format] ?? `a valid ${issue.format}`] }];
    case 'unrecognized_keys':
      return issue.keys
        .slice(0, MOST_COMPLAINTS)
        .map((key) => ({ input: [...(input === '' ? [] : [input]), key.slice(0, LONGEST_NAME)].join('.'), fault: 'unknown', wanted: [] }));
    case 'invalid_union': {
      // If a field selects the form, only the message lists the forms.
      const forms = [...issue.message.matchAll(/'([^']+)'/gu)].map(([, form = '']) => form);
      if (forms.length > 0) return [{ input, fault: 'choice', wanted: forms }];
      const each = issue.errors.flatMap((part) => part.slice(0, 1).flatMap((one) => (one.path.length > 0 ? [] : complaintsIn(one, given))));
      const wanted = [...new Set(each.filter(({ fault }) => fault === 'type' || fault === 'form').flatMap((one) => one.wanted))];
      return [
        wanted.length === 0
          ? { input, fault: 'other', wanted: ['has none of the forms that are accepted'] }
          : { input, fault: 'form', wanted: [wanted.join(' or ')] },
      ];
    }
    case 'not_multiple_of':
      return [{ input, fault: 'form', wanted: [`a multiple of ${issue.divisor}`] }];
    case 'invalid_key':
      return [{ input, fault: 'other', wanted: ['has a name that is not accepted'] }];
    case 'invalid_element':
    case 'custom':
      return [{ input, fault: 'other', wanted: ['is not accepted'] }];
    default:
      return issue;
  }
};

/** A schema may have a better message of its own. */
const isStandard = (message: string): boolean => /^(?:Invalid|Too (?:small|big)|Unrecognized)/u.test(message);

/** A list given as one text has no parts to look up: the value is the text itself. */
const valueAt = (given: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((value, key) => {
    if (typeof value === 'string') return value;
    return typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? (value as Record<PropertyKey, unknown>)[key] : undefined; // checked before
  }, given);

const sizeOf = (origin: string, size: number | bigint): string => {
  const unit = UNITS[origin];
  return unit === undefined ? String(size) : `${size} ${size === 1 || size === 1n ? unit : `${unit}s`} long`;
};

const UNITS: Readonly<Record<string, string | undefined>> = { string: 'character', array: 'item', set: 'item', map: 'item', file: 'byte' };

const KINDS: Readonly<Record<string, string | undefined>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object of names and values',
  null: 'null',
};

const FORMATS: Readonly<Record<string, string | undefined>> = {
  uuid: 'a UUID',
  url: 'a URL',
  datetime: 'a time such as 2026-01-31T12:00:00Z',
  date: 'a date such as 2026-01-31',
  regex: 'of another form',
};

/** Nonsense of any length gets a short answer. */
const MOST_COMPLAINTS = 5;
const LONGEST_NAME = 100;

import type { Reading } from './measures.ts';
import { singularOf } from '../text/stems.ts';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const FULL_MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
  'sept',
];
export const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const ISO = /^(\d{4})-(\d{2})(?:-(\d{2}))?$/u;
const CLOCK = /^(\d{1,2}):(\d{2})(?::(\d{2}))?(z|am|pm)?$/u;
const HALVES = ['am', 'pm'];
export const MONTH_NAMES: readonly string[] = [...MONTHS, ...FULL_MONTHS];

export const dateAt = (words: readonly string[], at: number): Reading | null => {
  const [word = '', next = '', third = ''] = [words[at], words[at + 1], words[at + 2]];
  const iso = ISO.exec(word);
  if (iso !== null) return { measure: 'date', parts: [Number(iso[1]), Number(iso[2]), Number(iso[3] ?? 0)], until: at + 1 };
  const clock = CLOCK.exec(word);
  if (clock !== null && Number(clock[1]) < 24 && Number(clock[2]) < 60)
    return clockReading(Number(clock[1]), Number(clock[2]), clock[4] ?? next, clock[4] === undefined && HALVES.includes(next) ? at + 2 : at + 1);
  const hour = /^(\d{1,2})(am|pm)?$/u.exec(word);
  if (hour !== null && (hour[2] !== undefined || next === 'am' || next === 'pm'))
    return clockReading(Number(hour[1]), 0, hour[2] ?? next, hour[2] === undefined ? at + 2 : at + 1);
  if (word === 'noon' || word === 'midnight') return { measure: 'clock', parts: [word === 'noon' ? 720 : 0], until: at + 1 };
  if (WEEKDAYS.includes(singularOf(word))) return { measure: 'weekday', parts: [WEEKDAYS.indexOf(singularOf(word))], until: at + 1 };
  const day = /^(\d{1,2})(?:st|nd|rd|th)?$/u.exec(word);
  if (day !== null && monthOf(next) > 0)
    return { measure: 'date', parts: [isYear(third) ? Number(third) : 0, monthOf(next), Number(day[1])], until: at + (isYear(third) ? 3 : 2) };
  if (monthOf(word) > 0) {
    const dayNext = /^(\d{1,2})(?:st|nd|rd|th)?$/u.exec(next);
    if (dayNext !== null)
      return { measure: 'date', parts: [isYear(third) ? Number(third) : 0, monthOf(word), Number(dayNext[1])], until: at + (isYear(third) ? 3 : 2) };
    if (isYear(next)) return { measure: 'date', parts: [Number(next), monthOf(word), 0], until: at + 2 };
    return word === 'may' && !['in', 'since', 'until', 'by'].includes(words[at - 1] ?? '')
      ? null
      : { measure: 'date', parts: [0, monthOf(word), 0], until: at + 1 };
  }
  const before = words[at - 1] ?? '';
  if (
    isYear(word) &&
    (['in', 'through', 'since', 'until', 'from', 'year', 'of', 'the', 'by', 'before', 'after', 'during'].includes(before) || at === 0)
  )
    return { measure: 'date', parts: [Number(word), 0, 0], until: at + 1 };
  return null;
};
const clockReading = (hour: number, minute: number, suffix: string, until: number): Reading => {
  const half = suffix === 'am' || suffix === 'pm';
  return { measure: 'clock', parts: [(half ? (hour % 12) + (suffix === 'pm' ? 12 : 0) : hour) * 60 + minute], until };
};

const monthOf = (word: string): number => {
  const full = FULL_MONTHS.indexOf(word);
  if (full >= 0) return full === 12 ? 9 : full + 1;
  const short = MONTHS.indexOf(word);
  return short >= 0 && word !== 'may' && word !== 'mar' && word !== 'dec' ? short + 1 : 0;
};
const isYear = (word: string): boolean => /^(?:19|20)\d\d$/u.test(word);

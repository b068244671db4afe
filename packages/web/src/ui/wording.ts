import { printableLine } from '@yarnboard/transcript';

/** Numbers, money, sizes and times in readable form. The clock is passed in. */
export const countOf = (n: number): string => n.toLocaleString('en');

/** "1 message", "2,001 messages". */
export const counted = (n: number, one: string, many = `${one}s`): string => `${countOf(n)} ${n === 1 ? one : many}`;

/** Rounded, in a few characters: 950, 12.3k, 4.1M. */
export const shortCount = (n: number): string => {
  if (n < 1000) return String(n);
  if (n < 999_500) return `${trimmed(n / 1000)}k`;
  return n < 999_500_000 ? `${trimmed(n / 1_000_000)}M` : `${trimmed(n / 1_000_000_000)}G`;
};

const trimmed = (n: number): string => (n < 100 ? n.toFixed(1).replace(/\.0$/u, '') : n.toFixed(0));

/** Small sums aren't rounded to zero. */
export const usdText = (usd: number): string => {
  if (usd === 0) return '$0';
  if (usd < 0.01) return `$${usd.toPrecision(1)}`;
  return usd < 1000 ? `$${usd.toFixed(2)}` : `$${Math.round(usd).toLocaleString('en')}`;
};

export const bytesText = (bytes: number): string => {
  if (bytes < 1024) return `${bytes} B`;
  const units = ['KB', 'MB', 'GB', 'TB'];
  let value = bytes / 1024;
  let unit = 0;
  for (; value >= 1000 && unit < units.length - 1; unit += 1) value /= 1024;
  return `${trimmed(value)} ${units[unit] ?? 'TB'}`;
};

export const durationText = (ms: number): string => {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1000;
  if (seconds < 60) return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${Math.round(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
};

/** A duration; from a day on, the dates: "25 min 3 s", "Jan 4 – 9". */
export const spanText = (from: number, to: number): string => (to - from < 86_400_000 ? durationText(to - from) : DATES.formatRange(from, to));

/** "just now", "5 min ago", "yesterday", then the day. */
export const agoText = (at: number, now: number): string => {
  const seconds = Math.max(0, (now - at) / 1000);
  if (seconds < 45) return 'just now';
  if (seconds < 3600) return `${Math.max(1, Math.round(seconds / 60))} min ago`;
  if (seconds < 86_400) return `${Math.round(seconds / 3600)} h ago`;
  const days = Math.floor(seconds / 86_400);
  if (days === 1) return 'yesterday';
  if (days < 7) return `${days} days ago`;
  const then = new Date(at);
  const isThisYear = then.getFullYear() === new Date(now).getFullYear();
  return then.toLocaleDateString('en', { day: 'numeric', month: 'short', ...(isThisYear ? {} : { year: 'numeric' }) });
};

/** PAGE-185: the state of a session. */
export type Turn = 'asking' | 'yours' | 'working' | 'quiet';

type Standing = { readonly isWorking: boolean; readonly isYourTurn: boolean; readonly agents: readonly unknown[] };

export const turnOf = ({ isWorking, isYourTurn, agents }: Standing, isAsking = false): Turn => {
  if (isAsking) return 'asking';
  // Running sub-agents wake the model that waits for them.
  if (isWorking || agents.length > 0) return 'working';
  return isYourTurn ? 'yours' : 'quiet';
};

export const momentText = (at: number): string => MOMENTS.format(at);

/** "14:05". */
export const clockText = (at: number): string => CLOCKS.format(at);

/** "Mon 2 Feb 2026". */
export const dayText = (at: number): string => {
  const parts = new Map(DAYS.formatToParts(at).map(({ type, value }) => [type, value]));
  return (['weekday', 'day', 'month', 'year'] as const).map((name) => parts.get(name) ?? '').join(' ');
};

// Creating a formatter takes longer than everything else done for a message.
const MOMENTS = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium' });
const CLOCKS = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const DATES = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short' });
const DAYS = new Intl.DateTimeFormat('en', { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });

/** The last part of a path, which is the project's usual name. */
export const projectName = (project: string | null): string =>
  printableLine(project?.split(/[/\\]/u).findLast((part) => part !== '') ?? 'no project');

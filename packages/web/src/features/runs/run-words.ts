import type { Run } from '../../live/run-news.ts';
import type { Tone } from '../../ui/badge.tsx';
import type { Choice } from '../../ui/field.tsx';

export const MODES = [
  { value: 'default', label: 'Ask before acting' },
  { value: 'acceptEdits', label: 'Edit files without asking' },
  { value: 'plan', label: 'Plan only, change nothing' },
  { value: 'dontAsk', label: 'Deny anything not already allowed' },
  { value: 'bypassPermissions', label: 'Never ask (dangerous)' },
] as const satisfies readonly Choice[];

export type Mode = (typeof MODES)[number]['value'];

export const isMode = (value: string): value is Mode => MODES.some((mode) => mode.value === value);

/** What a run may do without asking, in words. */
export const modeWords = (mode: string | null): string => MODES.find(({ value }) => value === (mode ?? 'default'))?.label ?? mode ?? '';

/** PAGE-410: the mode that never asks for permission. */
export const UNASKED = 'bypassPermissions';

type StateWords = { readonly word: string; readonly tone: Tone };

const STATES = {
  starting: { word: 'starting', tone: 'info' },
  running: { word: 'working', tone: 'info' },
  waiting: { word: 'needs permission', tone: 'warn' },
  idle: { word: 'waiting for you', tone: 'accent' },
  ended: { word: 'ended', tone: 'plain' },
} as const satisfies Readonly<Record<Run['state'], StateWords>>;

const ENDS = {
  completed: { word: 'ended', tone: 'plain' },
  failed: { word: 'failed', tone: 'bad' },
  cancelled: { word: 'stopped', tone: 'warn' },
} as const satisfies Readonly<Record<NonNullable<Run['status']>, StateWords>>;

export const stateWords = ({ state, status }: Pick<Run, 'state' | 'status'>): StateWords =>
  state === 'ended' && status !== null ? ENDS[status] : STATES[state];

export const isTurnOpen = ({ state }: Pick<Run, 'state'>): boolean => state === 'running' || state === 'waiting' || state === 'starting';

import { isMode, type Mode } from './run-words.ts';

/** The options of a run as typed into the form. */
export type RunOptionsDraft = { readonly model: string; readonly mode: string; readonly turns: string };

export const NO_OPTIONS: RunOptionsDraft = { model: '', mode: 'default', turns: '' };

type RunInput = { readonly model?: string; readonly permissionMode?: Mode; readonly maxTurns?: number };

/** The options to send; those at their defaults are left out. */
export const runInput = ({ model, mode, turns }: RunOptionsDraft): RunInput => {
  const most = turnsIn(turns);
  return {
    ...(model.trim() === '' ? {} : { model: model.trim() }),
    ...(isMode(mode) && mode !== 'default' ? { permissionMode: mode } : {}),
    ...(most === null ? {} : { maxTurns: most }),
  };
};

export const turnsIn = (text: string): number | null => (/^[1-9]\d{0,5}$/u.test(text.trim()) ? Number(text.trim()) : null);

import { isMode, type Mode } from './run-words.ts';

/** How a run shall be, as somebody writes it. */
export type RunOptionsDraft = { readonly model: string; readonly mode: string; readonly turns: string };

export const NO_OPTIONS: RunOptionsDraft = { model: '', mode: 'default', turns: '' };

type RunInput = { readonly model?: string; readonly permissionMode?: Mode; readonly maxTurns?: number };

/** What of it is given to the server: nothing of what is as it always is. */
export const runInput = ({ model, mode, turns }: RunOptionsDraft): RunInput => {
  const most = turnsIn(turns);
  return {
    ...(model.trim() === '' ? {} : { model: model.trim() }),
    ...(isMode(mode) && mode !== 'default' ? { permissionMode: mode } : {}),
    ...(most === null ? {} : { maxTurns: most }),
  };
};

export const turnsIn = (text: string): number | null => (/^[1-9]\d{0,5}$/u.test(text.trim()) ? Number(text.trim()) : null);

import { shellWord, startedIn } from '@yarnboard/transcript';
import { runInput, type RunOptionsDraft } from './run-input.ts';

export type StartWish = { readonly directory: string; readonly resume: string | null; readonly prompt: string; readonly options: RunOptionsDraft };

/** PAGE-413: the POSIX shell line that does the same in a terminal. */
export const commandLine = ({ directory, resume, prompt, options }: StartWish): string => {
  const { model, permissionMode } = runInput(options);
  const words = [
    ...(resume === null ? [] : ['--resume', resume]),
    ...(model === undefined ? [] : ['--model', model]),
    ...(permissionMode === undefined ? [] : ['--permission-mode', permissionMode]),
    ...(prompt === '' ? [] : [prompt.startsWith('-') ? ` ${prompt}` : prompt]),
  ];
  return startedIn(directory, ['yarnboard claude', ...words.map(shellWord)].join(' '));
};

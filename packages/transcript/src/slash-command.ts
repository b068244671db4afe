import { tag } from './notices.ts';

/** A slash command with its arguments, as it was typed: "/review 12"; null where the text names none. */
export const slashCommandIn = (text: string): string | null => {
  const name = tag(text, 'command-name')?.trim() ?? '';
  if (name === '') return null;
  const args = tag(text, 'command-args')?.trim() ?? '';
  return `${name.startsWith('/') ? name : `/${name}`}${args === '' ? '' : ` ${args}`}`;
};

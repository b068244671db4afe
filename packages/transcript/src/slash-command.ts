import { tag } from './notices.ts';

/** A slash command with its arguments, as typed: "/review 12"; null if the text names none. */
export const slashCommandIn = (text: string): string | null => {
  const name = tag(text, 'command-name')?.trim() ?? '';
  if (name === '') return null;
  const args = tag(text, 'command-args')?.trim() ?? '';
  return `${name.startsWith('/') ? name : `/${name}`}${args === '' ? '' : ` ${args}`}`;
};

/**
 * SESS-5: whether an entry shows what a session is about: a prompt, or a command with arguments that isn't just a setting. Other commands become the
 * title only if there is nothing else.
 */
export const isRequest = ({ role, text }: { readonly role: string; readonly text: string | null }): boolean =>
  text !== null && (role === 'prompt' || (role === 'command' && text.includes(' ') && !LOCAL_COMMANDS.has(text.split(' ', 1)[0] ?? '')));

const LOCAL_COMMANDS: ReadonlySet<string> = new Set(
  (
    '/add-dir /agents /bashes /bug /clear /color /compact /config /context /copy /cost /desktop /diff /doctor /effort /exit /export /extra-usage /fast /feedback ' +
    '/fork /help /hooks /ide /install-github-app /keybindings /login /logout /mcp /memory /model /output-style /permissions /plugin /plugins /privacy-settings ' +
    '/quit /release-notes /reload-plugins /remote-control /rename /reset /resume /rewind /sandbox /skills /stats /status /statusline /tasks /terminal-setup ' +
    '/theme /todos /upgrade /usage /vim'
  ).split(' '),
);

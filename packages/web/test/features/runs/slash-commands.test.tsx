// @vitest-environment happy-dom
import { cleanup, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { PromptBox } from '../../../src/features/runs/prompt-box.tsx';
import { commandsFitting } from '../../../src/features/runs/slash-commands.tsx';
import { openTestPage, type TestPage } from '../../test-page.tsx';

let page: TestPage;
beforeAll(async () => {
  page = await openTestPage();
});
afterEach(cleanup);
afterAll(() => page.close());

const COMMANDS = ['compact', 'context', 'review', 'mcp:docs'];

const Box = ({ onSend }: { readonly onSend: (text: string) => void }) => {
  const [text, setText] = useState('');
  return <PromptBox label="Prompt" value={text} onChange={setText} onEnter={() => onSend(text)} hint="" commands={COMMANDS} />;
};
const open = (): { readonly box: HTMLTextAreaElement; readonly sent: readonly string[]; readonly user: ReturnType<typeof userEvent.setup> } => {
  const sent: string[] = [];
  page.render(<Box onSend={(text) => sent.push(text)} />);
  return { box: screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Prompt' }), sent, user: userEvent.setup() };
};
const offered = (): readonly string[] => {
  const list = screen.queryByRole('listbox', { name: 'Commands' });
  return list === null
    ? []
    : within(list)
        .getAllByRole('option')
        .map((one) => one.textContent);
};

test('[PAGE-417] a slash offers commands, those that begin like it first; the keys choose and take one', async () => {
  const { box, sent, user } = open();
  await user.type(box, '/co');
  expect(offered()).toEqual(['/compact', '/context', '/mcp:docs'].slice(0, 2));
  await user.keyboard('{ArrowDown}');
  expect(box.getAttribute('aria-activedescendant')).toBe(screen.getByRole('option', { selected: true }).id);
  await user.keyboard('{Enter}');
  expect([box.value, offered(), sent]).toEqual(['/context ', [], []]);
  await user.keyboard('all{Enter}');
  expect(sent).toEqual(['/context all']);
});

test('[PAGE-417] Escape closes the list; what is typed out is sent; a slash inside a prompt is one', async () => {
  const { box, sent, user } = open();
  await user.type(box, '/re{Escape}');
  expect(offered()).toEqual([]);
  await user.keyboard('view');
  expect(offered()).toEqual(['/review']);
  await user.keyboard('{Enter}');
  expect(sent).toEqual(['/review']);
  await user.clear(box);
  await user.type(box, 'read src/co');
  expect(offered()).toEqual([]);
  expect(commandsFitting([], '/')).toEqual([]);
});

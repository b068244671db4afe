import { expect, test } from 'vitest';
import { doingText, sessionTitle } from '../../../src/shared/titles.ts';

test('[PAGE-48] a session is called by one line, and by something in any case', () => {
  expect([sessionTitle(' weave\n\na  basket '), sessionTitle(null), sessionTitle(' \n')]).toEqual([
    'weave a basket',
    'Untitled session',
    'Untitled session',
  ]);
});

test('[PAGE-40] what is being done is shown without the sign in front of it', () => {
  expect(['✏️ Editing /a', '💻 Running ls', 'It is done', '🤖', '1 of 2'].map(doingText)).toEqual([
    'Editing /a',
    'Running ls',
    'It is done',
    '🤖',
    '1 of 2',
  ]);
});

test.each([
  ['<ide_opened_file>The user opened the file /srv/rim.ts in the IDE. This may or may not be related.</ide_opened_file>\nWeave it', 'Weave it'],
  ['<ide_opened_file>The user opened the file /srv/loom/rim.ts in the IDE. This may or may n', 'About rim.ts'],
  ['<ide_selection>The user selected the lines 98 to 98 from /srv/loom/reed.md:\nwillow', 'About reed.md'],
  ['<system-reminder>be brief</system-reminder>', 'Untitled session'],
  ['<command-message>init</command-message>\n<command-name>/init</command-name>', '/init'],
  ['Is a < b, and <b>this</b> bold?', 'Is a < b, and <b>this</b> bold?'],
])('[PAGE-156] %j is titled %s', (title, shown) => {
  expect(sessionTitle(title)).toBe(shown);
});

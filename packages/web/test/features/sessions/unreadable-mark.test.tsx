// @vitest-environment happy-dom
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { SessionFacts } from '../../../src/features/sessions/session-head.tsx';
import { openTestPage, type TestPage } from '../../test-page.tsx';
import { makeTranscripts, OTHER, prompt, SESSION, type Transcripts } from '../home/transcripts.ts';

let page: TestPage;
let transcripts: Transcripts;
afterEach(async () => {
  await page.close();
  transcripts.remove();
});

test('[PAGE-171] a session with lines that could not be read says so in its head, and no other does', async () => {
  transcripts = makeTranscripts();
  transcripts.add(SESSION, [prompt('p1', null, 'weave a basket')]);
  transcripts.add(OTHER, [prompt('p2', null, 'weave a carpet')]);
  appendFileSync(join(transcripts.root, '-home-ada-loom', `${OTHER}.jsonl`), 'half a rec\n{"type":\n');
  page = await openTestPage({ roots: [transcripts.root] });
  const headOf = async (id: string): Promise<string> => {
    const session = await page.live.ask('session', { id });
    const { container, unmount } = page.render(<SessionFacts session={session} doing={null} agents={null} />);
    const text = container.textContent;
    unmount();
    return text;
  };
  expect(await headOf(OTHER)).toContain('1 message2 unreadable lines');
  expect(await headOf(SESSION)).not.toContain('unreadable');
});

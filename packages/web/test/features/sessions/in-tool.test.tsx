// @vitest-environment happy-dom
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { SessionFacts } from '../../../src/features/sessions/session-head.tsx';
import { InToolMark } from '../../../src/shared/in-tool.tsx';
import { openTestPage, type TestPage } from '../../test-page.tsx';
import { makeTranscripts, OTHER, prompt, SESSION, type Transcripts } from '../home/transcripts.ts';

let page: TestPage;
let transcripts: Transcripts;
afterEach(async () => {
  await page.close();
  transcripts.remove();
});

test('[PAGE-340] [BACK-4] a session that was deleted in its tool says so, and keeps its messages', async () => {
  transcripts = makeTranscripts();
  transcripts.add(SESSION, [prompt('p1', null, 'weave a basket')]);
  transcripts.add(OTHER, [prompt('p2', null, 'weave a carpet')]);
  page = await openTestPage({ roots: [transcripts.root] });
  await page.server.imported;
  rmSync(join(transcripts.root, '-home-ada-loom', `${OTHER}.jsonl`));
  const headOf = async (id: string): Promise<string> => {
    const session = await page.live.ask('session', { id });
    const { container, unmount } = page.render(<SessionFacts session={session} doing={null} agents={null} />);
    const text = container.textContent;
    unmount();
    return text;
  };
  await expect.poll(() => headOf(OTHER)).toContain('deleted in Claude Code');
  expect(await headOf(OTHER)).toContain('1 message');
  expect(await headOf(SESSION)).not.toContain('in Claude Code');
});

test('[PAGE-340] one that its tool has archived names the tool', async () => {
  transcripts = makeTranscripts();
  page = await openTestPage({ roots: [transcripts.root] });
  page.render(<InToolMark tool="codex" inTool="archived" />);
  expect(screen.getByText('archived in Codex')).toBeTruthy();
});

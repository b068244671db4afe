import { author } from './transcripts.ts';

export const HOSTILE = 'badbadba-0000-4000-8000-000000000001';

/** A session whose every text tries to do something to the page that shows it. */
export const writeHostile = (folder: string, startsAt: number): void => {
  const session = author({ folder, sessionId: HOSTILE, cwd: '/home/dev/<img src=x onerror=alert(1)>', startsAt });
  const { main } = session;
  main.asks(`${MARKUP}\u202Edesrever ${'x'.repeat(20_000)}`);
  main.says(MARKDOWN, { thinking: `${MARKUP}\n\n![t](https://tracker.example/thought.png)` });
  main.uses('Bash', { command: `echo '${MARKUP}'`, description: MARKUP }, { text: `${CODES}${MARKUP}\n${'y'.repeat(60_000)}` });
  main.uses('Write', { ['file_path']: `/home/dev/${MARKUP}.html`, content: `${MARKUP}\n`.repeat(400) }, { text: MARKUP });
  main.uses(`mcp__${MARKUP}__x`, { [MARKUP]: MARKUP }, { text: [{ type: 'text', text: MARKUP }, ...IMAGES] });
  main.uses('WebFetch', { url: 'javascript:alert(1)', prompt: MARKUP }, { text: MARKDOWN, isError: false });
  const agent = session.agent('abad0000000000001', { agentType: MARKUP, description: MARKUP, toolUseId: main.nextUse() });
  main.uses(
    'Task',
    { description: MARKUP, prompt: MARKDOWN, ['subagent_type']: MARKUP },
    { text: MARKDOWN, more: { status: 'completed', agentId: 'abad0000000000001' } },
  );
  agent.asks(MARKDOWN);
  agent.says(MARKUP);
  main.compacts(MARKDOWN);
  main.says(`${'> '.repeat(1000)}deep\n\n${'- '.repeat(1000)}deeper\n\n${'!['.repeat(3000)}tangled${'](b)'.repeat(3000)}`);
  main.says('word'.repeat(50_000));
  session.write();
};

const MARKUP =
  '<script>document.title="owned";alert(1)</script><img src=https://tracker.example/a.png onerror="document.title=\'owned\'"><svg onload="alert(1)"><a href="javascript:alert(1)">x</a></svg><style>*{display:none!important}</style><iframe src="https://tracker.example/"></iframe><div style="position:fixed;inset:0;background:red">over</div>';

const MARKDOWN = `# A head

[a script](javascript:alert(1)) [data](data:text/html,<script>alert(1)</script>) [file](file:///etc/passwd) [relative](/api/v1/status) [good](https://example.org/)

![an image](https://tracker.example/b.png) ![inside](data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9ImFsZXJ0KDEpIi8+)

${MARKUP}

<https://example.org/${'long'.repeat(500)}>

| ${'wide | '.repeat(60)}
|${'---|'.repeat(60)}
| ${'cell | '.repeat(60)}

\`\`\`html
${MARKUP}
${'z'.repeat(5000)}
\`\`\`
`;

const CODES =
  '\u001B]0;owned\u0007\u001B]8;;https://tracker.example/\u001B\\link\u001B]8;;\u001B\\\u001B[2J\u001B[31mred\u001B[0m\u0007\u009B31m\u202E';

const IMAGES = ['image/svg+xml', 'text/html', 'image/png" onload="alert(1)'].map((type) => ({
  type: 'image',
  source: { type: 'base64', ['media_type']: type, data: 'PHN2ZyBvbmxvYWQ9ImFsZXJ0KDEpIi8+' },
}));

import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import {
  partsOf,
  reconstruct,
  renderHtml,
  renderMarkdown,
  renderText,
  toolLine,
  type ReconstructOptions,
  type Source,
  type Step,
} from '../src/index.ts';
import { linesOf, prompt, record, reply, result, sessionOf, task, text, use, type GivenFile } from './reading.ts';

const sourceOf = (files: readonly GivenFile[], outputs: Readonly<Record<string, string>> = {}): Source => {
  const session = sessionOf(files);
  const bytes = files.map((file) => Buffer.from(linesOf(file.lines)));
  return {
    session,
    title: 'A title',
    project: '/home/dev/proj',
    recordOf: (node) => {
      const { offset, length } = node.entry.place;
      return JSON.parse(bytes[node.file]?.toString('utf8', offset, offset + length) ?? '{}');
    },
    outputOf: (savedAs) => outputs[savedAs] ?? null,
  };
};

const told = (source: Source, options: ReconstructOptions = {}): readonly string[] =>
  [...reconstruct(source.session, options).steps()].map((step) => {
    const margin = '  '.repeat(step.depth);
    return step.kind === 'message' ? `${margin}${step.actor.kind} ${step.actor.name}: ${step.node.uuid}` : `${margin}${step.kind} ${nameOf(step)}`;
  });

const nameOf = (step: Exclude<Step, { kind: 'message' }>): string => {
  if (step.kind === 'apart') return `${step.stretch.reason} ${step.stretch.nodes.length}`;
  if (step.kind === 'merged') return step.merged.sidebar;
  return step.kind === 'compaction' || step.kind === 'clearing' ? step.node.uuid : `${step.sidechain.agent} ${step.sidechain.state}`;
};

const renderings = (source: Source, options: ReconstructOptions = {}): Record<'text' | 'markdown' | 'html', string> => {
  const reconstruction = reconstruct(source.session, options);
  return {
    text: [...renderText(source, reconstruction)].join(''),
    markdown: [...renderMarkdown(source, reconstruction)].join(''),
    html: [...renderHtml(source, reconstruction)].join(''),
  };
};

const delegation: readonly GivenFile[] = [
  {
    path: 'S.jsonl',
    lines: [
      prompt('u1', null, 'Please delegate'),
      reply('a1', 'u1', 'm1', [text('Delegating.')]),
      reply('a2', 'a1', 'm1', [task('t1', 'Find bugs', 'bug-hunter')]),
      result('r1', 'a2', 't1', 'No bugs', { toolUseResult: { agentId: 'outer' } }),
      reply('a3', 'r1', 'm2', [text('All clean.')]),
    ],
  },
  {
    path: 'S/subagents/agent-outer.jsonl',
    agentId: 'outer',
    lines: [
      prompt('o1', null, 'Find bugs', { agentId: 'outer', isSidechain: true }),
      reply('o2', 'o1', 'n1', [task('t2', 'Look deeper', 'zen-architect')], { agentId: 'outer', isSidechain: true }),
      result('o3', 'o2', 't2', 'Deep', { agentId: 'outer', isSidechain: true, toolUseResult: { agentId: 'inner' } }),
      reply('o4', 'o3', 'n2', [text('No bugs')], { agentId: 'outer', isSidechain: true }),
    ],
  },
  {
    path: 'S/subagents/agent-inner.jsonl',
    agentId: 'inner',
    lines: [
      prompt('i1', null, 'Look deeper', { agentId: 'inner', isSidechain: true }),
      reply('i2', 'i1', 'k1', [use('t3', 'Bash', { command: 'ls' })], { agentId: 'inner', isSidechain: true }),
      result('i3', 'i2', 't3', 'file', { agentId: 'inner', isSidechain: true }),
    ],
  },
  { path: 'S/subagents/agent-warm.jsonl', agentId: 'warm', lines: [prompt('w1', null, 'Warmup', { agentId: 'warm', isSidechain: true })] },
];

describe('steps', () => {
  test('[SHOW-1] [SHOW-3] everybody speaks under their own name, sidechains stand under their call, unattached ones at the end', () => {
    expect(told(sourceOf(delegation))).toEqual([
      'human Human: u1',
      'claude Claude: a1',
      'claude Claude: a2',
      '  enter bug-hunter complete',
      '  claude Claude: o1',
      '  agent bug-hunter: o2',
      '    enter zen-architect complete',
      '    agent bug-hunter: i1',
      '    agent zen-architect: i2',
      '    tool Bash: i3',
      '    leave zen-architect complete',
      '  tool Task: o3',
      '  agent bug-hunter: o4',
      '  leave bug-hunter complete',
      'tool Task: r1',
      'claude Claude: a3',
      '  enter unknown orphaned',
      '  claude Claude: w1',
      '  leave unknown orphaned',
    ]);
  });

  test('[SHOW-3] sidechains can stand after the conversation or be left out', () => {
    const main = ['human Human: u1', 'claude Claude: a1', 'claude Claude: a2', 'tool Task: r1', 'claude Claude: a3'];
    expect(told(sourceOf(delegation), { sidechains: 'none' })).toEqual(main);
    const after = told(sourceOf(delegation), { sidechains: 'after' });
    expect(after.slice(0, main.length)).toEqual(main);
    expect(after.filter((step) => step.includes('enter'))).toEqual([
      '  enter bug-hunter complete',
      '  enter zen-architect complete',
      '  enter unknown orphaned',
    ]);
  });

  test('[SHOW-3] agents that nest a thousand deep are told without recursion', () => {
    const depth = 1000;
    const files: GivenFile[] = Array.from({ length: depth }, (_, i) => ({
      path: `S/subagents/agent-g${i}.jsonl`,
      agentId: `g${i}`,
      meta: { toolUseId: `t${i}` },
      lines: [
        prompt(`p${i}`, null, `level ${i}`, { isSidechain: true, agentId: `g${i}` }),
        reply(`q${i}`, `p${i}`, `m${i}`, [task(`t${i + 1}`, `level ${i + 1}`, `agent-${i + 1}`)], { isSidechain: true, agentId: `g${i}` }),
      ],
    }));
    const source = sourceOf([{ path: 'S.jsonl', lines: [prompt('u', null), reply('a', 'u', 'm', [task('t0', 'level 0', 'agent-0')])] }, ...files]);
    const steps = [...reconstruct(source.session).steps()];
    expect(Math.max(...steps.map((step) => step.depth))).toBe(depth);
    expect(steps.filter((step) => step.kind === 'leave')).toHaveLength(depth);
  });

  test('[SHOW-4] compactions are marked where they happened, and nothing before them is lost', () => {
    const source = sourceOf([
      {
        path: 'S.jsonl',
        lines: [
          prompt('u1', null),
          reply('a1', 'u1', 'm1'),
          record({
            type: 'system',
            subtype: 'compact_boundary',
            uuid: 'b',
            logicalParentUuid: 'a1',
            compactMetadata: { trigger: 'auto', preTokens: 155_000 },
          }),
          prompt('s', 'b', 'This session is being continued', { isCompactSummary: true }),
          reply('a2', 's', 'm2'),
        ],
      },
    ]);
    expect(told(source)).toEqual(['human Human: u1', 'claude Claude: a1', 'compaction b', 'system system: s', 'claude Claude: a2']);
    for (const rendering of Object.values(renderings(source))) expect(rendering).toContain('context compacted (auto, 155000 tokens before)');
  });

  test('[PATH-3] any branch can be told by any of its records', () => {
    const source = sourceOf([
      {
        path: 'S.jsonl',
        lines: [
          prompt('u1', null),
          reply('a1', 'u1', 'm1'),
          prompt('u2', 'a1'),
          reply('a2', 'u2', 'm2'),
          prompt('u3', 'a1'),
          reply('a3', 'u3', 'm3'),
        ],
      },
    ]);
    expect(told(source)).toEqual(['human Human: u1', 'claude Claude: a1', 'human Human: u3', 'claude Claude: a3']);
    const through = source.session.graph.nodes.get('u2');
    expect(through === undefined ? null : told(source, { through })).toEqual([
      'human Human: u1',
      'claude Claude: a1',
      'human Human: u2',
      'claude Claude: a2',
    ]);
  });
});

describe('renderings', () => {
  test('[SHOW-2] text, Markdown and HTML show the same messages in the same order', () => {
    const words = [
      'Please delegate',
      'Delegating.',
      'sub-agent bug-hunter outer',
      'Find bugs',
      'Look deeper',
      'No bugs',
      'end of bug-hunter outer',
      'All clean.',
      'ORPHANED',
      'Warmup',
    ];
    for (const rendering of Object.values(renderings(sourceOf(delegation)))) {
      const places = words.map((word) => rendering.indexOf(word));
      expect(places).not.toContain(-1);
      const main = ['Please delegate', 'Delegating.', 'sub-agent bug-hunter outer', 'All clean.', 'Warmup'].map((word) => rendering.indexOf(word));
      expect(main).toEqual([...main].sort((a, b) => a - b));
    }
  });

  test('[SHOW-1] role reversal is visible: the caller speaks to the agent by name', () => {
    const { text: plain, html } = renderings(sourceOf(delegation));
    expect(plain).toContain('Claude → bug-hunter');
    expect(plain).toContain('bug-hunter → zen-architect');
    expect(html).toContain('to zen-architect');
  });

  test('[SHOW-4] an agent that was cut off says so at both ends', () => {
    const source = sourceOf([
      { path: 'S.jsonl', lines: [prompt('u', null), reply('a', 'u', 'm', [task('t1', 'Long job', 'worker')])] },
      { path: 'S/subagents/agent-x.jsonl', agentId: 'x', lines: [prompt('p', null, 'Long job', { isSidechain: true, agentId: 'x' })] },
    ]);
    for (const rendering of Object.values(renderings(source))) expect(rendering.match(/INCOMPLETE/gu)).toHaveLength(2);
  });

  test('[SHOW-2] blocks of one reply share a heading, and an empty block takes none', () => {
    const source = sourceOf([
      {
        path: 'S.jsonl',
        lines: [
          prompt('u', null),
          reply('a1', 'u', 'm', [text('\n\n')]),
          reply('a2', 'a1', 'm', [text('One')]),
          reply('a3', 'a2', 'm', [text('Two')]),
        ],
      },
    ]);
    const { text: plain, markdown, html } = renderings(source);
    expect(plain.match(/^Claude/gmu)).toHaveLength(1);
    expect(markdown.match(/^### Claude/gmu)).toHaveLength(1);
    expect(html.match(/<h2>Claude/gu)).toHaveLength(1);
  });

  test('[SHOW-2] a large output that was saved beside the transcript is shown whole', () => {
    const saved =
      '<persisted-output>\nOutput too large (164.9KB). Full output saved to: /x/.claude/projects/p/S/tool-results/b58.txt\n\nPreview (first 2KB):\n1\n2';
    const source = sourceOf([{ path: 'S.jsonl', lines: [prompt('u', null), reply('a', 'u', 'm', [use('t1')]), result('r', 'a', 't1', saved)] }], {
      'b58.txt': '1\n2\nthe end',
    });
    for (const rendering of Object.values(renderings(source))) {
      expect(rendering).toContain('the end');
      expect(rendering).not.toContain('Output too large');
    }
  });

  test('[SHOW-2] commands and what they print are shown without their wrapping', () => {
    const command = '<command-name>/model</command-name>\n<command-message>model</command-message>\n<command-args>opus</command-args>';
    const source = sourceOf([
      {
        path: 'S.jsonl',
        lines: [prompt('u', null), prompt('c', 'u', command), prompt('o', 'c', '<local-command-stdout>Set model</local-command-stdout>')],
      },
    ]);
    expect(told(source)).toEqual(['human Human: u', 'human Human: c', 'system system: o']);
    for (const rendering of Object.values(renderings(source))) {
      expect(rendering).toContain('/model opus');
      expect(rendering).toContain('Set model');
      expect(rendering).not.toContain('command-name');
      expect(rendering).not.toContain('local-command');
    }
  });

  test('[SHOW-2] a record that is gone from its file is named, and the rest is shown', () => {
    const source = sourceOf(delegation);
    const { text: plain } = renderings({ ...source, recordOf: (node) => (node.uuid === 'a1' ? null : source.recordOf(node)) });
    expect(plain).toContain('has changed or is gone');
    expect(plain).toContain('All clean.');
  });
});

describe('hostile content', () => {
  const nasty =
    '<script>alert(1)</script><img src=x onerror=alert(1)> "quotes" &lt; ``` </details></pre> \u001b[31mred\u001b]0;title\u0007 \u202eevil';
  const files = (content: string): readonly GivenFile[] => [
    {
      path: 'S.jsonl',
      lines: [
        prompt('u', null, content),
        reply('a', 'u', content, [
          text(content),
          use(content, content, { [content]: content }),
          { type: 'thinking', thinking: content },
          { type: content, x: content },
        ]),
        result('r', 'a', content, content),
        record({ type: 'system', subtype: content, uuid: content, parentUuid: 'r', content }),
      ],
    },
  ];

  test('[SHOW-5] markup, scripts and escape codes of a transcript stay text', () => {
    const { text: plain, markdown, html } = renderings(sourceOf(files(nasty)));
    expect(html).not.toMatch(/<script|<img|onerror=alert\(1\)>/u);
    expect(html).toContain("default-src 'none'");
    expect(markdown.replace(/^( *>)* *(`{3,})\w*\n[\s\S]*?\n( *>)* *\2$/gmu, '')).not.toMatch(/<script|<img/u);
    // oxlint-disable-next-line no-control-regex -- that none is left is the point
    expect(plain).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/u);
    expect(plain).toContain('␛[31mred');
  });

  test('[SHOW-5] whatever a transcript says, the page has only the tags that we wrote', () => {
    const allowed =
      /<\/?(?:!doctype html|html|head|meta|title|style|body|header|h1|h2|p|main|article|details|summary|div|pre|span|time|footer|img)\b[^<>]*>/giu;
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 60 }),
        fc.constantFrom('<b>', '</article>', '"><i>', "'", '&#60;script&#62;', '`'),
        (a, b) => {
          const { html } = renderings(sourceOf(files(`${a}${b}${a}`)));
          const page = html.replace(/<style>[\s\S]*?<\/style>/u, '');
          expect(page.replace(allowed, '')).not.toMatch(/[<>]/u);
        },
      ),
      { numRuns: 100 },
    );
  });

  test('[SHOW-5] only real base64 of a known image type becomes an image', () => {
    const image = (media: string, data: string): unknown => ({ type: 'image', source: { type: 'base64', media_type: media, data } });
    const page = (block: unknown): string => renderings(sourceOf([{ path: 'S.jsonl', lines: [reply('a', null, 'm', [block])] }])).html;
    expect(page(image('image/png', 'iVBORw0KGgo='))).toContain('<img alt="image in the transcript" src="data:image/png;base64,iVBORw0KGgo=">');
    expect(page(image('image/svg+xml', 'PHN2Zz4='))).not.toContain('<img');
    expect(page(image('image/png', '" onerror="alert(1)'))).not.toContain('<img');
  });
});

describe('parts', () => {
  test('[SHOW-2] every kind of block is a part, unknown ones included', () => {
    const blocks = [
      { type: 'text', text: 'words' },
      { type: 'thinking', thinking: 'hm' },
      { type: 'thinking', thinking: '', signature: 'x' },
      { type: 'redacted_thinking', data: 'x' },
      { type: 'server_tool_use', id: 's', name: 'web_search', input: { query: 'q' } },
      { type: 'document', source: {} },
    ];
    expect(partsOf({ message: { content: blocks } }).map((part) => part.kind)).toEqual(['text', 'thinking', 'thinking', 'tool-use', 'other']);
    expect(
      partsOf({ type: 'assistant', subtype: 'tool_use', toolName: 'Read', toolArguments: { file_path: '/src/main.py' }, uuid: 'sc-tool-1' }),
    ).toEqual([{ kind: 'tool-use', id: 'sc-tool-1', name: 'Read', input: { file_path: '/src/main.py' } }]);
  });

  test('[SHOW-2] a tool call reads as one line', () => {
    expect(toolLine('Read', { file_path: '/src/main.py' })).toBe('Reading /src/main.py');
    expect(toolLine('LS', { path: '/src' })).toBe('Listing directory: /src');
    expect(toolLine('Task', { subagent_type: 'bug-hunter', prompt: 'Find\n  bugs' })).toBe('Delegating to bug-hunter: Find bugs');
    expect(toolLine('Mystery', { a: 1 })).toBe('Mystery (a: 1)');
    expect(toolLine('Bash', { command: 'x'.repeat(500) })).toHaveLength(160);
  });
});

// @vitest-environment happy-dom
import { describe, expect, test } from 'vitest';
import { editorLink } from '../../../src/features/sessions/editor-link.ts';
import { helperIn, helpersText } from '../../../src/features/sessions/own-agents.ts';
import { stepMove } from '../../../src/features/sessions/flow-keys.ts';
import { inputIn, languageOf, patchIn, resultIn, unnumbered } from '../../../src/shared/operation-parts.ts';
import { imageAddress } from '../../../src/features/sessions/part-image.tsx';
import { dayBegun } from '../../../src/features/sessions/day-line.tsx';
import { rangesIn } from '../../../src/features/sessions/found-words.ts';
import { partIn } from '../../../src/features/sessions/shown-part.ts';
import { localCommandIn } from '../../../src/features/sessions/step-text.tsx';
import { sessionAddress, sessionPath } from '../../../src/features/sessions/session-address.ts';
import { tokensText } from '../../../src/features/sessions/step-words.ts';
import { modelName } from '../../../src/shared/model-name.ts';
import { textsIn } from '../../../src/features/sessions/whole-text.ts';
import { stepOf } from './steps.ts';

describe('addresses', () => {
  test.each([
    ['', { at: null, thread: null, through: null }],
    ['at=MSG-3', { at: 'MSG-3', thread: null, through: null }],
    ['at=u1&thread=a1&through=u2', { at: 'u1', thread: 'a1', through: 'u2' }],
    ['at=%20&thread=main', { at: null, thread: null, through: null }],
  ])('[PAGE-10] ?%s says what is shown', (query, shown) => {
    expect(sessionAddress('s', new URLSearchParams(query))).toEqual({ sessionId: 's', ...shown });
  });

  test('[PAGE-10] an address is read as it was written', () => {
    const address = { sessionId: 'a b/c', at: 'MSG-1#2', thread: 'a&b', through: 'u=1' };
    const { pathname, searchParams } = new URL(sessionPath(address), 'http://localhost');
    expect(sessionAddress(decodeURIComponent(pathname.slice('/sessions/'.length)), searchParams)).toEqual(address);
  });
});

describe('files in the editor', () => {
  test.each([
    ['/home/dev/a b.ts', null, 'vscode://file/home/dev/a%20b.ts'],
    ['C:\\dev\\a.ts', null, 'vscode://file/C:/dev/a.ts'],
    ['/a.ts', 'idea://open?file={path}&line={line}', 'idea://open?file=/a.ts&line=1'],
    ['/a.ts', 'zed://file', 'zed://file/a.ts'],
    ['a.ts', null, null],
    ['/a.ts', 'javascript:alert({path})', null],
    ['/a.ts', 'data:text/html,{path}', null],
    ['/a.ts', 'https://example.com/{path}', null],
    ['/a?x#y.ts', null, 'vscode://file/a%3Fx%23y.ts'],
  ])('[PAGE-25] %s with the pattern %s', (path, pattern, link) => {
    expect(editorLink(path, pattern)).toBe(link);
  });
});

describe('operations', () => {
  test('[PAGE-20] what a tool was given is read from its block, or from a record of the old structure', () => {
    expect([
      inputIn({ type: 'tool_use', name: 'Bash', input: { command: 'ls' } }),
      inputIn({ toolName: 'Bash', toolArguments: { command: 'ls' } }),
      inputIn(null),
    ]).toEqual([{ command: 'ls' }, { command: 'ls' }, {}]);
  });

  test('[PAGE-20] what a tool returned: words, images, and whatever else it is', () => {
    const image = { type: 'image', source: { type: 'base64', ['media_type']: 'image/png', data: 'AAAA' } };
    const block = { type: 'tool_result', ['tool_use_id']: 'x', content: [{ type: 'text', text: 'one' }, image, { type: 'chart', n: 1 }] };
    expect([resultIn(block, 'unused'), resultIn(null, 'as text'), resultIn({ content: 'plain' }, '')]).toEqual([
      { text: 'one', images: [{ kind: 'image', mediaType: 'image/png', data: 'AAAA' }], others: [{ type: 'chart', n: 1 }] },
      { text: 'as text', images: [], others: [] },
      { text: 'plain', images: [], others: [] },
    ]);
  });

  test.each([
    ['     3→a\n     4→\n     5→b', { text: 'a\n\nb', firstLine: 3 }],
    ['     1\ta\n     2\tb\n', { text: 'a\nb', firstLine: 1 }],
    ['     1→a\n\n<system-reminder>\nbe careful\n</system-reminder>', { text: 'a', firstLine: 1 }],
    ['     1→a\n     3→b', null],
    ['no numbers', null],
    ['', null],
  ])('[PAGE-20] the line numbers of a file that was read are none of its text: %j', (text, read) => {
    expect(unnumbered(text)).toEqual(read);
  });

  test('[PAGE-20] a language by the name of a file', () => {
    expect(['/a/b.tsx', 'C:\\x\\main.py', '/a/Dockerfile', '/a/unknown.zzz', null].map(languageOf)).toEqual(['typescript', 'python', 'bash', '', '']);
  });

  test.each([
    ['image/png', 'AAAA', 'data:image/png;base64,AAAA'],
    ['image/webp', 'AA\nAA==', 'data:image/webp;base64,AAAA=='],
    ['image/svg+xml', 'AAAA', null],
    ['text/html', 'AAAA', null],
    ['image/png', '"><script>', null],
    ['image/png', null, null],
  ])('[PAGE-18] an image of %s with %j', (mediaType, data, address) => {
    expect(imageAddress({ kind: 'image', mediaType, data })).toBe(address);
  });
});

describe('words', () => {
  test('[PAGE-15] models by the names people have for them', () => {
    expect(['claude-opus-5-5', 'claude-sonnet-4-20250514', 'claude-haiku-4-5-20251001', 'gpt-x', '<synthetic>'].map(modelName)).toEqual([
      'Opus 5.5',
      'Sonnet 4',
      'Haiku 4.5',
      'gpt-x',
      'No model',
    ]);
  });

  test('[PAGE-15] tokens in words', () => {
    expect(tokensText({ inputTokens: 1200, outputTokens: 3, cacheReadTokens: 40_000, cacheWrite5mTokens: 5, cacheWrite1hTokens: 6 })).toBe(
      '1,200 input, 3 output, 40,000 read from cache, 11 written to cache',
    );
  });

  test('[PAGE-19] what a record says in full, without the tags around it', () => {
    const say = (content: unknown) => ({ message: { content } });
    expect([
      textsIn(
        say([
          { type: 'thinking', thinking: 'hm' },
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ]),
        'reply',
        'text',
      ),
      textsIn(
        say([
          { type: 'thinking', thinking: 'hm' },
          { type: 'text', text: 'a' },
        ]),
        'reply',
        'thinking',
      ),
      textsIn(say('<command-name>/compact</command-name><command-args>all</command-args>'), 'command', 'text'),
      textsIn(null, 'reply', 'text'),
    ]).toEqual([['a', 'b'], ['hm'], ['/compact all'], []]);
  });
});

describe('keys', () => {
  const press = (key: string, isOnStep = true, target: unknown = null) =>
    stepMove({ key, target, ctrlKey: false, metaKey: false, altKey: false }, { isOnStep, row: 5, count: 10 });

  test('[PAGE-24] j, k and the arrows go to the next and the one before, Home and End to the first and the last', () => {
    expect(['j', 'ArrowDown', 'k', 'ArrowUp', 'Home', 'End', 'Enter', 'x'].map((key) => press(key))).toEqual([
      { kind: 'go', row: 6 },
      { kind: 'go', row: 6 },
      { kind: 'go', row: 4 },
      { kind: 'go', row: 4 },
      { kind: 'go', row: 0 },
      { kind: 'go', row: 9 },
      { kind: 'open' },
      null,
    ]);
  });

  test('[PAGE-24] inside a step the arrows are for what scrolls there, and Escape leads back to it', () => {
    expect(['<', '>'].map((key) => press(key, true))).toEqual([
      { kind: 'branch', by: -1 },
      { kind: 'branch', by: 1 },
    ]);
    expect(['ArrowDown', 'Enter', 'j', 'Escape'].map((key) => press(key, false))).toEqual([null, null, { kind: 'go', row: 6 }, { kind: 'back' }]);
  });

  test('[PAGE-24] whoever types types, and keys with Control belong to the browser', () => {
    expect([
      press('j', false, document.createElement('input')),
      stepMove({ key: 'j', target: null, ctrlKey: true, metaKey: false, altKey: false }, { isOnStep: true, row: 0, count: 3 }),
      stepMove({ key: 'j', target: null, ctrlKey: false, metaKey: false, altKey: false }, { isOnStep: true, row: 0, count: 0 }),
    ]).toEqual([null, null, null]);
  });
});

describe('what is folded in a step', () => {
  const record = (...content: readonly object[]): object => ({ message: { role: 'assistant', content } });
  const said = { type: 'text', text: 'I look at the Rim.' };
  const thought = { type: 'thinking', thinking: 'Willow or reed?' };
  const use = (id: string, command: string): object => ({ type: 'tool_use', id, name: 'Bash', input: { command } });
  const result = { type: 'tool_result', ['tool_use_id']: 'toolu_7', content: 'bent' };

  test.each([
    ['words are in sight', record(said, use('t1', 'bend')), [], null],
    ['words that were found are in sight', record(thought, said), ['rim'], null],
    ['only thoughts', record(thought), [], { kind: 'thinking', uuid: 'u' }],
    ['found in thoughts', record(thought, said), ['willow'], { kind: 'thinking', uuid: 'u' }],
    ['an operation', record(use('t1', 'bend'), use('t2', 'weave')), [], { kind: 'operation', toolUseId: 't1', uuid: 'u' }],
    [
      'found in one of two operations',
      record(said, use('t1', 'bend'), use('t2', 'Weave')),
      ['weave'],
      { kind: 'operation', toolUseId: 't2', uuid: 'u' },
    ],
    ['what came of one', record(result), ['bent'], { kind: 'operation', toolUseId: 'toolu_7', uuid: 'u' }],
    ['a block that was taken out', use('t9', 'bend'), [], { kind: 'operation', toolUseId: 't9', uuid: 'u' }],
    ['nothing', null, ['rim'], null],
  ] as const)('[PAGE-151] %s', (_, block, words, part) => {
    expect(partIn(block, 'u', words)).toEqual(part);
  });

  test('[PAGE-151] words are found wherever they stand in an element, whatever their case', () => {
    const place = document.createElement('div');
    place.append('Reed, reed ', Object.assign(document.createElement('b'), { textContent: 'and REED' }), ' rim');
    expect(rangesIn(place, ['reed', 'rim']).map(String)).toEqual(['Reed', 'reed', 'REED', 'rim']);
  });
});

describe('days', () => {
  const at = (timestamp: string | null) => stepOf(0, { timestamp });

  test.each([
    ['the first of all', at('2026-02-02T12:00:00'), null, true, 'Mon 2 Feb 2026'],
    ['one whose predecessor is not here', at('2026-02-02T12:00:00'), null, false, null],
    ['one of the same day', at('2026-02-02T12:00:00'), at('2026-02-02T01:00:00'), false, null],
    ['one of the next day', at('2026-02-03T00:10:00'), at('2026-02-02T23:50:00'), false, 'Tue 3 Feb 2026'],
    ['one without a time', at(null), at('2026-02-02T23:50:00'), false, null],
    ['one after that', at('2026-02-03T12:00:00'), at(null), false, null],
  ])('[PAGE-154] a day begins with %s', (_, step, before, isFirst, day) => {
    expect(dayBegun(step, before, isFirst)).toBe(day);
  });
});

describe('commands of the CLI', () => {
  test.each([
    [
      'system',
      '<command-name>/context</command-name>\n<command-message>context</command-message>\n<command-args>all</command-args>',
      'command',
      '/context all',
    ],
    ['system', '<local-command-stdout>\u001B[1mmodel\u001B[22m</local-command-stdout>', 'output', '\u001B[1mmodel\u001B[22m'],
    ['system', '<local-command-stdout>cut in the mid', 'output', 'cut in the mid'],
    ['output', 'Set model to opus', 'output', 'Set model to opus'],
    ['output', '<local-command-stderr></local-command-stderr>', 'output', ''],
  ] as const)('[PAGE-155] of %s, %j', (role, text, kind, shown) => {
    expect(localCommandIn({ role }, text)).toEqual({ kind, text: shown });
  });

  test('[PAGE-155] what is none stays what it is', () => {
    expect([
      localCommandIn({ role: 'system' }, 'Conversation compacted'),
      localCommandIn({ role: 'reply' }, '<command-name>/x</command-name>'),
    ]).toEqual([null, null]);
  });
});

describe('patches', () => {
  test('[PAGE-157] a patch is read from the record of an answer; where a part of it makes no sense, there is none', () => {
    const hunk = { oldStart: 41, oldLines: 2, newStart: 41, newLines: 2, lines: [' rim', '-reed', '+willow'] };
    const record = (structuredPatch: unknown): object => ({ toolUseResult: { filePath: '/a.ts', structuredPatch } });
    expect([
      patchIn(record([hunk])),
      patchIn(record([])),
      patchIn(record([hunk, { lines: 3 }])),
      patchIn({ toolUseResult: 'done' }),
      patchIn(null),
    ]).toEqual([[{ oldStart: 41, oldLines: 2, newStart: 41, lines: [' rim', '-reed', '+willow'] }], null, null, null, null]);
  });
});

test('[PAGE-619] what Claude Code started by itself is known by its name, unless something called it', () => {
  const of = (agentId: string, more: { readonly task?: string | null; readonly toolUseIds?: readonly string[] } = {}) =>
    helperIn({ agentId, task: null, toolUseIds: [], ...more });
  expect([of('aprompt_suggestion-1a2b3c'), of('acompact-77aa'), of('aside_question-1'), of('a12', { task: 'Warmup' })]).toEqual([
    'Prompt suggestion',
    'Compaction',
    'Side question',
    'Warm-up',
  ]);
  expect([of('a0123456789abcdef'), of('acompact-1', { toolUseIds: ['t'] }), of('compactor'), of('a1', { task: 'Warm up the cache' })]).toEqual([
    null,
    null,
    null,
    null,
  ]);
  expect(helpersText(['Compaction', 'Prompt suggestion', 'Prompt suggestion'])).toBe('1 compaction, 2 prompt suggestions');
});

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { classifyPath, readMeta, sniff, type FileRole } from '../src/index.ts';

const ID = '03eb5929-52b3-4b13-ada3-b93ae35806b8';
const home = '/home/me/.claude/projects/-home-me-proj';

const PATHS: readonly (readonly [path: string, role: FileRole])[] = [
  [`${home}/${ID}.jsonl`, { role: 'main', sessionId: ID }],
  [`${home}/${ID.toUpperCase()}.jsonl`, { role: 'main', sessionId: ID.toUpperCase() }],
  [`${home}/full.jsonl`, { role: 'main', sessionId: null }],
  [`${home}/${ID}-copy.jsonl`, { role: 'main', sessionId: null }],
  [`${home}/agent-a96bcc0.jsonl`, { role: 'agent', agentId: 'a96bcc0', sessionId: null }],
  [`${home}/${ID}/subagents/agent-a1.jsonl`, { role: 'agent', agentId: 'a1', sessionId: ID }],
  [`${home}/not-a-uuid/subagents/agent-a1.jsonl`, { role: 'agent', agentId: 'a1', sessionId: 'not-a-uuid' }],
  [`${home}/${ID}/subagents/agent-acompact-ff.jsonl`, { role: 'agent', agentId: 'acompact-ff', sessionId: ID }],
  [`${home}/${ID}/subagents/workflows/wf_1/agent-a2.jsonl`, { role: 'agent', agentId: 'a2', sessionId: ID }],
  [`${home}/${ID}/subagents/workflows/wf_1/journal.jsonl`, { role: 'companion', what: 'workflow journal', sessionId: ID }],
  [`${home}/journal.jsonl`, { role: 'main', sessionId: null }],
  [`${home}/${ID}/subagents/agent-a1.meta.json`, { role: 'companion', what: 'agent meta', sessionId: ID }],
  [`${home}/${ID}/tool-results/toolu_1.txt`, { role: 'companion', what: 'tool result', sessionId: ID }],
  [`${home}/${ID}/tool-results/dump.jsonl`, { role: 'companion', what: 'tool result', sessionId: ID }],
  [`${home}/sessions-index.json`, { role: 'foreign', reason: 'not a transcript: .json file' }],
  [`${home}/memory/MEMORY.md`, { role: 'foreign', reason: 'not a transcript: .md file' }],
  [`${home}/${ID}.jsonl.bak`, { role: 'foreign', reason: 'not a transcript: .bak file' }],
  [`${home}/LICENSE`, { role: 'foreign', reason: 'not a transcript: no .jsonl file' }],
  ['/home/me/.claude/history.jsonl', { role: 'foreign', reason: 'the prompt history, not a transcript' }],
  [`${home}/agent-a1.meta.json`, { role: 'companion', what: 'agent meta', sessionId: null }],
  ['subagents/agent-a1.jsonl', { role: 'agent', agentId: 'a1', sessionId: null }],
  [`${ID}.jsonl`, { role: 'main', sessionId: ID }],
  ['', { role: 'foreign', reason: 'not a transcript: no .jsonl file' }],
];

describe('paths', () => {
  test.each(PATHS)('[FILE-1] %s', (path, role) => {
    expect(classifyPath(path)).toEqual(role);
  });

  test.each(PATHS)('[FILE-1] %s with the slashes of Windows', (path, role) => {
    expect(classifyPath(`C:\\Users\\me\\${path.replaceAll('/', '\\')}`)).toEqual(path.startsWith('subagents') ? { ...role, sessionId: 'me' } : role);
  });

  test('[FILE-1] the innermost subagents folder tells the session', () => {
    expect(classifyPath(`/x/subagents/y/${ID}/subagents/agent-a.jsonl`)).toEqual({ role: 'agent', agentId: 'a', sessionId: ID });
  });

  test('[FILE-1] any path has a role, and folders above a session do not change it', () => {
    const part = fc.string({ maxLength: 12 }).filter((name) => !/[/\\]/u.test(name));
    fc.assert(
      fc.property(fc.array(part.filter((name) => name !== 'subagents' && name !== 'tool-results')), (folders) => {
        const prefix = folders.map((name) => `${name}/`).join('');
        expect(classifyPath(`${prefix}p/${ID}/subagents/agent-a.jsonl`)).toEqual({ role: 'agent', agentId: 'a', sessionId: ID });
        expect(classifyPath(`${prefix}p/${ID}.jsonl`)).toEqual({ role: 'main', sessionId: ID });
        expect(['main', 'agent', 'companion', 'foreign']).toContain(classifyPath(prefix).role);
      }),
    );
  });
});

const lines = (...values: readonly object[]): string => values.map((value) => JSON.stringify(value)).join('\n');

describe('content', () => {
  test('[FILE-1] session ids are counted, with or without white space', () => {
    expect(sniff(`${lines({ sessionId: 'A' }, { sessionId: 'A' }, { sessionId: 'B' })}\n{"sessionId":   "B"}\n{"sessionId": "B"}`)).toEqual({
      sessionIds: new Map([
        ['A', 2],
        ['B', 3],
      ]),
      isStream: false,
    });
  });

  test('[FILE-1] session ids inside texts are not the file’s', () => {
    expect(sniff(lines({ message: { content: lines({ sessionId: 'QUOTED', session_id: 'QUOTED' }) } })).sessionIds).toEqual(new Map());
  });

  test('[FILE-1] a stream log says session_id and never parentUuid, isSidechain or leafUuid', () => {
    const stream = lines(
      { type: 'system', subtype: 'init', session_id: 'A' },
      { type: 'assistant', parent_tool_use_id: null, session_id: 'A', uuid: 'x' },
    );
    const streamy = (more: object): boolean => sniff(`${stream}\n${lines(more)}`).isStream;
    expect([
      sniff(stream).isStream,
      streamy({ sessionId: 'A' }),
      streamy({ parentUuid: null }),
      streamy({ isSidechain: true }),
      streamy({ leafUuid: 'x' }),
    ]).toEqual([true, false, false, false, false]);
  });

  test('[FILE-1] nothing and noise are no stream log', () => {
    expect([sniff(''), sniff('\n\n{"type":"summary"}'), sniff('session_id')]).toEqual(
      Array.from({ length: 3 }, () => ({ sessionIds: new Map(), isStream: false })),
    );
  });
});

describe('meta files', () => {
  test('[FILE-1] every field is read, from the first version’s two to today’s five', () => {
    expect(readMeta({ agentType: 'Explore', description: 'look' })).toEqual({
      agentType: 'Explore',
      description: 'look',
      toolUseId: null,
      parentAgentId: null,
      spawnDepth: null,
    });
    expect(readMeta({ agentType: 'Explore', description: 'look', toolUseId: 't', parentAgentId: 'a', spawnDepth: 2, name: 'later' })).toEqual({
      agentType: 'Explore',
      description: 'look',
      toolUseId: 't',
      parentAgentId: 'a',
      spawnDepth: 2,
    });
  });

  test('[FILE-1] fields of another type count as absent, and what is no object is no meta', () => {
    const nothing = { agentType: null, description: null, toolUseId: null, parentAgentId: null, spawnDepth: null };
    expect(readMeta({ agentType: 1, description: [], toolUseId: {}, parentAgentId: false, spawnDepth: '2' })).toEqual(nothing);
    expect([readMeta(undefined), readMeta(null), readMeta([]), readMeta('x'), readMeta(1)]).toEqual([null, null, null, null, null]);
  });

  test('[FILE-1] no JSON makes reading it throw', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const meta = readMeta(value);
        expect(meta === null || Object.keys(meta).length === 5).toBe(true);
      }),
    );
  });
});

import { EVENT_TYPES } from '@yarnboard/domain';
import type { JsonObject } from '@yarnboard/transcript';
import { expect, test } from 'vitest';
import { decidedTextOf } from '../src/search/decided-text.ts';
import { recordTextOf, sourceRecordOf, sourceTextOf } from '../src/search/source.ts';

const WRITTEN: readonly (readonly [string, JsonObject, readonly string[]])[] = [
  ['chat.message', { content: 'hello', role: 'user', exchange: 'EXCH-1' }, ['hello']],
  ['sidebar.spawned', { task: 'why', successCriteria: 'because', coordinator: 'human', tags: ['x'] }, ['why', 'because']],
  ['sidebar.spawned', { task: 'why', successCriteria: null }, ['why']],
  ['sidebar.tested', { description: 'tried', result: 'held', findings: ['F-1'] }, ['tried', 'held']],
  ['merge.refused', { reason: 'not convincing' }, ['not convincing']],
  ['sidebar.archived', { reason: 'completed', summary: 'all told', note: 'ask Ben' }, ['all told', 'ask Ben']],
  ['memory.merged', { sidebarId: 'knot', text: 'what was found', citations: ['CITE-1'] }, ['what was found']],
  ['finding.submitted', { number: 1, content: 'it breaks', relevanceToTask: 'explains it' }, ['it breaks', 'explains it']],
  ['finding.validated', { finding: 'F-1', status: 'rejected', notes: 'no evidence' }, ['no evidence']],
  ['finding.annotated', { finding: 'F-1', note: 'see also' }, ['see also']],
  ['checkpoint.created', { summary: 'so far', findings: ['F-1'] }, ['so far']],
  [
    'citation.created',
    { source: { kind: 'file', path: 'src/loom.ts', hash: 'ab' }, content: 'a line', note: 'why' },
    ['a line', 'why', 'src/loom.ts'],
  ],
  [
    'citation.created',
    { source: { kind: 'external', url: 'https://loom.example', title: 'Looms' }, content: null },
    ['Looms', 'https://loom.example'],
  ],
  ['citation.created', { source: { kind: 'reference', ref: 'MSG-4' } }, []],
  [
    'gold.created',
    { keyInsight: 'dry', reusePattern: 'soak', triggerConditions: ['cracks', 'breaks'], confidence: 1 },
    ['dry', 'soak', 'cracks', 'breaks'],
  ],
  ['sidebar.proposed', { number: 1, proposal: { action: 'fail', reason: 'it is stuck' } }, ['it is stuck']],
  ['sidebar.proposed', { number: 2, proposal: { action: 'archive', note: 'done', tags: [] } }, ['done']],
  ['proposal.answered', { proposal: 'id', isAccepted: false, reason: 'not yet' }, ['not yet']],
  ['media.uploaded', { mediaType: 'image', filePath: 'reeds.png', content: 'AAAA' }, ['reeds.png']],
  ['claim.noted', { exchange: 'EXCH-1', words: 'the loom is idle' }, ['the loom is idle']],
  ['episodic.archived', { content: 'the loom was dry', trigger: 'manual', note: 'it comes up often' }, ['the loom was dry', 'it comes up often']],
  ['confidence.set', { about: 'MSG-1', confidence: 0.4, reason: 'it was long ago' }, ['it was long ago']],
  ['claim.verified', { claim: 'id', notes: 'I looked' }, ['I looked']],
  ['claim.settled', { claim: 'id', exchange: 'EXCH-1', notes: 'it is down' }, ['it is down']],
  ['validation.overruled', { claim: 'id', verification: 'confirmed', reason: 'the loom is on' }, ['the loom is on']],
  ['automerge.faulted', { sidebarId: 'id', kind: 'reported', notes: 'the loom was off' }, ['the loom was off']],
  ['agent.joined', { role: 'member', note: 'please help' }, ['please help']],
  ['recruitment.requested', { agent: 'AGENT-ada', note: 'please' }, ['please']],
  ['recruitment.declined', { agent: 'AGENT-ada', note: 'not now' }, ['not now']],
];

test.each(WRITTEN)('[STORE-28] of %s %j what was written counts', (type, payload, texts) => {
  expect(decidedTextOf(type, payload)).toBe(texts.join('\n'));
});

test('[STORE-28] kinds in which nobody writes have no text, and neither has a payload of another shape', () => {
  const written = new Set(WRITTEN.map(([type]) => type));
  const others = EVENT_TYPES.filter((type) => !written.has(type));
  expect(others.length).toBeGreaterThan(20);
  for (const type of [...others, 'constructor', 'unknown']) expect(decidedTextOf(type, { content: 'x', note: 'x', text: 'x', reason: 'x' })).toBe('');
  expect(decidedTextOf('chat.message', { content: { text: 'x' } })).toBe('');
  expect(decidedTextOf('citation.created', { source: 'src/loom.ts', content: 4 })).toBe('');
  expect(decidedTextOf('gold.created', { triggerConditions: [1, null, 'cracks', ''] })).toBe('cracks');
});

test('[STORE-28] a payload that cannot be read has no text, though a line that cannot be read has', () => {
  const source = { note: null, copyOf: null };
  expect(sourceTextOf({ ...source, type: 'chat.message' }, Buffer.from('{"content')).text).toBe('');
  expect(sourceTextOf({ ...source, type: 'transcript.line' }, Buffer.from('{"content')).text).toBe('{"content');
});

test('[STORE-28] a note does not keep a decided entry from being read, as it does a damaged line and never a companion', () => {
  const bytes = Buffer.from('{"content":"reeds"}');
  expect(sourceRecordOf({ type: 'chat.message', note: 'noted' }, bytes)).toEqual({ content: 'reeds' });
  expect(sourceRecordOf({ type: 'transcript.line', note: 'no JSON' }, bytes)).toBeNull();
  expect(sourceRecordOf({ type: 'transcript.companion', note: 'out.json' }, bytes)).toBeNull();
  expect([recordTextOf('chat.message', { content: 'a', role: 'b' }), recordTextOf('transcript.line', { content: 'a' })]).toEqual(['a', 'a']);
});

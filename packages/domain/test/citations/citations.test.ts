import { describe, expect, test } from 'vitest';
import { provisionalAmong, rowsOf, type CitationSource } from '../../src/index.ts';
import { given, payloadsOf, type Stage } from '../board/given.ts';

const cited = (stage: Stage, source: CitationSource, more: object = {}) => stage.does({ type: 'citation.create', source, ...more }, { by: 'ada' });
const code = (stage: Stage, source: CitationSource, more: object = {}) => stage.code({ type: 'citation.create', source, ...more });
const FILE = { kind: 'file', path: 'src/login.ts', hash: 'a3b2', from: 10, to: 20 } as const;
const PAGE = { kind: 'external', url: 'https://example.org/', title: null } as const;

describe('a citation', () => {
  test('[CITE-1] points at a reference, lines of a file, or something outside, from a sidebar or from nowhere', () => {
    const stage = given();
    const sidebar = stage.spawns();
    expect(cited(stage, { kind: 'reference', ref: 'sb-1' }, { sidebar, relevance: 0.5, content: 'this', note: 'why' })[0]).toMatchObject({
      refs: ['CITE-1'],
      contextId: stage.sidebar(sidebar).contextId,
      payload: { source: { kind: 'reference', ref: 'SB-1' }, content: 'this', relevance: 0.5, note: 'why' },
    });
    expect([cited(stage, FILE)[0], cited(stage, PAGE)[0]]).toMatchObject([
      { refs: ['CITE-2'], contextId: 'board', payload: { source: FILE } },
      { refs: ['CITE-3'], payload: { source: PAGE, content: null, relevance: null, note: null } },
    ]);
    expect(stage.sidebar(sidebar).citations).toEqual([stage.world.board.ids.get('CITE-1')]);
    expect(code(stage, PAGE, { relevance: 1.5 })).toBe('bad-request');
  });

  test('[CITE-2] a reference is printed as it is always printed; one that is malformed or stands for nothing is refused', () => {
    const stage = given();
    const sidebar = stage.spawns();
    stage.submits(sidebar, 'the cache is cold');
    cited(stage, FILE);
    const known = ['SB-1', 'SCRATCH-SB-1', 'scratch-1:finding-1', 'FRAG-1', 'AGENT-ada', 'AGENT-operator', 'FILE-A3B2'];
    expect(known.map((ref) => payloadsOf(cited(stage, { kind: 'reference', ref }), 'citation.created'))).toMatchObject(
      ['SB-1', 'SCRATCH-1', 'SCRATCH-1:FINDING-1', 'FRAG-1', 'AGENT-ada', 'AGENT-operator', 'FILE-a3b2'].map((ref) => [{ source: { ref } }]),
    );
    const unknown = [
      'SB-9',
      'SCRATCH-9',
      'SCRATCH-1:FINDING-2',
      'FRAG-9',
      'AGENT-dan',
      'MSG-1',
      'GOLD-1',
      'MEDIA-1',
      'EXCH-1',
      'FILE-ffff',
      'nonsense',
      '',
    ];
    expect(unknown.map((ref) => code(stage, { kind: 'reference', ref }))).toEqual(unknown.map(() => 'bad-reference'));
    expect(stage.refuses({ type: 'citation.create', source: { kind: 'reference', ref: 'SB-9' } })).toMatchObject({
      reason: 'unknown-reference',
      facts: { ref: 'SB-9' },
    });
    expect(stage.refuses({ type: 'citation.create', source: { kind: 'reference', ref: 'SB-x' } })).toMatchObject({
      reason: 'not-a-reference',
      facts: { asked: 'SB-x', why: 'bad-number', wanted: 'SB-12' },
    });
  });

  test('[CITE-3] lines of a file count from 1 and are in order; a hash is hexadecimal', () => {
    const stage = given();
    const wrong = [{ from: 0 }, { from: 1.5 }, { to: 5 }, { from: null }, { to: 10.5 }, { hash: 'xyz1' }, { path: ' ' }];
    expect(wrong.map((more) => code(stage, { ...FILE, ...more }))).toEqual(wrong.map(() => 'bad-request'));
    expect(cited(stage, { ...FILE, hash: null, from: null, to: null }).length).toBe(1);
  });

  test('[CITE-4] references in what is said are citations, too, when they stand for something', () => {
    const stage = given();
    const sidebar = stage.spawns();
    stage.golds();
    expect(payloadsOf(stage.does({ type: 'chat.say', sidebar, content: 'GOLD-1 again, as in SB-1, not GOLD-7' }), 'chat.message')).toMatchObject([
      { citations: ['GOLD-1', 'SB-1'] },
    ]);
  });

  test('[CITE-5] what is outside has a title or an address that is safe to open', () => {
    const stage = given();
    const outside = (url: string | null, title: string | null) => ({ kind: 'external', url, title }) as const;
    expect(cited(stage, outside(null, 'A book')).length).toBe(1);
    const wrong = [
      outside(null, null),
      outside('', ' '),
      outside('javascript:alert(1)', 'x'),
      outside('file:///etc/passwd', null),
      outside('example.org', null),
    ];
    expect(wrong.map((source) => code(stage, source))).toEqual(wrong.map(() => 'bad-request'));
  });

  test('[CITE-6] what is cited although it may still be taken back is told', () => {
    const stage = given();
    const sidebar = stage.spawns();
    stage.confirms(sidebar, 'the cache is cold');
    stage.submits(sidebar, 'something pending');
    const gold = stage.golds({ sidebar });
    const refs = ['SCRATCH-1:FINDING-1', 'FRAG-2', gold, 'SB-1', 'SCRATCH-1'];
    const provisional = () => provisionalAmong(stage.world.board, refs);
    expect(provisional()).toEqual(['SCRATCH-1:FINDING-1', 'FRAG-2', gold]);
    stage.does({ type: 'gold.validate', gold, status: 'confirmed' });
    stage.does({ type: 'sidebar.archive', sidebar });
    expect(provisional()).toEqual(['FRAG-2']);
  });
});

describe('media', () => {
  const upload = { type: 'media.upload', sidebar: 'SB-1', mediaType: 'image', filePath: 'shot.png', content: 'aGk=' } as const;

  test('[MEDIA-1] the bytes are on the log, with who sent them where and in answer to what; what they are follows at once', () => {
    const stage = given();
    stage.spawns();
    stage.does({ type: 'chat.say', sidebar: 'SB-1', content: 'show me' });
    const events = stage.does({ ...upload, inResponseTo: 'MSG-1', found: { size: 2, mime: 'image/png', sha256: 'ab' } }, { by: 'ada' });
    expect(events).toMatchObject([
      {
        type: 'media.uploaded',
        refs: ['MEDIA-1'],
        payload: { mediaType: 'image', filePath: 'shot.png', fileSize: 2, inResponseTo: 'MSG-1', content: 'aGk=' },
      },
      { type: 'media.processed', by: { id: 'system' }, payload: { mime: 'image/png', sha256: 'ab' } },
    ]);
    const [medium] = rowsOf(stage.world.board.media);
    expect(medium).toEqual({
      id: events[0]?.uuid,
      ref: 'MEDIA-1',
      mediaType: 'image',
      filePath: 'shot.png',
      fileSize: 2,
      state: 'complete',
      mime: 'image/png',
      sha256: 'ab',
      why: null,
      uploadedDuring: stage.sidebar('SB-1').contextId,
      inResponseTo: 'MSG-1',
      uploadedBy: 'AGENT-ada',
      uploadedAt: stage.world.now(),
      position: events[0]?.position,
    });
    expect(stage.sidebar('SB-1').media).toEqual([medium?.id]);
    expect(stage.code({ ...upload, inResponseTo: 'MSG-9', found: { why: 'x' } })).toBe('bad-reference');
  });

  test('[MEDIA-2] what could not be read is kept, and said to have failed', () => {
    const stage = given();
    stage.spawns();
    expect(stage.doesKinds({ ...upload, found: { why: 'no image' } })).toEqual(['media.uploaded', 'media.failed']);
    expect(rowsOf(stage.world.board.media)).toMatchObject([{ state: 'failed', why: 'no image', mime: null }]);
  });
});

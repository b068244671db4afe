import { describe, expect, test } from 'vitest';
import { mentionedIn } from '../../src/sidebar/talk.ts';
import { given, payloadsOf, type Stage } from '../board/given.ts';

const said = (stage: Stage, content: string, more: object = {}, by = 'ada') =>
  stage.does({ type: 'chat.say', sidebar: 'SB-1', content, ...more }, { by });

describe('what is said', () => {
  test('[TALK-1] is kept word for word, with what it cites, attaches, and how sure one is', () => {
    const stage = given();
    const sidebar = stage.spawns();
    stage.does({
      type: 'media.upload',
      sidebar,
      mediaType: 'image',
      filePath: 'a.png',
      content: 'aGk=',
      found: { size: 2, mime: 'image/png', sha256: 'ab' },
    });
    stage.does({ type: 'citation.create', source: { kind: 'file', path: 'a.ts', hash: 'a3b2', from: null, to: null } });
    const content = '  It is SB-1, not SB-77.\n';
    const [event] = said(stage, content, { citations: ['file-A3B2:10'], media: ['media-1'], confidence: 0.4 });
    expect(event).toMatchObject({
      type: 'chat.message',
      refs: ['MSG-1', 'EXCH-1'],
      by: { id: 'AGENT-ada' },
      payload: {
        content,
        role: 'assistant',
        citations: ['FILE-a3b2:10', 'SB-1'],
        media: ['MEDIA-1'],
        confidence: 0.4,
        inReplyTo: null,
        exchange: null,
      },
    });
    expect(payloadsOf(said(stage, 'hello', {}, 'operator'), 'chat.message')).toMatchObject([{ role: 'user' }]);
    const code = (more: object) => stage.code({ type: 'chat.say', sidebar, content: 'x', ...more });
    expect([code({ confidence: 2 }), code({ citations: ['MSG-99'] }), code({ citations: ['nonsense'] }), code({ media: ['SB-1'] })]).toEqual([
      'bad-request',
      'bad-reference',
      'bad-reference',
      'bad-reference',
    ]);
  });

  test('[TALK-2] an answer belongs to what was said here; an answer to what was said elsewhere begins something', () => {
    const stage = given();
    stage.spawns();
    const other = stage.spawns();
    said(stage, 'a question');
    expect(said(stage, 'an answer', { inReplyTo: 'msg-1' })[0]).toMatchObject({
      refs: ['MSG-2'],
      payload: { inReplyTo: 'MSG-1', exchange: 'MSG-1' },
    });
    expect(stage.does({ type: 'chat.say', sidebar: other, content: 'from afar', inReplyTo: 'MSG-1' })[0]).toMatchObject({
      refs: ['MSG-3', 'EXCH-2'],
      payload: { inReplyTo: 'MSG-1', exchange: null },
    });
    expect(stage.code({ type: 'chat.say', sidebar: 'SB-1', content: 'x', inReplyTo: 'SB-1' })).toBe('bad-reference');
    expect(stage.code({ type: 'chat.say', sidebar: 'SB-1', content: 'x', inReplyTo: 'MSG-99' })).toBe('bad-reference');
  });

  test('[TALK-3] whoever is mentioned by name is told, wherever they are; not in code, an address or a word', () => {
    const stage = given();
    stage.spawns();
    const events = said(stage, 'please look, @ben and @cyd. and @dan, and @ada');
    expect(payloadsOf(events, 'mention.routed')).toEqual([
      {
        targets: ['AGENT-ben', 'AGENT-cyd'],
        message: 'please look, @ben and @cyd. and @dan, and @ada',
        contextRefs: ['SB-1'],
        priority: 'NORMAL',
        about: events[0]?.uuid,
      },
    ]);
    expect(stage.world.board.notices.get('AGENT-ben')).toMatchObject([{ kind: 'mention', from: 'AGENT-ada', refs: ['MSG-1', 'SB-1'] }]);
    expect(mentionedIn('@human, @a.b-c. mail@ben.org `@ben` ```\n@cyd\n``` x@y @@z /@w')).toEqual(['AGENT-operator', 'AGENT-a.b-c']);
    expect(said(stage, 'nobody here').map(({ type }) => type)).toEqual(['chat.message']);
  });

  test('[TALK-4] a mention can also be sent by itself, from a sidebar or from nowhere', () => {
    const stage = given();
    const sidebar = stage.spawns({ priority: 'HIGH' });
    const route = { type: 'mention.route', targets: ['ben', 'AGENT-ben'], message: 'look', contextRefs: ['sb-1'] } as const;
    expect(stage.does({ ...route, sidebar })[0]).toMatchObject({
      contextId: stage.sidebar(sidebar).contextId,
      payload: { targets: ['AGENT-ben'], message: 'look', contextRefs: ['SB-1'], priority: 'HIGH', about: null },
    });
    expect(stage.does(route, { by: 'cyd' })[0]).toMatchObject({ contextId: 'board', payload: { priority: 'NORMAL' } });
    expect(stage.code({ ...route, sidebar }, { by: 'cyd' })).toBe('not-participant');
    expect(stage.code({ ...route, targets: [] })).toBe('bad-request');
    expect(stage.code({ ...route, targets: ['dan'] })).toBe('not-found');
  });
});

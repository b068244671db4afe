import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CommandOf } from '../../src/index.ts';
import { given, type Stage } from './given.ts';

type Change = Omit<CommandOf<'session.label'>, 'type' | 'session'>;

const label = (change: Change, session = 'weaving'): CommandOf<'session.label'> => ({ type: 'session.label', session, ...change });
const labels = ({ world }: Stage, session = 'weaving') => world.board.sessionLabels.get(session);

describe('labels of sessions', () => {
  test('[LABEL-1] what is left out stays as it is; null or nothing takes a name or a note away', () => {
    const stage = given();
    stage.does(label({ isPinned: true, name: ' The second sleeve ', tags: [' later', 'loom', 'later', ' '] }));
    stage.does(label({ note: 'Ask ada about the warp', isHidden: true }));
    expect(labels(stage)).toEqual({
      sessionId: 'weaving',
      isPinned: true,
      isHidden: true,
      name: 'The second sleeve',
      note: 'Ask ada about the warp',
      tags: ['later', 'loom'],
    });
    const [event] = stage.does(label({ name: null, note: '  ', isHidden: false }));
    expect(event?.payload).toEqual({ sessionId: 'weaving', name: null, note: null, isHidden: false });
    expect(labels(stage)).toMatchObject({ isPinned: true, isHidden: false, name: null, note: null, tags: ['later', 'loom'] });
    expect(labels(stage, 'another')).toBeUndefined();
  });

  test('[LABEL-2] only the operator labels sessions; what changes nothing, and what is too long, is refused', () => {
    const stage = given();
    expect(stage.refuses(label({ isPinned: true }), { by: 'ada' })).toMatchObject({ reason: 'operator-only' });
    expect(stage.refuses(label({}))).toMatchObject({ reason: 'nothing-to-change' });
    expect(stage.refuses(label({ isPinned: false, name: '', tags: [] }))).toMatchObject({ reason: 'nothing-to-change' });
    expect(stage.refuses(label({ name: 'x'.repeat(301) }))).toMatchObject({ reason: 'too-long' });
    expect(stage.refuses(label({ note: 'x'.repeat(4001) }))).toMatchObject({ reason: 'too-long' });
    expect(stage.refuses(label({ tags: Array.from({ length: 51 }, (_, n) => `${n}`) }))).toMatchObject({ reason: 'too-many-entries' });
    stage.does(label({ isPinned: true }));
    expect(stage.refuses(label({ isPinned: true }))).toMatchObject({ reason: 'nothing-to-change' });
  });

  test('[LABEL-3] whatever is changed in whichever order, the latest of each counts', () => {
    const change = fc.record<Change>(
      {
        isPinned: fc.boolean(),
        isHidden: fc.boolean(),
        name: fc.constantFrom(null, 'one', 'two'),
        note: fc.constantFrom(null, 'a', 'b'),
        tags: fc.constantFrom([], ['x'], ['x', 'y']),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.array(change, { maxLength: 12 }), (changes) => {
        const stage = given();
        const told: { -readonly [K in keyof Change]: Change[K] } = { isPinned: false, isHidden: false, name: null, note: null, tags: [] };
        for (const one of changes) {
          const isNews = Object.entries(one).some(([key, value]) => JSON.stringify(value) !== JSON.stringify(told[key as keyof Change])); // its own keys
          if (isNews) stage.does(label(one));
          else stage.refuses(label(one));
          Object.assign(told, one);
        }
        expect(labels(stage) ?? { sessionId: 'weaving', isPinned: false, isHidden: false, name: null, note: null, tags: [] }).toEqual({
          sessionId: 'weaving',
          ...told,
        });
      }),
    );
  });
});

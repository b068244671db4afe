import { describe, expect, test } from 'vitest';
import { blockedAmong, COMMANDS, WHILE_AWAY, type Happening } from '../../src/index.ts';

const happening = (type: string, payload: object): Happening => ({ type, payload }) as unknown as Happening; // only these two are looked at

describe('what becomes of a command while the log is away', () => {
  test('[REC-54] is said of every command: talk and judgement wait, what begins, ends or lets somebody in is refused', () => {
    expect(Object.keys(WHILE_AWAY).toSorted()).toEqual(Object.keys(COMMANDS).toSorted());
    const queued = [
      'chat.say',
      'mention.route',
      'media.upload',
      'citation.create',
      'finding.submit',
      'finding.validate',
      'finding.annotate',
    ] as const;
    const blocked = [
      'sidebar.spawn',
      'sidebar.spawn-child',
      'sidebar.fork',
      'sidebar.merge',
      'sidebar.archive',
      'agent.recruit',
      'agent.register',
      'seat.call',
    ] as const;
    for (const type of queued) expect([type, WHILE_AWAY[type]]).toEqual([type, 'queued']);
    for (const type of blocked) expect([type, WHILE_AWAY[type]]).toEqual([type, 'blocked']);
  });

  test('[REC-55] a command is refused as well when what follows from it must not happen', () => {
    expect(blockedAmong([happening('chat.message', {})])).toBeNull();
    expect(blockedAmong([happening('sidebar.moved', { to: 'PAUSED' })])).toBeNull();
    expect(blockedAmong([happening('sidebar.moved', { to: 'FAILED' })])).toBe('sidebar.moved');
    expect(blockedAmong([happening('merge.checked', {}), happening('sidebar.merged', {})])).toBe('sidebar.merged');
    expect(blockedAmong([happening('agent.changed', { specialties: [] })])).toBeNull();
    expect(blockedAmong([happening('agent.changed', { tokenHash: 'x' })])).toBe('agent.changed');
  });
});

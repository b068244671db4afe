import type { EmergencyNews, RecoveryNews } from '@yarnboard/protocol';
import { describe, expect, test } from 'vitest';
import { standingOf } from '../../src/shared/standing.ts';

const EMERGENCY: EmergencyNews = {
  state: 'emergency',
  reason: 'working_memory_down',
  servicesDown: ['working_memory'],
  since: '2026-03-14T12:00:00.000Z',
  pendingWrites: 3,
  settledWrites: 0,
  conflicts: 0,
  places: ['home', 'sqlite'],
  blocked: ['sidebar_spawn'],
  message: 'Working memory service down, operating in cached mode: no space left on device',
};
const RECOVERY: RecoveryNews = {
  state: 'RECOVERY_NEEDED',
  severity: 'warning',
  message: '',
  details: [],
  recommendation: '',
  actions: [],
  openWrites: 2,
};
const FAILING = [{ name: 'search', effect: 'Search doesn’t find new entries', why: 'disk', remedy: '', since: '2026-03-14T11:00:00.000Z' }];

describe('how it stands with the server', () => {
  test('[PAGE-430] is told by word, since when, and what it means; nothing while all is well', () => {
    expect(standingOf(null, null, [])).toBeNull();
    expect(standingOf(EMERGENCY, null, [])).toEqual({
      kind: 'emergency',
      word: 'Emergency',
      since: EMERGENCY.since,
      text: 'The log is unavailable (no space left on device). 3 queued, stored in the home folder, SQLite.',
    });
    expect(standingOf({ ...EMERGENCY, state: 'resuming', settledWrites: 1, pendingWrites: 2 }, null, [])).toMatchObject({
      kind: 'resuming',
      text: 'The log is back. 1 of 3 queued items settled.',
    });
    expect(standingOf({ ...EMERGENCY, state: 'degraded', message: 'A write failed and is tried again: locked' }, null, [])).toMatchObject({
      kind: 'degraded',
      text: 'A write to the log failed and is being retried (locked).',
    });
    expect(standingOf(null, null, FAILING)).toMatchObject({ kind: 'degraded', since: FAILING[0]?.since, text: 'Search doesn’t find new entries.' });
    expect(standingOf(null, RECOVERY, [])).toMatchObject({ kind: 'recovery', text: 'Previous session crashed. Recovery audit required.' });
    expect(standingOf(null, { ...RECOVERY, state: 'CLEAN' }, [])).toMatchObject({ kind: 'conflicts' });
    expect(standingOf(null, { ...RECOVERY, state: 'AUDIT_RECOMMENDED', openWrites: 0 }, [])).toMatchObject({
      kind: 'audit',
      text: 'Unclean shutdown detected. Quick audit recommended.',
    });
  });

  test('[PAGE-430] of several, the worst is told', () => {
    expect(standingOf(EMERGENCY, RECOVERY, FAILING)?.kind).toBe('emergency');
    expect(standingOf({ ...EMERGENCY, state: 'degraded' }, RECOVERY, FAILING)?.kind).toBe('recovery');
    expect(standingOf(null, { ...RECOVERY, state: 'CLEAN' }, FAILING)?.kind).toBe('degraded');
    // What search leaves out for good is no outage.
    const lasting = [{ name: 'search', effect: '', why: '', remedy: '', since: null }];
    expect(standingOf(null, null, lasting)).toBeNull();
  });
});

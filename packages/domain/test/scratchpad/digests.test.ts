import { describe, expect, test } from 'vitest';
import { given } from '../board/given.ts';

describe('what is compared', () => {
  test('[PAD-16] is how a finding begins', () => {
    const stage = given();
    const sidebar = stage.spawns();
    const filler = `${'w'.repeat(3990)}. `;
    stage.submits(sidebar, 'the timeout is 30 seconds');
    stage.submits(sidebar, `${filler}The timeout is 90 seconds`);
    expect(stage.sidebar(sidebar).scratchpad.conflicts).toEqual([]);
    stage.submits(sidebar, `The timeout is 90 seconds. ${filler}`);
    expect(stage.sidebar(sidebar).scratchpad.conflicts.length).toBe(1);
  });

  test('[PAD-16] is the latest of very much', () => {
    const stage = given();
    const [short, long] = [stage.spawns(), stage.spawns()];
    const filler = 'w'.repeat(4000);
    for (const [sidebar, count] of [
      [short, 99],
      [long, 100],
    ] as const) {
      stage.submits(sidebar, 'the timeout is 30 seconds');
      for (let n = 0; n < count; n += 1) stage.submits(sidebar, filler);
      stage.submits(sidebar, 'the timeout is 90 seconds');
    }
    expect([short, long].map((sidebar) => stage.sidebar(sidebar).scratchpad.conflicts.length)).toEqual([1, 0]);
  });
});

import { expect, test } from 'vitest';
import { AGENT, openEngine, register, say, spawn } from './bench.ts';

test('[TALK-6] whoever mistypes a name is told the nearest ones; what is like no name is a word', async () => {
  const bench = await openEngine();
  await bench.run(register('scout'));
  await bench.run(register('retired'));
  await bench.run({ type: 'agent.retire', agent: 'retired' });
  await bench.run({ type: 'agent.presence', agent: 'scout', status: 'available' }, { actor: AGENT });
  await bench.run(spawn('find out', { participants: ['scout'] }));
  const warningsAt = async (content: string): Promise<readonly string[]> => (await bench.run(say('SB-1', content))).warnings;
  expect(await warningsAt('@scuot please look')).toEqual(['there is no @scuot on this board, so no one was notified; did you mean @scout?']);
  for (const fine of ['@scout please look', '@operator too', 'write to scuot', 'see `@scuot`', '@decorators are fine', '@retred is gone']) {
    expect([fine, await warningsAt(fine)]).toEqual([fine, []]);
  }
});

test('[LOAD-13] whoever mentions somebody who is away, or does not take part, is warned', async () => {
  const bench = await openEngine();
  await bench.run(register('scout'));
  await bench.run(spawn());
  const warningsAt = async (content: string): Promise<readonly string[]> => (await bench.run(say('SB-1', content))).warnings;
  const isOut = 'AGENT-scout was told, and does not take part in SB-1: recruit it if it should';
  expect(await warningsAt('@scout please look')).toEqual(['AGENT-scout is offline and will find this in its inbox', isOut]);
  await bench.run({ type: 'agent.presence', agent: 'scout', status: 'available' }, { actor: AGENT });
  expect(await warningsAt('@scout please look')).toEqual([isOut]);
  await bench.run({ type: 'agent.recruit', sidebar: 'SB-1', agent: 'scout' });
  expect(await warningsAt('@scout please look')).toEqual([]);
});

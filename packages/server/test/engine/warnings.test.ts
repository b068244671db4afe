import { expect, test } from 'vitest';
import { openEngine, register, say, spawn } from './bench.ts';

test('[TALK-6] whoever mistypes a name is told the nearest ones; what is like no name is a word', async () => {
  const bench = await openEngine();
  await bench.run(register('scout'));
  await bench.run(register('retired'));
  await bench.run({ type: 'agent.retire', agent: 'retired' });
  await bench.run(spawn());
  const warningsAt = async (content: string): Promise<readonly string[]> => (await bench.run(say('SB-1', content))).warnings;
  expect(await warningsAt('@scuot please look')).toEqual(['there is no @scuot on this board, and nobody was told; did you mean @scout?']);
  for (const fine of ['@scout please look', '@operator too', 'write to scuot', 'see `@scuot`', '@decorators are fine', '@retred is gone']) {
    expect([fine, await warningsAt(fine)]).toEqual([fine, []]);
  }
});

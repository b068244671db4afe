import { decide, NO_LANGUAGE, OPERATOR, rowsOf, type Actor, type Board, type Command } from '@yarnboard/domain';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFindingVerdicts } from '../../../src/features/scratchpad/finding-verdicts.ts';
import { playFrom } from '../../live/board-stage.ts';

const isAllowed = (board: Board, actor: Actor, command: Command): boolean =>
  decide(board, command, { now: 1, actor, newId: () => 'x', refs: new Map(), isInherited: () => false, surfacings: () => [], language: NO_LANGUAGE })
    .ok;

test('[PAGE-145] what is known of a finding is what the domain would say now, whatever has happened since it was asked', () => {
  let looked = 0;
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000_000 }), (seed) => {
      const { world, step } = playFrom(seed, 40);
      const asked = new Map<string, ReturnType<typeof createFindingVerdicts>>();
      for (let n = 0; n < 40; n += 1) {
        step();
        const actors = [OPERATOR, ...rowsOf(world.board.agents).map(({ id, kind }): Actor => ({ id, type: kind }))];
        for (const sidebar of rowsOf(world.board.sidebars)) {
          for (const actor of actors) {
            const key = `${sidebar.id}/${actor.id}`;
            const verdicts = asked.get(key) ?? createFindingVerdicts();
            asked.set(key, verdicts);
            const verdictOn = verdicts(world.board, sidebar.id, actor, 1);
            const { findings } = sidebar.scratchpad;
            looked += findings.length;
            const about = (finding: string) => ({ sidebar: sidebar.id, finding });
            expect(findings.map(verdictOn)).toEqual(
              findings.map(({ id }) => ({
                canJudge: isAllowed(world.board, actor, { type: 'finding.validate', ...about(id), status: 'pending', notes: '…' }),
                canAnnotate: isAllowed(world.board, actor, { type: 'finding.annotate', ...about(id), note: '…' }),
              })),
            );
          }
        }
      }
    }),
    { numRuns: 8 },
  );
  expect(looked).toBeGreaterThan(100);
});

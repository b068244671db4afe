import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertNever, definitionOf, emptyBoard, evolve, readEvent, rowsOf, type Command, type Episode, type Recorded } from '../../src/index.ts';
import { given, type Stage } from '../board/given.ts';
import { actorOf } from '../board/world.ts';

type Step =
  'submit' | 'confirm' | 'reject' | 'doubt' | 'revise' | 'checkpoint' | 'gold' | 'judge-gold' | 'keep' | 'finalise' | 'pause' | 'end' | 'stale';

const anyStep = fc.record({
  what: fc.constantFrom<Step>(
    'submit',
    'submit',
    'confirm',
    'confirm',
    'reject',
    'doubt',
    'revise',
    'checkpoint',
    'gold',
    'judge-gold',
    'keep',
    'finalise',
    'pause',
    'end',
    'stale',
  ),
  which: fc.integer({ min: 1, max: 6 }),
});

/** What every event says of how episodes stand, told apart from the board: read from the log alone. */
const foldedApart = (log: readonly Recorded[]): ReadonlyMap<string, { isProvisional: boolean; by: string | null; isSuperseded: boolean }> => {
  const rows = new Map<string, { isProvisional: boolean; by: string | null; isSuperseded: boolean }>();
  for (const { type, payload, uuid } of log) {
    if (type === 'episodic.archived') {
      rows.set(uuid, { isProvisional: payload.isProvisional, by: null, isSuperseded: false });
      if (payload.supersedes !== null) rows.set(payload.supersedes, { isProvisional: false, by: uuid, isSuperseded: true });
    }
    if (type === 'episodic.finalised') rows.set(payload.episode, { isProvisional: false, by: null, isSuperseded: false });
    if (type === 'episodic.superseded') rows.set(payload.episode, { isProvisional: false, by: payload.by, isSuperseded: true });
  }
  return rows;
};

const commandFor = (stage: Stage, { what, which }: { readonly what: Step; readonly which: number }): Command => {
  const sidebar = 'SB-1';
  const finding = `FINDING-${which}`;
  switch (what) {
    case 'submit':
      return { type: 'finding.submit', sidebar, content: `finding about thing ${stage.world.log.length}` };
    case 'revise':
      return { type: 'finding.submit', sidebar, content: `revision ${stage.world.log.length}`, supersedes: finding };
    case 'confirm':
      return { type: 'finding.validate', sidebar, finding, status: 'confirmed' };
    case 'reject':
      return { type: 'finding.validate', sidebar, finding, status: 'rejected', notes: 'no' };
    case 'doubt':
      return { type: 'finding.validate', sidebar, finding, status: 'pending' };
    case 'checkpoint':
      return { type: 'checkpoint.create', sidebar, summary: 'so far' };
    case 'gold':
      return {
        type: 'gold.create',
        sidebar,
        sourceRefs: [which <= stage.sidebar(sidebar).scratchpad.findings.length ? `SCRATCH-1:${finding}` : sidebar],
        keyInsight: 'an insight',
        reusePattern: 'p',
        triggerConditions: ['t'],
      };
    case 'judge-gold':
      return { type: 'gold.validate', gold: `GOLD-${which}`, status: which % 2 === 0 ? 'rejected' : 'confirmed', notes: 'seen' };
    case 'keep':
      return { type: 'memory.archive', refs: [which > 3 ? 'EXCH-1' : `SCRATCH-1:${finding}`] };
    case 'finalise':
      return { type: 'memory.finalise', episodes: [`SB-1:EPISODE-${which}`] };
    case 'pause':
      return { type: 'sidebar.pause', sidebar, reason: 'later' };
    case 'end':
    case 'stale':
      return { type: 'sidebar.archive', sidebar };
    default:
      return assertNever(what);
  }
};

test('[EPI-14] after any order of checkpoints, revisions, GOLD and ends, episodes are what the whole log says', () => {
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 40 }), (steps) => {
      const stage = given();
      const sidebar = stage.spawns();
      stage.does({ type: 'chat.say', sidebar, content: 'hello' }, { by: 'ada' });
      for (const step of steps) {
        const isAgents = step.what === 'submit' || step.what === 'revise' || (step.what === 'keep' && step.which % 2 === 0);
        const by = step.what === 'stale' ? 'system' : isAgents ? 'ada' : 'operator';
        const facts = step.what === 'stale' ? { isStale: true } : {};
        stage.world.perform(commandFor(stage, step), actorOf(by), facts);
      }
      const { board, log } = stage.world;
      const anew = emptyBoard();
      for (const event of log) {
        const { version } = definitionOf(event.type);
        const read = readEvent({ type: event.type, version, payload: JSON.parse(JSON.stringify(event.payload)) as unknown });
        expect(read).toMatchObject({ ok: true });
        if (read.ok) evolve(anew, { ...event, payload: read.value.payload } as Recorded); // as the log has it
      }
      expect(rowsOf(anew.episodes)).toEqual(rowsOf(board.episodes));
      const apart = foldedApart(log);
      const all = rowsOf(board.episodes);
      expect(all.map(({ id, isProvisional, supersededBy, isSuperseded }) => [id, { isProvisional, by: supersededBy, isSuperseded }])).toEqual([
        ...apart,
      ]);
      judge(stage, all);
    }),
    { numRuns: 200 },
  );
});

/** What holds of every board, whatever was done. */
const judge = (stage: Stage, all: readonly Episode[]): void => {
  const { scratchpad, status } = stage.sidebar('SB-1');
  const byId = new Map(all.map((episode) => [episode.id, episode]));
  for (const episode of all) {
    expect(episode.isProvisional && (episode.isSuperseded || episode.finalisedAt !== null)).toBe(false);
    // Linked both ways.
    if (episode.supersedes !== null) expect(byId.get(episode.supersedes)?.supersededBy).toBe(episode.id);
    if (episode.supersededBy !== null) expect(byId.get(episode.supersededBy)?.supersedes).toBe(episode.id);
  }
  if (status !== 'ARCHIVED') return;
  const stands = (id: string) => all.filter(({ finding, isSuperseded }) => finding === id && !isSuperseded);
  for (const finding of scratchpad.findings) {
    const isKept = finding.status === 'confirmed' && finding.supersededBy === null;
    expect([finding.id, stands(finding.id).length]).toEqual([finding.id, isKept ? 1 : 0]);
  }
  // Of what was kept by then only a GOLD may wait, for somebody to confirm it or its evidence.
  const end = stage.world.log.find(({ type }) => type === 'sidebar.archived')?.position ?? 0;
  expect(all.filter(({ isProvisional, gold, position }) => isProvisional && gold === null && position < end)).toEqual([]);
  expect(all.filter(({ pointers }) => pointers !== null)).toHaveLength(1);
};

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { createLanguage } from '@yarnboard/language';
import { describe, expect, test } from 'vitest';
import { candidatesFor, emptyBoard, newcomer, OPERATOR, suggestionsFor, type Agent, type Board } from '../../src/index.ts';
import { given, payloadsOf } from '../board/given.ts';

const language = createLanguage({ mask: (text) => text });

type Row = {
  readonly id: string;
  readonly task: string;
  readonly capability: string | null;
  readonly roster: readonly { readonly agent_id: string; readonly specialties: readonly string[] }[];
  readonly best: readonly string[];
  readonly also: readonly string[];
};

const fileOf = (half: string): string => readFileSync(new URL(`../../../../fixtures/labelled/recruiting/${half}.jsonl`, import.meta.url), 'utf8');
const rowsIn = (half: string): readonly Row[] =>
  fileOf(half)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Row); // ours

const rosterOf = (agents: readonly (Pick<Agent, 'id' | 'specialties'> & Partial<Agent>)[]): Board => {
  const board = emptyBoard();
  for (const agent of agents) board.agents.set(agent.id, { ...newcomer(agent.id, 0), kind: 'agent', presence: 'available', ...agent });
  return board;
};

const proposed = ({ task, capability, roster }: Row): readonly string[] => {
  const board = rosterOf(roster.map(({ agent_id: id, specialties }) => ({ id, specialties })));
  const place = { participants: [], task, successCriteria: null, taskType: null };
  const found = capability === null ? suggestionsFor(board, language, place) : candidatesFor(board, language, [capability], place);
  return found.slice(0, 3).map(({ agent }) => agent);
};

const figuresOf = (rows: readonly Row[]): { readonly precision: number; readonly recall: number } => {
  const answers = rows.map((row) => ({ row, top: proposed(row) }));
  const said = answers.filter(({ top }) => top.length > 0);
  const right = said.filter(({ row: { best, also }, top: [first = ''] }) => best.includes(first) || also.includes(first));
  const wanted = answers.filter(({ row }) => row.best.length > 0);
  const found = wanted.filter(({ row, top }) => row.best.some((one) => top.includes(one)));
  return { precision: right.length / said.length, recall: found.length / wanted.length };
};

describe('whom to ask', () => {
  test.each(['tuning', 'frozen'])(
    '[LOAD-16] the first proposed is right four times of five, and the right one among three seven times of ten: %s',
    (half) => {
      const { precision, recall } = figuresOf(rowsIn(half));
      expect({ half, precision: precision >= 0.8, recall: recall >= 0.7, figures: [precision, recall] }).toMatchObject({
        precision: true,
        recall: true,
      });
    },
  );

  test('[LOAD-16] the frozen half is the one that was frozen', () => {
    expect([rowsIn('frozen').length, createHash('sha256').update(fileOf('frozen')).digest('hex')]).toEqual([229, FROZEN]);
  });

  test('[LOAD-14] by specialty, then who is there, who works well with those present, who has less to do, and by name', () => {
    const db = { specialties: ['databases'] };
    const board = rosterOf([
      { id: 'AGENT-near', specialties: ['postgres'] },
      { id: 'AGENT-away', ...db, presence: 'offline' },
      { id: 'AGENT-busy', ...db, presence: 'busy' },
      { id: 'AGENT-zoe', ...db },
      { id: 'AGENT-liked', ...db },
      { id: 'AGENT-mutual', ...db, preferredCollaborators: ['AGENT-here'] },
      { id: 'AGENT-amy', ...db },
      { id: 'AGENT-gone', ...db, isRetired: true },
      { id: 'AGENT-here', ...db, preferredCollaborators: ['AGENT-mutual', 'AGENT-liked'] },
    ]);
    const found = candidatesFor(board, language, ['someone who knows databases'], { participants: ['AGENT-here'] });
    expect(found.map(({ agent }) => agent)).toEqual(['mutual', 'liked', 'amy', 'zoe', 'busy', 'away', 'near'].map((name) => `AGENT-${name}`));
    expect(found[0]?.why).toBe('good at databases; available; works well with those present; 0 seats');
  });

  test('[LOAD-14] the first few are those of everybody in order, and what a list came to once it comes to again', () => {
    const specialties = ['databases', 'postgres', 'gardening', 'caches'];
    const agent = fc.record({
      specialties: fc.subarray(specialties),
      presence: fc.constantFrom('available' as const, 'busy' as const, 'offline' as const),
      preferredCollaborators: fc.subarray(['AGENT-0', 'AGENT-1', 'AGENT-2']),
    });
    fc.assert(
      fc.property(fc.array(agent, { maxLength: 40 }), fc.integer({ min: 1, max: 6 }), fc.subarray(specialties), (agents, most, wanted) => {
        const board = rosterOf(agents.map((one, at) => ({ id: `AGENT-${at}`, ...one })));
        const place = { participants: ['AGENT-0', 'AGENT-1'] };
        const all = candidatesFor(board, language, wanted, place);
        expect(candidatesFor(board, language, wanted, place, { most })).toEqual(all.slice(0, most));
        const free = all.filter(({ availability }) => availability === 'available');
        expect(candidatesFor(board, language, wanted, place, { most, isFree: true })).toEqual(free.slice(0, most));
        expect(candidatesFor(board, createLanguage({ mask: (text) => text }), wanted, place)).toEqual(all);
      }),
    );
  });

  test('[LOAD-14] only those who fit are looked at, however many there are', () => {
    const stage = given();
    for (let n = 0; n < 300; n += 1) {
      const hash = `e${n.toString(16).padStart(63, '0')}`;
      const specialties = [n % 100 === 0 ? 'databases' : `area ${n}`];
      stage.does({ type: 'agent.register', agent: `one${n}`, kind: 'agent', specialties, preferredCollaborators: [], tokenHash: hash });
    }
    const { board } = stage.world;
    const seen: string[] = [];
    const { agents } = board;
    const get = (id: string): Agent | undefined => {
      seen.push(id);
      return agents.get(id);
    };
    const entries = (): never => expect.fail('all agents are walked over');
    const found = candidatesFor({ ...board, agents: { ...agents, get, entries } }, language, ['databases'], { participants: [] });
    expect(found.map(({ agent }) => agent)).toEqual(['AGENT-one0', 'AGENT-one100', 'AGENT-one200']);
    expect(seen).toEqual(found.map(({ agent }) => agent));
  });

  test('[LOAD-14] nobody fits: the refusal names what there is', () => {
    const stage = given();
    stage.does({ type: 'agent.change', agent: 'ada', specialties: ['gardening'] });
    const sidebar = stage.spawns({ participants: [] });
    expect(stage.refuses({ type: 'agent.recruit', sidebar, capability: 'kubernetes' })).toMatchObject({
      code: 'no-match',
      facts: { capability: 'kubernetes', specialties: ['gardening'] },
    });
    const joined = stage.does({ type: 'agent.recruit', sidebar, capability: 'a gardener for gardening' });
    expect(payloadsOf(joined, 'agent.joined')).toMatchObject([{ agent: 'AGENT-ada' }]);
  });

  test('[LOAD-16] at the start and with another task somebody is suggested, with the words that fit, and recruited by nobody', () => {
    const stage = given();
    stage.does({ type: 'agent.change', agent: 'ada', specialties: ['databases'] });
    const events = stage.does({ type: 'sidebar.spawn', origin: { kind: 'none' }, task: 'the query needs an index', participants: ['ben'] });
    expect(payloadsOf(events, 'agent.suggested')).toEqual([{ suggestions: [{ agent: 'AGENT-ada', words: ['query', 'index'] }], to: [OPERATOR.id] }]);
    expect(stage.sidebar('SB-1').participants).not.toContain('AGENT-ada');
    expect(payloadsOf(stage.does({ type: 'sidebar.change', sidebar: 'SB-1', task: 'plant some trees' }), 'agent.suggested')).toEqual([]);
    expect(payloadsOf(stage.does({ type: 'sidebar.change', sidebar: 'SB-1', task: 'deadlock in a transaction' }), 'agent.suggested')).toHaveLength(1);
    expect(payloadsOf(stage.does({ type: 'sidebar.change', sidebar: 'SB-1', priority: 'HIGH' }), 'agent.suggested')).toEqual([]);
  });
});

const FROZEN = '833c3e9b3bcc34f5404f709fb78d5b920b7e358b063c72d38470fdb3eef39c0c';

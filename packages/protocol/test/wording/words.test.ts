import { FAULTS, REASONS, type FactShape, type FactsShape } from '@yarnboard/domain';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  ALL_REASONS,
  DOORS,
  outward,
  REGISTRY,
  reworded,
  toldIn,
  words,
  type Operation,
  type OperationName,
  type Reason,
  type Told,
} from '../../src/index.ts';
import { SERVER_REASONS } from '../../src/wording/refusals.ts';

const REASON_NAMES = Object.keys(ALL_REASONS) as readonly Reason[];
const OPERATIONS = Object.keys(REGISTRY) as readonly OperationName[];

describe('the words of a refusal', () => {
  test('[WORDS-1] the board and the server have different reasons', () => {
    expect(Object.keys(REASONS).filter((name) => Object.hasOwn(SERVER_REASONS, name))).toEqual([]);
  });

  test.each(REASON_NAMES)('[WORDS-1] %s is told at every door, whatever its facts are', (reason) => {
    fc.assert(
      fc.property(toldFor(reason), fc.constantFrom(...DOORS), anyAsked, (told, door, asked) => {
        const said = words(told, door, asked);
        expect(said).toMatch(/\S{2}/u);
        expect(said).not.toMatch(/undefined|\[object|NaN|; ?;|; ?$|\(\)| {2}/u);
      }),
    );
  });

  test.each(REASON_NAMES)('[WORDS-3] %s names routes to those who speak HTTP, and to nobody else', (reason) => {
    fc.assert(
      fc.property(toldFor(reason), anyAsked, (told, asked) => {
        for (const door of DOORS) {
          const routes = [...words(told, door, asked).matchAll(/\b(GET|POST) (\/\S*?)(?=[);,.]|\s|$)/gu)].map(
            ([, method, path]) => `${method} ${path}`,
          );
          expect(routes.filter((route) => door !== 'http' || !ROUTES.has(route))).toEqual([]);
        }
      }),
    );
  });

  test.each(REASON_NAMES)('[WORDS-4] %s is reported to people in whole sentences, without names of programs', (reason) => {
    fc.assert(
      fc.property(toldFor(reason), anyAsked, (told, asked) => {
        const said = words(told, 'page', asked);
        expect(said).not.toMatch(/[a-z]_[a-z]|--[a-z]|\/api/u);
        expect(said).toMatch(/^[^a-z][^]*[.?!]$/u);
      }),
    );
  });

  test.each(REASON_NAMES)('[WORDS-7] %s names commands and flags that exist', (reason) => {
    fc.assert(
      fc.property(toldFor(reason), anyAsked, (told, asked) => {
        const said = words(told, 'terminal', asked);
        expect(said).not.toMatch(/[a-z]_[a-z]/u);
        const lines = [...said.matchAll(/`yarnboard ([^`]+)`/gu)].map(([, line = '']) => line);
        expect(lines.filter((line) => !COMMANDS.has(line))).toEqual([]);
        const flags = [...said.replaceAll(/`[^`]*`/gu, '').matchAll(/--([a-z][a-z-]*)/gu)].map(([, flag = '']) => flag);
        expect(flags.filter((flag) => asked === null || !flagsOf(asked).has(flag))).toEqual([]);
      }),
    );
  });
});

describe('the words of each door', () => {
  const ended = { reason: 'sidebar-ended', facts: { sidebar: 'SB-1', status: 'ARCHIVED' } } as const;
  const lost = { reason: 'unknown-sidebar', facts: { asked: 'SB-9' } } as const;

  test('[WORDS-2] an operation is called as the door calls it', () => {
    expect(DOORS.map((door) => words(ended, door))).toEqual([
      'SB-1 is ARCHIVED, so nothing can be added to it; fork it to continue (POST /api/v1/sidebars/{original_sidebar_id}/fork)',
      'SB-1 is ARCHIVED, so nothing can be added to it; fork it to continue (sidebar_fork)',
      'SB-1 is ARCHIVED, so nothing can be added to it; fork it to continue (spawn {action: "fork"})',
      'SB-1 is ARCHIVED, so nothing can be added to it; fork it to continue (`yarnboard sidebar fork`)',
      'SB-1 is archived, so nothing can be added to it. Fork it to continue.',
    ]);
    expect(DOORS.map((door) => words(lost, door))).toEqual([
      'there is no sidebar SB-9 on this board; GET /api/v1/sidebars lists them',
      'there is no sidebar SB-9 on this board; sidebars lists them',
      'there is no sidebar SB-9 on this board; sidebars lists them',
      'there is no sidebar SB-9 on this board; `yarnboard sidebar list` lists them',
      'There is no sidebar SB-9 on this board.',
    ]);
  });

  test('[WORDS-2] an agent is told the tool, its action, or that there is more', () => {
    const run = { reason: 'unknown-run', facts: { run: 'x' } } as const;
    expect(words(run, 'mcp')).toBe('there is no run "x"; more {operation: "runs"} lists them');
    expect(words({ reason: 'unknown-session', facts: { asked: 'x' } }, 'mcp')).toBe('there is no session "x"; sessions lists them');
    const missing = { reason: 'bad-input', facts: { complaints: [{ input: 'sidebar_id', fault: 'missing', wanted: [] }] } } as const;
    expect(words(missing, 'mcp', 'sidebar_pause')).toBe('sidebar_id is missing (SB-n, or its uuid)');
    expect(words(missing, 'ws', 'sidebar_pause')).toBe('sidebar_id is missing');
  });

  test('[WORDS-2] an input is called as the operation takes it', () => {
    const empty = (field: string) => ({ reason: 'empty', facts: { field } }) as const;
    expect(words(empty('reason'), 'terminal', 'sidebar_status_update')).toBe('--reason must not be empty');
    expect(words(empty('reason'), 'terminal', 'sidebar_pause')).toBe('REASON must not be empty');
    expect(words(empty('task'), 'mcp', 'sidebar_spawn')).toBe('task_description must not be empty');
    expect(words(empty('task'), 'mcp', 'sidebar_child_spawn')).toBe('sub_task_description must not be empty');
    expect(words(empty('task'), 'page', 'sidebar_spawn')).toBe('The task must not be empty.');
    expect(words(empty('notes'), 'http', 'gold_validated')).toBe('validation_notes must not be empty');
    expect(words({ reason: 'no-merge-target', facts: { sidebar: 'SB-1' } }, 'terminal', 'sidebar_merge')).toContain('--parent-id');
    expect(words({ reason: 'conflict-needs-parent', facts: {} }, 'terminal', 'sidebar_spawn')).toContain('--from');
  });

  test('[WORDS-2] a list that no command prints is not named in a terminal', () => {
    const run = { reason: 'unknown-run', facts: { run: 'x' } } as const;
    expect(words(run, 'terminal')).toBe('there is no run "x"');
    expect(words(run, 'http')).toBe('there is no run "x"; GET /api/v1/runs lists them');
    expect(words({ reason: 'unknown-session', facts: { asked: 'x' } }, 'terminal')).toContain('`yarnboard session list` lists them');
  });
});

describe('a refusal that came over a wire', () => {
  test.each(REASON_NAMES)('[WORDS-5] %s survives the way as JSON, and is worded like at home', (reason) => {
    fc.assert(
      fc.property(toldFor(reason), fc.constantFrom(...DOORS), anyAsked, (told, door, asked) => {
        const sent = outward(told, asked);
        expect('field' in sent.facts ? sent.facts.field : 'none').toMatch(/^[a-z0-9_]*$/u);
        expect(toldIn(JSON.parse(JSON.stringify(sent)) as object)).toEqual(sent);
        expect(words(sent, door, asked)).toBe(words(told, door, asked));
      }),
    );
  });

  test('[WORDS-5] what only another version knows is told in the words it came with', () => {
    for (const told of [{}, { reason: 'from-the-future', facts: {} }, { reason: 'unknown-sidebar' }, { reason: 'toString', facts: {} }])
      expect(reworded(told, 'as it came', 'page')).toBe('as it came');
  });
});

const ROUTES = new Set(Object.values<Operation>(REGISTRY).map(({ method, path }) => `${method} /api/v1${path}`));

const COMMANDS = new Set([
  ...Object.values<Operation>(REGISTRY).flatMap(({ terminal }) => (terminal === undefined ? [] : [terminal.words.join(' ')])),
  'inspect --all',
  'open',
  'recover',
  'status',
  'verify',
]);

const flagsOf = (asked: OperationName): ReadonlySet<string> => {
  const { input }: Operation = REGISTRY[asked];
  return new Set([...Object.keys(input.shape).map((name) => name.replaceAll('_', '-')), ...(asked === 'sidebar_spawn' ? ['from'] : [])]);
};

const anyAsked = fc.option(fc.constantFrom(...OPERATIONS), { nil: null });

// Letters only: what is quoted from the facts must not look like a name of ours.
const anyText = fc.stringMatching(/^[A-Z]{1,8}$/u);

const FIELDS = ['reason', 'task', 'content', 'sourceRefs', 'notes', 'confidence', 'targets', 'scores', 'keyInsight', 'successCriteria', 'timeoutMs'];

const anyFact = (name: string, shape: FactShape): fc.Arbitrary<unknown> => {
  if (typeof shape !== 'string') return fc.constantFrom(...shape);
  if (name === 'field') return fc.constantFrom(...FIELDS);
  if (name === 'operation') return fc.constantFrom<string>(...OPERATIONS, 'of_another_version');
  if (name === 'known' || name === 'inputs') return fc.array(fc.constantFrom('sidebar_id', 'limit', 'cursor', 'prompt'), { minLength: 1 });
  if (name === 'input') return fc.constantFrom('decision', 'to');
  switch (shape) {
    case 'text':
      return anyText;
    case 'text-or-null':
      return fc.option(anyText, { nil: null });
    case 'number':
      return fc.nat();
    case 'flag':
      return fc.boolean();
    case 'texts':
      return fc.array(anyText, { maxLength: 3 });
    case 'states':
      return fc.array(fc.record({ sidebar: anyText, status: fc.constantFrom('ACTIVE', 'SPAWNING_CHILD') }), { minLength: 1, maxLength: 3 });
    case 'complaints':
      return fc.array(
        fc.record({
          input: fc.constantFrom('', 'sidebar_id', 'scores.EXCH-1'),
          fault: fc.constantFrom(...FAULTS),
          wanted: fc.array(anyText, { minLength: 1 }),
        }),
        { minLength: 1, maxLength: 3 },
      );
    default:
      return shape;
  }
};

const toldFor = (reason: Reason): fc.Arbitrary<Told> => {
  const shapes: FactsShape = ALL_REASONS[reason].facts;
  const facts = fc.record(Object.fromEntries(Object.entries(shapes).map(([name, shape]) => [name, anyFact(name, shape)])));
  return facts.map((made) => ({ reason, facts: made }) as Told); // made after the shape of this reason
};

import { REGISTRY, type Operation } from '@yarnboard/protocol';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { COMMON_FLAGS, completed, readCommandLine } from '../src/registry/command-line.ts';
import { findVerb, groupsOf, VERBS } from '../src/registry/verbs.ts';
import { folderWith, yarnboard } from './terminal.ts';

const operations = Object.values<Operation>(REGISTRY);

const read = (line: readonly string[]) => {
  const [group = '', word, ...args] = line;
  return readCommandLine(findVerb(group, word), args);
};
const given = (...line: readonly string[]) => read(line).given;

describe('the verbs', () => {
  test('[CLI-18] everything that a member may do has words, and no verb is without an operation', () => {
    const members = operations.filter(({ who }) => who === 'member');
    expect(members.length).toBeGreaterThan(25);
    expect(members.filter(({ terminal }) => terminal === undefined)).toEqual([]);
    const words = operations.flatMap(({ name, terminal }) =>
      terminal === undefined ? [] : [terminal, ...(terminal.also ?? [])].map((one) => ({ name, words: one.words.join(' ') })),
    );
    expect(VERBS.map(({ name, group, word }) => ({ name, words: `${group} ${word}` }))).toEqual(words);
    expect(new Set(words.map((one) => one.words)).size).toBe(words.length);
  });

  test('[CLI-18] what is given without a flag is an input, and no flag is called like one that all have', () => {
    for (const { operation, given: placed, parameters, group, word } of VERBS) {
      const { terminal } = operation;
      const own = [terminal, ...(terminal?.also ?? [])].find((one) => one?.words.join(' ') === `${group} ${word}`);
      expect(placed.map(({ name }) => name)).toEqual(own?.given);
      expect(parameters.map(({ name }) => name)).toEqual(Object.keys(operation.input.shape));
      expect(parameters.filter(({ flag }) => COMMON_FLAGS.some((one) => one === flag))).toEqual([]);
    }
  });

  test('[CLI-18] the help names every group, a group every verb, a verb every flag', async () => {
    const all = (await yarnboard(['help'])).out;
    expect(groupsOf()).toEqual(expect.arrayContaining(['sidebar', 'agent', 'cite', 'gold']));
    for (const group of groupsOf()) {
      expect(all).toContain(`yarnboard ${group} VERB …`);
      const page = await yarnboard([group, '--help']);
      expect(await yarnboard(['help', group])).toEqual(page);
      expect(page).toMatchObject({ code: 0, err: '' });
      for (const verb of VERBS.filter((one) => one.group === group)) {
        expect(page.out).toContain(`  yarnboard ${group} ${verb.word}`);
        expect(page.out).toContain(verb.operation.help);
        const { out } = await yarnboard([group, verb.word, '--help']);
        expect((await yarnboard(['help', group, verb.word])).out).toBe(out);
        for (const { flag } of verb.parameters) expect(out).toMatch(new RegExp(`--${flag}\\b`, 'u'));
      }
    }
  });

  test.each([
    [['sidebar', 'spwan', 'x'], 'there is no `yarnboard sidebar spwan` (did you mean spawn?); there are list, show'],
    [['sidebr'], 'unknown command "sidebr" (did you mean sidebar?); `yarnboard help` lists them'],
    [['gold', 'frobnicate'], 'there is no `yarnboard gold frobnicate`; there are list'],
    [['sidebar', 'spawn', 'x', '--prio', 'high'], '`yarnboard sidebar spawn` has no --prio (did you mean priority?); it has --from, '],
    [['sidebar', 'say', 'SB-1', 'use', '--force'], 'words that begin with dashes go behind --'],
    [['sidebar', 'pause', 'SB-1'], 'missing: reason; yarnboard sidebar pause SIDEBAR-ID REASON…'],
    [['gold', 'add', 'x', '--source-refs', 'MSG-1'], 'missing: --reuse-pattern, --trigger-conditions'],
    [['sidebar', 'spawn', 'x', '--priority', 'hgih'], 'priority is one of CRITICAL, HIGH, NORMAL, LOW, BACKGROUND; not "hgih"'],
    [['sidebar', 'show', 'SB-1', 'SB-2'], '"SB-2" is one word too many; yarnboard sidebar show SIDEBAR-ID'],
    [['sidebar', 'list', '--limit', 'many'], 'limit is a number; not "many"'],
    [['sidebar', 'list', '--limit', '501'], '--limit must be at most 500'],
    [['sidebar', 'list', '--limit'], '--limit needs a value'],
    [['sidebar', 'pause', 'SB-1', '--reason', '--json'], 'one that begins with dashes is written --reason=--json'],
    [['sidebar', 'score', 'SB-1', 'EXCH-3'], 'scores is written NAME=VALUE; not "EXCH-3"'],
    [['sidebar', 'score', 'SB-1', 'EXCH-3=2'], 'SCORES EXCH-3 must be at most 1'],
    [['sidebar', 'spawn', 'x', '--testing=perhaps'], '--testing is a switch: true or false, not "perhaps"'],
    [['sidebar', 'spawn', 'x', '--from', 'SB-1', '--parent-id', 'SB-2'], '--parent-id is given 2 times'],
    [['sidebar', 'pause', 'SB-1', '-', '--resume-condition', '-'], 'only one text can come from standard input'],
  ])('[CLI-18] bad usage is reported with what would be right: %j', async (args, told) => {
    const ended = await yarnboard(args);
    expect(ended).toEqual({ code: 2, out: '', err: expect.stringContaining(told) as string });
  });
});

describe('the words', () => {
  test('[CLI-19] go to inputs by their place, the rest of them to a text that ends the line', () => {
    expect(given('sidebar', 'spawn', 'look', 'into', 'it')).toEqual({ task_description: 'look into it' });
    expect(given('sidebar', 'find', 'SB-1', 'the', 'cache', '--source-refs', 'MSG-1,MSG-2', 'is', 'cold')).toEqual({
      sidebar_id: 'SB-1',
      content: 'the cache is cold',
      source_refs: ['MSG-1', 'MSG-2'],
    });
    expect(given('sidebar', 'say', 'SB-1', '--', '--force', 'is', '--dangerous')).toEqual({ sidebar_id: 'SB-1', content: '--force is --dangerous' });
    expect(given('sidebar', 'join', 'SB-1')).toEqual({ sidebar_id: 'SB-1' });
    // Where a word may be left out in front of one that may not, a single one is the latter.
    expect(given('agent', 'recruit', 'AGENT-a', 'SB-1')).toEqual({ agent_id: 'AGENT-a', sidebar_id: 'SB-1' });
    expect(given('agent', 'recruit', 'SB-1', '--capability', 'databases')).toEqual({ sidebar_id: 'SB-1', capability: 'databases' });
    expect(given('agent', 'recruit', '--sidebar-id', 'SB-1', 'AGENT-a')).toEqual({ agent_id: 'AGENT-a', sidebar_id: 'SB-1' });
    expect(given('agent', 'mention', 'AGENT-a,AGENT-b', 'come', 'here')).toEqual({ target_agents: ['AGENT-a', 'AGENT-b'], message: 'come here' });
    expect(given('sidebar', 'result', 'SB-1', 'cold start', 'took', '2', 's')).toEqual({
      sidebar_id: 'SB-1',
      test_description: 'cold start',
      result: 'took 2 s',
    });
    expect(given('sidebar', 'pause', '--sidebar-id', 'SB-1', 'lunch')).toEqual({ sidebar_id: 'SB-1', reason: 'lunch' });
  });

  test('[CLI-19] flags are what the schema says: switches, numbers, choices, lists, records', () => {
    expect(
      given('sidebar', 'spawn', 'x', '--testing', '--priority', 'high', '--tags', 'a,b', '--tags=c', '--participants', 'AGENT-x', '--from', 'MSG-3'),
    ).toEqual({ task_description: 'x', testing: true, priority: 'HIGH', tags: ['a', 'b', 'c'], participants: ['AGENT-x'], parent_id: 'MSG-3' });
    expect(given('sidebar', 'check', 'SB-1', '--no-fit', '--notes', 'too thin')).toEqual({ sidebar_id: 'SB-1', fit: false, notes: 'too thin' });
    expect(given('sidebar', 'update', 'SB-1', '--data-refs', 'pool={"size":10,"hot":[1,2]}', '--data-refs', 'ticket=OPS-7')).toEqual({
      sidebar_id: 'SB-1',
      data_refs: { pool: { size: 10, hot: [1, 2] }, ticket: 'OPS-7' },
    });
    expect(given('sidebar', 'merge', 'SB-1', '--success=false')).toEqual({ sidebar_id: 'SB-1', success: false });
    expect(given('sidebar', 'score', 'SB-1', 'EXCH-3=HIGH,EXCH-4=0.2', 'EXCH-5=low')).toEqual({
      sidebar_id: 'SB-1',
      scores: { 'EXCH-3': 'HIGH', 'EXCH-4': 0.2, 'EXCH-5': 'low' },
    });
    expect(given('sidebar', 'checkpoint', 'SB-1', 'half', 'way', '--agent-annotations', 'AGENT-a=slow, but sure')).toEqual({
      sidebar_id: 'SB-1',
      summary: 'half way',
      agent_annotations: { 'AGENT-a': 'slow, but sure' },
    });
    // A symptom may have commas: what people write is not taken apart.
    expect(given('gold', 'add', 'x', '--trigger-conditions', 'slow, then dead', '--trigger-conditions', 'EMFILE')).toEqual({
      key_insight: 'x',
      trigger_conditions: ['slow, then dead', 'EMFILE'],
    });
    expect(given('sidebar', 'episodes', '--provisional')).toEqual({ provisional: 'true' });
    expect(given('agent', 'read', '17')).toEqual({ seq: 17 });
    expect(read(['sidebar', 'list', '--json', '--db', 'sqlite:/x', '--demo'])).toEqual({
      given: {},
      fromInput: [],
      isJson: true,
      db: 'sqlite:/x',
      isDemo: true,
    });
  });

  test('[CLI-19] - is what comes through standard input', () => {
    expect(read(['sidebar', 'find', 'SB-1', '-'])).toMatchObject({ given: { sidebar_id: 'SB-1' }, fromInput: ['content'] });
    expect(read(['gold', 'add', 'x', '--reuse-pattern', '-'])).toMatchObject({ fromInput: ['reuse_pattern'] });
    expect(read(['sidebar', 'say', 'SB-1', 'a', '-', 'b'])).toMatchObject({ given: { content: 'a - b' }, fromInput: [] });
  });

  test('[CLI-19] where nothing is an answer it is given, and what the schema takes is not changed', () => {
    const verb = findVerb('sidebar', 'spawn');
    expect(given('sidebar', 'spawn', 'x', '--root')).toEqual({ task_description: 'x', parent_id: null });
    expect(completed(verb, { task_description: 'x', parent_id: null })).toEqual({ task_description: 'x', parent_id: null });
    expect(() => completed(verb, { task_description: 'x' })).toThrow('--from, or --root');
    expect(completed(verb, { task_description: 'x', parent_id: 'SB-1' })).toEqual({ task_description: 'x', parent_id: 'SB-1' });
  });

  test('[CLI-19] any text behind -- arrives as it was written', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 5 }), (words) => {
        fc.pre(words.join(' ') !== '-');
        expect(given('sidebar', 'say', 'SB-1', '--', ...words)).toEqual({ sidebar_id: 'SB-1', content: words.join(' ') });
      }),
    );
  });

  test('[CLI-21] files are read where the verb is called: what cannot be read, or is not there, is refused', async () => {
    const folder = folderWith({ 'notes.txt': 'a\nb\n', empty: '', large: 'x'.repeat(24 * 1024 * 1024 + 1) });
    expect(await yarnboard(['sidebar', 'attach', 'SB-1', `${folder}/none.png`])).toMatchObject({
      code: 3,
      err: expect.stringContaining('cannot read') as string,
    });
    expect(await yarnboard(['sidebar', 'attach', 'SB-1', `${folder}/empty`])).toMatchObject({
      code: 3,
      err: expect.stringContaining('is empty') as string,
    });
    expect(await yarnboard(['sidebar', 'attach', 'SB-1', `${folder}/large`])).toMatchObject({
      code: 3,
      err: expect.stringContaining('has 25,165,825 bytes; at most 25,165,824 (24 MB) can be attached') as string,
    });
    expect(await yarnboard(['cite', 'add', '--path', `${folder}/notes.txt`, '--lines', '2-3'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('has lines 1-2; there is no 2-3') as string,
    });
  });
});

describe('completion', () => {
  test('[CLI-24] knows every command and every verb, for each shell', async () => {
    const { out: all } = await yarnboard(['help']);
    const commands = [...all.matchAll(/^ {2}yarnboard ([a-z]+)/gmu)].map(([, command = '']) => command);
    expect(commands.length).toBeGreaterThan(15);
    for (const shell of ['bash', 'zsh', 'fish']) {
      const { code, out } = await yarnboard(['completion', shell]);
      expect(code).toBe(0);
      for (const word of [...commands, ...groupsOf(), ...VERBS.map((verb) => verb.word)]) expect(out).toMatch(new RegExp(`[ "]${word}[ "]`, 'u'));
    }
    expect(await yarnboard(['completion', 'tcsh'])).toMatchObject({ code: 2, err: expect.stringContaining('bash, zsh, fish') as string });
  });
});

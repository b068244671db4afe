import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isCovered, openPermissions, OPERATOR, patternFor, subjectOf, type CommandOf, type Permission } from '../../src/index.ts';
import { given, type Stage } from '../board/given.ts';

const asks = (stage: Stage, sidebar: string, input: object, more: Partial<CommandOf<'permission.ask'>> = {}): string => {
  const [event] = stage.does(
    {
      type: 'permission.ask',
      sidebar,
      agent: 'AGENT-ada',
      key: `key ${JSON.stringify(input)}`,
      tool: 'Bash',
      input: JSON.stringify(input),
      directory: '/src',
      refusal: null,
      ...more,
    },
    { by: 'system' },
  );
  return event?.uuid ?? '';
};

const open = (stage: Stage): readonly Permission[] => openPermissions(stage.world.board);
const outcomeOf = (stage: Stage, id: string): Permission['outcome'] =>
  [...stage.world.board.permissions.entries()].flatMap(([, all]) => all).find((one) => one.id === id)?.outcome ?? null;

describe('what seats ask leave for', () => {
  test('[RT-55] is not kept at hand once it was answered and the seat is gone; what is still open is', () => {
    const stage = given();
    const [first, second] = [stage.spawns({ participants: ['ada'] }), stage.spawns({ participants: ['ada', 'ben'] })];
    const kept = (): readonly string[] => [...stage.world.board.permissions.entries()].flatMap(([, all]) => all).map(({ id }) => id);
    const ids = [first, second].map((sidebar) => asks(stage, sidebar, { command: 'npm test' }));
    for (const request of ids) stage.does({ type: 'permission.answer', request, decision: 'allow' });
    expect(kept()).toEqual(ids);
    const late = asks(stage, first, { command: 'ls' });
    stage.does({ type: 'sidebar.archive', sidebar: first });
    stage.does({ type: 'agent.leave', sidebar: second, agent: 'ada' });
    expect(kept()).toEqual([late]);
    stage.does({ type: 'permission.answer', request: late, decision: 'deny' });
    expect(kept()).toEqual([]);
  });

  test('[RT-50] waits on the board and is told to the operator, and to nobody else', () => {
    const stage = given();
    const sidebar = stage.spawns({ participants: ['ada', 'ben'] });
    const id = asks(stage, sidebar, { command: 'npm test' });
    expect(open(stage)).toMatchObject([{ id, agent: 'AGENT-ada', tool: 'Bash', input: '{"command":"npm test"}', directory: '/src' }]);
    const told = (agent: string) => (stage.world.board.notices.get(agent) ?? []).filter(({ kind }) => kind === 'permission');
    expect(told(OPERATOR.id)).toMatchObject([{ level: 'warning', text: `AGENT-ada asks to use Bash in ${sidebar}` }]);
    expect(told('AGENT-ben')).toEqual([]);
    expect(stage.code({ type: 'permission.remind', request: id }, { by: 'ada' })).toBe('operator-only');
  });

  test('[RT-51] is answered by the operator only; the first answer counts, and the second is told who was first', () => {
    const stage = given();
    const sidebar = stage.spawns({ participants: ['ada'] });
    const id = asks(stage, sidebar, { command: 'npm test' });
    expect(stage.code({ type: 'permission.answer', request: id, decision: 'allow' }, { by: 'ada' })).toBe('operator-only');
    stage.does({ type: 'permission.answer', request: id, decision: 'deny', message: 'use the other one' });
    expect(outcomeOf(stage, id)).toMatchObject({ decision: 'deny', means: 'once', message: 'use the other one', by: OPERATOR.id });
    expect(stage.refuses({ type: 'permission.answer', request: id, decision: 'allow' })).toMatchObject({
      reason: 'permission-answered',
      facts: { decision: 'deny', by: OPERATOR.id },
    });
    expect(stage.code({ type: 'permission.answer', request: 'nothing', decision: 'allow' })).toBe('not-found');
  });

  test('[RT-52] answered for the seat or the agent, a rule is made on the board: it answers at once what it covers, waiting requests included', () => {
    const stage = given();
    const [here, there] = [stage.spawns({ participants: ['ada'] }), stage.spawns({ participants: ['ada'] })];
    const first = asks(stage, here, { command: 'npm test' });
    const waiting = asks(stage, here, { command: 'npm test --watch' });
    const elsewhere = asks(stage, there, { command: 'npm test' });
    stage.does({ type: 'permission.answer', request: first, decision: 'allow', scope: 'seat', breadth: 'alike' });
    expect(outcomeOf(stage, waiting)).toMatchObject({ decision: 'allow', means: 'rule' });
    expect(open(stage).map(({ id }) => id)).toEqual([elsewhere]);
    stage.does({ type: 'permission.answer', request: elsewhere, decision: 'allow', scope: 'agent' });
    expect(outcomeOf(stage, asks(stage, there, { command: 'npm test' }))).toMatchObject({ decision: 'allow', means: 'rule' });
    expect(outcomeOf(stage, asks(stage, there, { command: 'npm test -u' }))).toBeNull();
    const [rule] = stage.world.board.permissionRules.get('AGENT-ada') ?? [];
    expect(rule).toMatchObject({ tool: 'Bash', pattern: 'npm test *', directory: '/src', uses: 1 });
    expect(stage.code({ type: 'permission.revoke', rule: rule?.id ?? '' }, { by: 'ada' })).toBe('operator-only');
    stage.does({ type: 'permission.revoke', rule: rule?.id ?? '' });
    expect(outcomeOf(stage, asks(stage, here, { command: 'npm test --watch' }))).toBeNull();
    expect(stage.code({ type: 'permission.revoke', rule: rule?.id ?? '' })).toBe('not-found');
  });

  test('[RT-52] a rule belongs to one agent, one tool and one directory', () => {
    const stage = given();
    const sidebar = stage.spawns({ participants: ['ada', 'ben'] });
    stage.does({ type: 'permission.rule', agent: 'ada', tool: 'Bash', pattern: 'npm test', directory: '/src' });
    const isOpen = (more: Partial<CommandOf<'permission.ask'>>) => outcomeOf(stage, asks(stage, sidebar, { command: 'npm test' }, more)) === null;
    expect(isOpen({})).toBe(false);
    expect(isOpen({ directory: '/src/web' })).toBe(false);
    expect(isOpen({ directory: '/srcs' })).toBe(true);
    expect(isOpen({ directory: '/src/../etc' })).toBe(true);
    expect(isOpen({ directory: null })).toBe(true);
    expect(isOpen({ tool: 'Shell' })).toBe(true);
    expect(isOpen({ agent: 'AGENT-ben' })).toBe(true);
    for (const wrong of [{ tool: ' ' }, { pattern: ' ' }])
      expect(stage.code({ type: 'permission.rule', agent: 'ada', tool: 'Bash', pattern: 'ls', ...wrong })).toBe('bad-request');
    expect(stage.code({ type: 'permission.rule', agent: 'nobody', tool: 'Bash', pattern: 'ls' })).toBe('not-found');
    expect(stage.code({ type: 'permission.rule', agent: 'ada', tool: 'Bash', pattern: 'ls' }, { by: 'ben' })).toBe('operator-only');
  });

  test('[RT-69] allowed with changes it is allowed once, and only allowed', () => {
    const stage = given();
    const sidebar = stage.spawns({ participants: ['ada'] });
    const id = asks(stage, sidebar, { command: 'npm test' });
    const input = '{"command":"npm run build"}';
    expect(stage.refuses({ type: 'permission.answer', request: id, decision: 'deny', input })).toMatchObject({ reason: 'changes-hold-once' });
    expect(stage.refuses({ type: 'permission.answer', request: id, decision: 'allow', scope: 'seat', input })).toMatchObject({
      reason: 'changes-hold-once',
    });
    const [event] = stage.does({ type: 'permission.answer', request: id, decision: 'allow', input });
    expect(event?.payload).toMatchObject({ decision: 'allow', means: 'once', rule: null, input });
    expect(outcomeOf(stage, id)).toMatchObject({ decision: 'allow', isChanged: true });
  });

  test('[RT-54] is told again once, as something that needs a decision; withdrawn, nobody needs to answer', () => {
    const stage = given();
    const sidebar = stage.spawns({ participants: ['ada'] });
    const id = asks(stage, sidebar, { command: 'npm test' });
    stage.does({ type: 'permission.remind', request: id }, { by: 'system' });
    expect(stage.refuses({ type: 'permission.remind', request: id }, { by: 'system' })).toMatchObject({ reason: 'unknown-permission' });
    expect(stage.world.board.notices.get(OPERATOR.id)?.at(-1)).toMatchObject({ level: 'escalate', kind: 'permission' });
    stage.does({ type: 'permission.withdraw', sidebar, agent: 'AGENT-ada' }, { by: 'system' });
    expect(open(stage)).toEqual([]);
    expect(stage.refuses({ type: 'permission.answer', request: id, decision: 'allow' })).toMatchObject({ facts: { decision: 'withdrawn' } });
  });

  test('[RT-58] what is protected is denied and on the log, whatever rules there are', () => {
    const stage = given();
    const sidebar = stage.spawns({ participants: ['ada'] });
    stage.does({ type: 'permission.rule', agent: 'ada', tool: 'Bash', pattern: 'npm test' });
    const id = asks(stage, sidebar, { command: 'npm test' }, { refusal: 'protected' });
    expect(outcomeOf(stage, id)).toMatchObject({ decision: 'deny', means: 'protected', message: 'protected' });
  });
});

describe('rules', () => {
  const wanted = (input: object, directory: string | null = '/src') => ({ tool: 'T', input: JSON.stringify(input), directory });
  const covers = (pattern: string, input: object): boolean => isCovered({ tool: 'T', pattern, directory: null }, wanted(input));

  test('[RT-53] tell commands, files and pages by their text, and everything else by its whole input', () => {
    expect(subjectOf('{"command":"ls","description":"look"}')).toEqual({ kind: 'command', text: 'ls' });
    expect(subjectOf('{"file_path":"/a/b","content":"x"}')).toEqual({ kind: 'file', text: '/a/b' });
    expect(subjectOf('{"url":"https://a.example/b","prompt":"x"}')).toEqual({ kind: 'page', text: 'https://a.example/b' });
    expect(subjectOf('{"b":1,"a":2}')).toEqual(subjectOf('{"a":2,"b":1}'));
    // Whatever else an input says may change what is done.
    expect(subjectOf('{"command":"ls","dangerouslyDisableSandbox":true}')).toMatchObject({ kind: 'input' });
    expect(subjectOf('not json')).toMatchObject({ kind: 'input' });
  });

  test.each([
    ['npm test *', { command: 'npm test' }, true],
    ['npm test *', { command: 'npm test -- web' }, true],
    ['npm test *', { command: 'npm tests' }, false],
    ['npm test *', { command: 'npm test; rm -rf /' }, false],
    ['npm test *', { command: 'npm test && curl x' }, false],
    ['npm test *', { command: 'npm test $(id)' }, false],
    ['npm test *', { command: 'npm test\nid' }, false],
    ['npm test *', { command: 'npm test > /etc/passwd' }, false],
    ['npm test; ls', { command: 'npm test; ls' }, true],
    ['/src/**', { file_path: '/src/a/b.ts' }, true],
    ['/src/**', { file_path: '/src/../etc/passwd' }, false],
    ['/src/**', { file_path: '/srcs/a' }, false],
    ['/src/**', { file_path: 'src/a' }, false],
    ['https://a.example/*', { url: 'https://a.example/b?c' }, true],
    ['https://a.example/*', { url: 'https://a.example.evil.example/b' }, false],
    ['https://a.example/*', { url: 'https://a.example@evil.example/' }, false],
    ['*', { anything: 1 }, true],
    ['*', { command: 'ls' }, false],
  ])('[RT-53] %s covers %j: %s', (pattern, input, isIt) => {
    expect(covers(pattern, input)).toBe(isIt);
  });

  test.each([{ command: 'rm *' }, { file_path: '/home/u/**' }, { url: 'https://a.example/*' }])(
    '[RT-53] what reads as a pattern makes no rule for itself: %j',
    (input) => {
      expect(patternFor(JSON.stringify(input), 'exact')).toBeNull();
    },
  );

  test('[RT-53] what decides what a program may do is covered by its own name only', () => {
    const settings = wanted({ file_path: '/src/.claude/settings.json' });
    expect(isCovered({ tool: 'T', pattern: '/src/**', directory: null }, settings)).toBe(false);
    expect(isCovered({ tool: 'T', pattern: '/src/.claude/settings.json', directory: null }, settings)).toBe(true);
    expect(patternFor(settings.input, 'alike')).toBeNull();
  });

  test('[RT-53] a rule made from a request covers that request, and nothing that strings another command to it', () => {
    const texts = fc.oneof(fc.string({ minLength: 1 }), fc.constantFrom('git status', 'npm run build', 'ls -la', '/a/b/c.ts', 'https://a.example/x'));
    const inputs = fc.oneof(
      fc.record({ command: texts }),
      fc.record({ file_path: texts }),
      fc.record({ url: texts }),
      fc.dictionary(fc.string(), fc.jsonValue()),
    );
    fc.assert(
      fc.property(inputs, fc.constantFrom('exact' as const, 'alike' as const), (input, breadth) => {
        const request = wanted(input);
        const pattern = patternFor(request.input, breadth);
        if (pattern === null) return;
        const rule = { tool: 'T', pattern, directory: '/src' };
        expect(isCovered(rule, request)).toBe(true);
        expect(isCovered(rule, { ...request, tool: 'U' })).toBe(false);
        expect(isCovered(rule, { ...request, directory: '/elsewhere' })).toBe(false);
        const { kind, text } = subjectOf(request.input);
        if (kind !== 'command') return;
        for (const tail of ['; id', ' && id', ' | id', ' `id`', ' $(id)', '\nid', ' > /x', ' & id'])
          expect(isCovered(rule, wanted({ command: `${text}${tail}` }))).toBe(false);
      }),
    );
  });
});

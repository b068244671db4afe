import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { encodeInspect, inspectDocument, type InspectDocument } from '@yarnboard/protocol';
import { DEFAULT_PRICES } from '@yarnboard/transcript';
import { readTree } from '../packages/cli/src/read/tree.ts';

/** What the ids in the files of one scenario prove; made with the files, by another program. */
type Expected = {
  readonly calls: number;
  readonly links: Readonly<Record<string, string>>;
  readonly inline_calls_linked: readonly string[];
  readonly unattached_agents: readonly string[];
  readonly tool_uses: number;
  readonly tool_pairs: number;
  readonly compactions: number;
  readonly responses: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cache_read_tokens: number;
  readonly cache_write_tokens: number;
};
type Sidechain = InspectDocument['sessions'][number]['sidechains'][number];

// YARNBOARD_FIXTURES may name another set of the same kind.
const root = process.env['YARNBOARD_FIXTURES'] ?? fileURLToPath(new URL('../fixtures/claude-code', import.meta.url));
const expectations = JSON.parse(readFileSync(join(root, 'expected.json'), 'utf8')) as Record<string, Record<string, Expected>>;
const scenarios = Object.entries(expectations).flatMap(([version, of]) =>
  Object.entries(of).map(([scenario, expected]) => ({ version, scenario, expected })),
);

// Another root may hold more than the one these expectations were written for; it may not hold less.
const KNOWN = ['1.0.100', '2.0.30', '2.0.76', '2.1.2', '2.1.50', '2.1.220', '2.1.325', 'sdk-0.2.50', 'sdk-0.3.325'];

const AFTER_ALL = Date.UTC(2100, 0, 1);
const inspected = new Map<string, Promise<InspectDocument>>();
const inspect = (version: string, scenario: string): Promise<InspectDocument> => {
  const name = `${version}/${scenario}`;
  const known =
    inspected.get(name) ?? readTree([join(root, version, scenario)], { prices: DEFAULT_PRICES, now: AFTER_ALL, threads: 1 }).then(encodeInspect);
  inspected.set(name, known);
  return known;
};

const sidechainsOf = (document: InspectDocument): readonly Sidechain[] => document.sessions.flatMap((session) => session.sidechains);

// Their calls were killed or interrupted before any id was written; only the prompt, a notification or a progress record can link what is left of the agent.
const CUT_SHORT = new Set(['inttask', 'killtask', 'killpar', 'interrupttask']);

// Agents of one family below one another: depth, and whether the parent is the agent listed before.
const ladder = (document: InspectDocument): readonly string[] => {
  const called = sidechainsOf(document).filter((side) => side.tool_use_ids.length > 0);
  return called.map(
    (side, i) =>
      `${side.depth} ${side.parent_agent_id === null ? 'below the main thread' : side.parent_agent_id === called[i - 1]?.agent_id ? 'below the one before' : 'below another'}`,
  );
};

const statesOf = async (version: string, scenario: string): Promise<readonly string[]> =>
  sidechainsOf(await inspect(version, scenario))
    .filter((side) => side.tool_use_ids.length > 0)
    .map((side) => side.state);

describe('what the real CLI wrote', () => {
  test('[FILE-1] there are versions and scenarios to compare', () => {
    expect(Object.keys(expectations)).toEqual(expect.arrayContaining(KNOWN));
    expect(scenarios.length).toBeGreaterThanOrEqual(279);
  });

  test.each(scenarios)(
    '[SIDE-3] [SIDE-6] [DAG-5] [COST-1] $version $scenario has the calls, agents, tools and tokens that its ids prove',
    async ({ version, scenario, expected }) => {
      const document = await inspect(version, scenario);
      const { totals } = document;
      const links = new Map<string, string>();
      const inline: string[] = [];
      const unattached: string[] = [];
      for (const side of sidechainsOf(document)) {
        const isInline = !/agent-[^/]*\.jsonl$/u.test(side.file);
        const isGuess =
          CUT_SHORT.has(scenario) &&
          ['prompt', 'notification', 'progress'].includes(side.linked_by) &&
          expected.unattached_agents.includes(side.agent_id);
        if (side.tool_use_ids.length === 0 || isGuess) unattached.push(side.agent_id);
        else if (isInline) inline.push(...side.tool_use_ids);
        else for (const id of side.tool_use_ids) links.set(id, side.agent_id);
      }
      const found: Expected = {
        calls: document.analysis.delegations,
        links: Object.fromEntries(links),
        inline_calls_linked: inline.sort(),
        unattached_agents: unattached.sort(),
        tool_uses: totals.tool_uses,
        tool_pairs: totals.tool_pairs,
        compactions: totals.compactions,
        responses: totals.responses,
        input_tokens: totals.input_tokens,
        output_tokens: totals.output_tokens,
        cache_read_tokens: totals.cache_read_tokens,
        cache_write_tokens: totals.cache_write_5m_tokens + totals.cache_write_1h_tokens,
      };
      expect(found).toEqual({
        ...expected,
        inline_calls_linked: expected.inline_calls_linked.toSorted(),
        unattached_agents: expected.unattached_agents.toSorted(),
      });
    },
  );

  test('[PARSE-1] [CONT-3] every document is valid, every line is accounted for, and the sessions’ costs add up to the total', async () => {
    for (const { version, scenario } of scenarios) {
      const document = await inspect(version, scenario);
      const { totals, sessions } = document;
      expect(inspectDocument.safeParse(document).error?.issues ?? [], `${version} ${scenario}`).toEqual([]);
      expect(totals.lines + totals.extra, `${version} ${scenario}`).toBe(totals.records + totals.blank + totals.quarantined);
      expect([totals.quarantined, totals.unpriced], `${version} ${scenario}`).toEqual([0, []]);
      expect(sessions.reduce((sum, one) => sum + one.cost_usd, 0)).toBeCloseTo(totals.cost_usd, 9);
      expect(sessions.reduce((sum, one) => sum + one.usage.responses, 0)).toBe(totals.responses);
    }
  });

  test('[BRANCH-1] [BRANCH-2] only a resume at an earlier message branches, once, and the new branch is the active one', async () => {
    const branches: Record<string, unknown> = {};
    for (const { version, scenario } of scenarios) {
      const found = (await inspect(version, scenario)).sessions.flatMap((one) => one.branches);
      if (found.length > 0)
        branches[`${version} ${scenario}`] = found.map((branch) => branch.children.map(({ active, messages }) => ({ active, messages })));
    }
    const rewound = [
      [
        { active: false, messages: 10 },
        { active: true, messages: 2 },
      ],
    ];
    expect(Object.keys(branches).filter((name) => !name.endsWith(' resumeat'))).toEqual([]);
    expect(branches).toMatchObject({ 'sdk-0.2.50 resumeat': rewound, 'sdk-0.3.325 resumeat': rewound });
  });

  test('[PATH-4] no conversation record of any scenario is off the paths without a reason, and hardly any with one', async () => {
    const left: Record<string, object> = {};
    let conversation = 0;
    for (const { version, scenario } of scenarios) {
      for (const { off_path } of (await inspect(version, scenario)).sessions) {
        conversation += off_path.conversation;
        if (off_path.replayed + off_path.other_root + off_path.dead_end > 0) left[`${version} ${scenario}`] = off_path;
      }
    }
    expect(conversation).toBeGreaterThan(2000);
    // A tool use that was killed stays behind when the session goes on before it.
    expect(Object.keys(left).filter((name) => !/ (?:kill|int)/u.test(name))).toEqual([]);
  });

  const FLAT = ['1 below the main thread'];
  const TWO = [...FLAT, '2 below the one before'];
  const THREE = [...TWO, '3 below the one before'];

  test.each([
    ...['1.0.100', '2.0.30', '2.0.76', '2.1.2', '2.1.50'].flatMap((version) =>
      ['nested', 'nestforce', 'probe'].map((scenario) => ({ version, scenario, wanted: FLAT })),
    ),
    ...['2.1.220', '2.1.325'].flatMap((version) => ['nested', 'nestforce', 'probe'].map((scenario) => ({ version, scenario, wanted: TWO }))),
    ...['2.1.220', '2.1.325'].map((version) => ({ version, scenario: 'nestedfg', wanted: THREE })),
    { version: 'sdk-0.2.50', scenario: 'nested', wanted: FLAT },
    { version: 'sdk-0.3.325', scenario: 'nested', wanted: TWO },
  ])('[SIDE-7] $version $scenario nests as deep as the version allowed', async ({ version, scenario, wanted }) => {
    expect(ladder(await inspect(version, scenario))).toEqual(wanted);
  });

  test.each(KNOWN)('[SIDE-8] in %s a background agent is complete, and one that was killed or interrupted is not', async (version) => {
    expect(await statesOf(version, 'bgtask')).toEqual(['complete']);
    if (version.startsWith('sdk-')) return;
    const leavesPartialFiles = !['1.0.100', '2.0.30'].includes(version);
    expect(await statesOf(version, 'killpar')).toEqual(leavesPartialFiles ? ['complete', 'incomplete'] : ['complete']);
    for (const scenario of ['killtask', 'inttask'])
      expect(await statesOf(version, scenario), `${version} ${scenario}`).toEqual(leavesPartialFiles ? ['incomplete'] : []);
  });

  test('[SIDE-8] an agent killed in the foreground is incomplete; one that finished after the interruption is complete', async () => {
    expect(await statesOf('2.1.325', 'killtaskfg')).toEqual(['incomplete']);
    expect(await statesOf('2.1.325', 'inttaskfg')).toEqual(['incomplete']);
    expect(await statesOf('sdk-0.2.50', 'interrupttask')).toEqual(['incomplete']);
    expect(await statesOf('sdk-0.3.325', 'interrupttask')).toEqual(['complete']);
  });

  test.each(['2.0.76', '2.1.2', '2.1.50'])('[SIDE-10] in %s a second call continues the same agent', async (version) => {
    const called = sidechainsOf(await inspect(version, 'taskresume')).filter((side) => side.tool_use_ids.length > 0);
    expect(called.map(({ tool_use_ids, turns, state }) => ({ calls: tool_use_ids.length, turns, state }))).toEqual([
      { calls: 2, turns: 2, state: 'complete' },
    ]);
  });

  test('[CONT-1] [CONT-2] exactly the scenarios that resumed by copying, or forked, continue a session', async () => {
    const continued: Record<string, readonly string[]> = {};
    for (const { version, scenario } of scenarios.filter((one) => KNOWN.includes(one.version))) {
      const by = (await inspect(version, scenario)).sessions.flatMap((one) => (one.continues === null ? [] : [one.continues.by]));
      if (by.length > 0) continued[`${version} ${scenario}`] = by;
    }
    const forked = ['2.0.30', '2.0.76', '2.1.2', '2.1.50', '2.1.220', '2.1.325'].flatMap((version) => [`${version} fork`, `${version} taskfork`]);
    const resumed = ['autocompact', 'fork', 'intbash', 'inttask', 'killbash', 'killtask', 'probe', 'taskfork'].map(
      (scenario) => `1.0.100 ${scenario}`,
    );
    expect(continued).toEqual({
      ...Object.fromEntries(resumed.map((name) => [name, ['resume']])),
      '1.0.100 resume': ['resume', 'resume'],
      ...Object.fromEntries([...forked, '2.1.325 compactchain', 'sdk-0.2.50 fork', 'sdk-0.3.325 fork'].map((name) => [name, ['fork']])),
    });
  });

  test('[CONT-1] every chain leads back to the session of the first invocation, and shares with its source what both files hold', async () => {
    let chains = 0;
    for (const { version, scenario } of scenarios) {
      const { sessions } = await inspect(version, scenario);
      const byId = new Map(sessions.map((one) => [one.session_id, one]));
      for (const session of sessions.filter((one) => one.continues !== null)) {
        chains += 1;
        const source = byId.get(session.continues?.session_id ?? '');
        const [mine, theirs] = [messagesIn(session.files[0] ?? ''), messagesIn(source?.files[0] ?? '')];
        expect(session.continues?.shared, `${version} ${scenario}`).toBe([...mine].filter((uuid) => theirs.has(uuid)).length);
        let first = session;
        for (let above = byId.get(first.continues?.session_id ?? ''); above !== undefined; above = byId.get(first.continues?.session_id ?? ''))
          first = above;
        expect(first.session_id, `${version} ${scenario}`).toBe(firstInvocation(version, scenario));
      }
    }
    expect(chains).toBeGreaterThanOrEqual(25);
  });

  test('[COST-6] wherever the CLI of 2.1.325 kept accounts to the end, it counted what the table gives', async () => {
    let compared = 0;
    for (const { version, scenario } of scenarios) {
      // A compaction's own response is not stored, and a killed process wrote no account.
      if (!version.endsWith('.325') || /compact|kill/u.test(scenario)) continue;
      const { sessions } = await inspect(version, scenario);
      for (const session of sessions) {
        // A fork's account begins with its source's.
        if (session.continues !== null) continue;
        expect(session.cost_usd, `${version} ${scenario}`).toBeCloseTo(accountOf(session.files[0] ?? ''), 9);
        compared += 1;
      }
    }
    expect(compared).toBeGreaterThanOrEqual(49);
  });
});

type Line = {
  readonly type?: string;
  readonly uuid?: string;
  readonly isSidechain?: boolean;
  readonly totalCostUSD?: number;
  readonly session_id?: string;
};

const linesIn = (path: string): readonly Line[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Line);

const messagesIn = (path: string): ReadonlySet<string> =>
  new Set(
    linesIn(path).flatMap(({ type = '', uuid, isSidechain }) =>
      uuid !== undefined && isSidechain !== true && ['user', 'assistant', 'system'].includes(type) ? [uuid] : [],
    ),
  );

const accountOf = (path: string): number => linesIn(path).findLast((line) => line.type === 'cost-state')?.totalCostUSD ?? Number.NaN;

const firstInvocation = (version: string, scenario: string): string | undefined => {
  const folder = join(root, version, scenario);
  const log = readdirSync(folder).find((name) => name === '1.stream.jsonl' || name === 'sdk-stream.jsonl');
  return log === undefined ? undefined : linesIn(join(folder, log)).find((line) => line.session_id !== undefined)?.session_id;
};

import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Board } from './board.ts';
import { until, type Scenario } from './checks.ts';
import { CLI_VERSIONS } from './programs.ts';
import { asRaw, asText, type Raw } from './records.ts';
import { isEvent, isText, sessionOfPrompt, staged, type Stage } from './stage.ts';
import type { Surroundings } from './surroundings.ts';

/** Agents whose seats are on Claude: through the Agent SDK, through each command line, and through the Agent Client Protocol. */
export const agentScenarios = (surroundings: Surroundings): readonly Scenario[] => {
  const { project, programs } = surroundings;
  const adapter = {
    kind: 'acp',
    command: [programs.adapter],
    directories: [project],
    environment: [...PASSED, 'ANTHROPIC_BASE_URL', 'CLAUDE_CONFIG_DIR'],
  };
  const ofProtocol = staged(surroundings, CLI_VERSIONS[1], 'agents, acp', (stage) => playProtocol(surroundings, stage), { runtimes: { adapter } });
  const shared = { directories: [project], environment: [...PASSED] };
  const onClaude = [
    ['sdk', 'claude-sdk', CLI_VERSIONS[1]] as const,
    ...CLI_VERSIONS.map((version) => [`command line ${version}`, 'claude-cli', version] as const),
  ].map(([way, kind, version]) => {
    const runtimes = { claude: { kind, ...shared }, small: { kind, ...shared, limits: { turns: 1 } } };
    return staged(surroundings, version, `agents, ${way}`, (stage) => playSeat(surroundings, stage), { runtimes });
  });
  return [...onClaude, ofProtocol];
};

const playProtocol = async ({ project }: Surroundings, { board, check }: Stage): Promise<void> => {
  const post = posting(board);
  await post('/agents', { agent_id: 'sec', runtime: 'adapter' });
  const sidebar =
    asText((await post('/sidebars', { parent_id: null, task_description: 'play:plain Look into it', participants: ['sec'] }))['ref']) ?? '';
  const seatWhere = seatIn(board, sidebar);
  await seatWhere('after its first turn', isReady(1));
  // Claude Code takes turns while it is still connecting to its servers of tools, and tells its model to try again.
  let turns = 1;
  for (; turns < 6 && (await findingsOf(board, sidebar, 'pending_findings')).length === 0; turns += 1) {
    await post(`/sidebars/${sidebar}/messages`, { content: '@sec play:finding' });
    await seatWhere(`after turn ${turns + 1}`, isReady(turns + 1));
  }
  await check('its tools are ours, and need nobody to allow them', async () => {
    assert.deepEqual(
      (await findingsOf(board, sidebar, 'pending_findings')).map((one) => [one['submitted_by'], one['content']]),
      [['AGENT-sec', 'The cache is cold.']],
    );
  });
  const made = join(project, 'made.txt');
  rmSync(made, { force: true });
  await post(`/sidebars/${sidebar}/messages`, { content: '@sec play:write' });
  const request = await permissionAsked(board);
  await check('asks before it writes, and waits', () => {
    assert.equal(request['agent_id'], 'AGENT-sec');
    assert.match(JSON.stringify(request['input']), /made\.txt/u);
    assert.equal(existsSync(made), false);
  });
  await post(`/permissions/${asText(request['request_id']) ?? ''}/answer`, { decision: 'allow' });
  const seat = await seatWhere('after it was allowed', isReady(turns + 1));
  await check('what was allowed is done, and what it used is counted', () => {
    assert.equal(existsSync(made), true);
    assert.notEqual(asRaw(seat['tokens'])['used'], 0);
    assert.deepEqual(seat['faults'], {});
  });
};

const posting =
  (board: Board) =>
  async (path: string, body: object): Promise<Raw> => {
    const answered = await board.post(path, body);
    assert.ok(answered.status < 300, JSON.stringify(answered.body));
    return answered.body;
  };

const seatIn =
  (board: Board, sidebar: string) =>
  (what: string, fits: (seat: Raw) => boolean, agent = 'sec'): Promise<Raw> =>
    until(
      `seat of ${agent} ${what}`,
      async () => {
        const { status, body } = await board.get(`/seats/${sidebar}/${agent}`);
        return status === 200 && fits(body) ? body : null;
      },
      60_000,
    );

const isReady =
  (turns: number) =>
  (seat: Raw): boolean =>
    seat['state'] === 'ready' && asRaw(seat['turns'])['used'] === turns;

const findingsOf = async (board: Board, sidebar: string, part: string): Promise<readonly Raw[]> => {
  const { body } = await board.get(`/sidebars/${sidebar}/scratchpad`);
  return (Array.isArray(body[part]) ? body[part] : []).map(asRaw);
};

const permissionAsked = (board: Board): Promise<Raw> =>
  until(
    'the permission request',
    async () => {
      const { body } = await board.get('/permissions');
      return (Array.isArray(body['items']) ? body['items'].map(asRaw) : []).find((one) => one['decision'] === null) ?? null;
    },
    60_000,
  );

const playSeat = async (surroundings: Surroundings, { board, watcher, check }: Stage): Promise<void> => {
  const { project, model } = surroundings;
  const post = posting(board);
  // A session with something behind the message that the sidebar hangs on.
  const run = asText((await post('/runs', { cwd: project, prompt: 'play:plain' }))['run_id']) ?? '';
  const session = await sessionOfPrompt(watcher, 'play:plain');
  await watcher.see('the end of the turn', isEvent('turn-end'));
  await post(`/runs/${run}/messages`, { text: 'play:again' });
  await watcher.see('the second answer', isText('An answer to what came later.'));
  await post(`/runs/${run}/end`, {});
  await until('the run is over', async () => ((await board.get(`/runs/${run}`)).body['state'] === 'ended' ? true : null));
  const file = sourceOf(board, session, project);
  const before = readFileSync(file, 'utf8');
  const leaf = await leafOf(board, session);

  for (const agent of ['sec', 'small']) await post('/agents', { agent_id: agent, runtime: agent === 'sec' ? 'claude' : 'small' });
  const from = model.heard.length;
  const spawned = await post('/sidebars', { parent_id: leaf, task_description: 'play:finding Look into it', participants: ['sec'] });
  const sidebar = asText(spawned['ref']) ?? '';
  const seatWhere = seatIn(board, sidebar);
  const first = await seatWhere('after its first turn', isReady(1));

  await check('begins with a fork: it sees what was said before the message, and nothing after it', () => {
    assert.equal(first['context_kind'], 'fork');
    assert.notEqual(first['session_id'], session);
    const heard = model.heard.slice(from).filter(({ name }) => name.startsWith('finding#'));
    assert.equal(heard.length, 2);
    for (const { text } of heard) {
      assert.match(text, /A plain answer\./u);
      assert.doesNotMatch(text, /play:again|what came later/u);
    }
  });
  await check('leaves the session that it was forked from as it was', () => assert.equal(readFileSync(file, 'utf8'), before));
  await check('its tools are ours: what it found is a finding of its own', async () => {
    const pending = await findingsOf(board, sidebar, 'pending_findings');
    assert.deepEqual(
      pending.map((one) => [one['submitted_by'], one['content']]),
      [['AGENT-sec', 'The cache is cold.']],
    );
  });

  const made = join(project, 'made.txt');
  rmSync(made, { force: true });
  await post(`/sidebars/${sidebar}/messages`, { content: '@sec play:write' });
  const request = await permissionAsked(board);
  await check('asks before it writes, and waits', () => {
    assert.equal(request['tool'], 'Write');
    assert.equal(request['agent_id'], 'AGENT-sec');
    assert.equal(existsSync(made), false);
  });
  await post(`/permissions/${asText(request['request_id']) ?? ''}/answer`, { decision: 'allow' });
  await seatWhere('after its second turn', isReady(2));
  await check('what was allowed is done', () => assert.equal(existsSync(made), true));

  await post('/seats/restart', { agent_id: 'sec', sidebar_id: sidebar });
  await post(`/sidebars/${sidebar}/messages`, { content: '@sec play:tool' });
  const again = await seatWhere('after a restart', isReady(3));
  await check('started anew, it goes on in its session', () => {
    assert.equal(again['session_id'], first['session_id']);
    const { text = '' } = model.heard.findLast(({ name }) => name === 'tool#0') ?? {};
    assert.match(text, /That is settled\./u);
  });

  await post(`/sidebars/${sidebar}/participants`, { agent_id: 'small' });
  await seatWhere('after its only turn', (seat) => asRaw(seat['turns'])['used'] === 1 && seat['state'] === 'ready', 'small');
  await post(`/sidebars/${sidebar}/messages`, { content: '@small play:look' });
  await check('a budget that is used up lets no other turn begin', async () => {
    const resting = await seatWhere('resting', ({ state }) => state === 'resting', 'small');
    assert.match(asText(resting['reason']) ?? '', /turns/u);
    assert.equal(asRaw(resting['turns'])['used'], 1);
  });

  await check('its finding is merged', async () => {
    const [finding] = await findingsOf(board, sidebar, 'pending_findings');
    const entry = encodeURIComponent(asText(finding?.['entry_id']) ?? '');
    await post(`/sidebars/${sidebar}/findings/${entry}/validation`, { status: 'confirmed' });
    await post(`/sidebars/${sidebar}/finish`, { summary: 'The cache was cold.' });
    assert.equal((await board.get(`/sidebars/${sidebar}`)).body['status'], 'MERGED');
  });
};

const leafOf = async (board: Board, session: string): Promise<string> => {
  const { body } = await board.get(`/sessions/${session}/messages?limit=500`);
  const messages = (Array.isArray(body['messages']) ? body['messages'] : []).map(asRaw);
  const leaf = messages.find((one) => JSON.stringify(one).includes('A plain answer.'));
  const ref = asText(leaf?.['ref']) ?? asText(leaf?.['uuid']) ?? '';
  assert.notEqual(ref, '');
  return ref;
};

const sourceOf = (board: Board, session: string, project: string): string =>
  join(board.claudeFolder, '.claude', 'projects', project.replaceAll(/[^0-9A-Za-z]/gu, '-'), `${session}.jsonl`);

/** What reaches the model of the play, and nobody else. */
const PASSED = [
  'ANTHROPIC_AUTH_TOKEN',
  'CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC',
  'DISABLE_AUTOUPDATER',
  'IS_SANDBOX',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
] as const;

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Scenario } from './checks.ts';
import { start, type Running } from './process.ts';
import { CLI_VERSIONS, type CliVersion } from './programs.ts';
import {
  asRaw,
  asText,
  assertOnDisk,
  callsOf,
  recordsIn,
  resultsOf,
  textsOf,
  transcriptsIn,
  type ClaudeRecord,
  type Raw,
  type Transcript,
} from './records.ts';
import type { Surroundings } from './surroundings.ts';

/** What Yarnboard takes for granted of the real CLI: when a version changes it, this tells before anything else fails. */
export const cliScenarios = (surroundings: Surroundings): readonly Scenario[] =>
  CLI_VERSIONS.flatMap((version) => scenariosOf(surroundings, version));

const scenariosOf = (surroundings: Surroundings, version: CliVersion): readonly Scenario[] => {
  const isNew = version === '2.1.325';
  const named = (name: string, play: Scenario['play']): Scenario => ({ name: `claude ${version}, ${name}`, play });
  const folderFor = (name: string): string => surroundings.folder(`cli-${version}-${name}`);

  return [
    named('task', async (check) => {
      const folder = folderFor('task');
      const { code, out } = await claude(surroundings, version, folder, ['play:task']).ended();
      const streamed = recordsIn(out);
      const { session, agents } = sessionIn(folder);
      await check('ends with 0', () => assert.equal(code, 0));
      await check('writes one session and one sub-agent', () => assert.equal(agents.length, 1));
      await check('the sub-agent is linked to its call', () => {
        const [call] = callsOf(session.records);
        assert.equal(isNew ? agents[0]?.meta?.['toolUseId'] : agentOfResult(session.records, call?.id), isNew ? call?.id : agents[0]?.id);
      });
      await check('what is streamed has the uuid it has on disk', () => assertOnDisk(streamed, folder));
      await check('keeps every text', () => {
        assert.deepEqual(textsOf(session.records.filter(isReply)), ['Somebody else will look.', 'They looked around.']);
        assert.deepEqual(textsOf(agents[0]?.records ?? []), ['play:look Look around and report.', 'Looking.', 'Nothing but a README.']);
      });
    }),

    named('parallel tasks', async (check) => {
      const folder = folderFor('both');
      const { code, out } = await claude(surroundings, version, folder, ['play:both']).ended();
      const { session, agents } = sessionIn(folder);
      await check('ends with 0', () => assert.equal(code, 0));
      await check('writes two sub-agents, each linked to its own call', () => {
        const calls = callsOf(session.records);
        assert.equal(calls.length, 2);
        const linked = isNew
          ? agents.map(({ meta }) => asText(meta?.['toolUseId']))
          : agents.map(({ id }) => calls.find((call) => agentOfResult(session.records, call.id) === id)?.id ?? null);
        assert.deepEqual(new Set(linked), new Set(calls.map(({ id }) => id)));
      });
      await check('what is streamed has the uuid it has on disk', () => assertOnDisk(recordsIn(out), folder));
    }),

    named('background task', async (check) => {
      const folder = folderFor('background');
      const { code } = await claude(surroundings, version, folder, ['play:background']).ended();
      const { session, agents } = sessionIn(folder);
      await check('ends with 0', () => assert.equal(code, 0));
      await check('the call returns before the sub-agent does', () => {
        assert.equal(agents.length, 1);
        const result = session.records.map(({ raw }) => asRaw(raw['toolUseResult'])).find((raw) => 'agentId' in raw);
        assert.equal(result?.['status'], 'async_launched');
        assert.equal(result?.['agentId'], agents[0]?.id);
      });
    }),

    named('resume and fork', async (check) => {
      const folder = folderFor('resume');
      const hooks = join(folder, 'hooks.jsonl');
      const begin = await claude(surroundings, version, folder, ['--settings', hooksInto(hooks), 'play:plain']).ended();
      const { session } = sessionIn(folder);
      await check('begins', () => assert.equal(begin.code, 0));
      await check('the session-start hook tells where the transcript will be', () => {
        const [first] = hooksIn(hooks);
        assert.equal(first?.['source'], 'startup');
        assert.equal(first?.['session_id'], session.id);
        assert.equal(first?.['transcript_path'], join(folder, '.claude', 'projects', session.path));
      });
      await claude(surroundings, version, folder, ['--settings', hooksInto(hooks), '--resume', session.id, 'play:again']).ended();
      await check('a resume goes on in the same file', () => {
        const after = sessionIn(folder).session;
        assert.equal(after.id, session.id);
        assert.deepEqual(textsOf(after.records.filter(isReply)), ['A plain answer.', 'An answer to what came later.']);
        assert.equal(hooksIn(hooks).findLast((hook) => hook['hook_event_name'] === 'SessionStart')?.['source'], 'resume');
      });
      const forking = await claude(surroundings, version, folder, [
        '--settings',
        hooksInto(hooks),
        '--resume',
        session.id,
        '--fork-session',
        'play:plain',
      ]).ended();
      await check('a fork is a new file that repeats the old records under their uuids', () => {
        const forkId = recordsIn(forking.out).find(({ subtype }) => subtype === 'init')?.sessionId;
        const fork = transcriptsIn(folder).find(({ id }) => id === forkId);
        assert.notEqual(forkId, session.id);
        const uuids = new Set(fork?.records.map(({ uuid }) => uuid));
        assert.ok(session.records.filter(isReply).every(({ uuid }) => uuids.has(uuid)));
      });
      await check(isNew ? 'the hook tells a fork by its new id' : 'the hook tells a fork by the old id, only its end by the new one', () => {
        const [begun, finished] = hooksIn(hooks).slice(-2);
        assert.deepEqual([begun?.['source'], begun?.['session_id'] === session.id], isNew ? ['fork', false] : ['resume', true]);
        assert.deepEqual([finished?.['hook_event_name'], finished?.['session_id'] === session.id], ['SessionEnd', false]);
      });
    }),

    named('compaction', async (check) => {
      const folder = folderFor('compact');
      const hooks = join(folder, 'hooks.jsonl');
      await claude(surroundings, version, folder, ['play:tool']).ended();
      const { id } = sessionIn(folder).session;
      const { code } = await claude(surroundings, version, folder, ['--settings', hooksInto(hooks), '--resume', id, '/compact']).ended();
      const { records } = sessionIn(folder).session;
      await check('ends with 0', () => assert.equal(code, 0));
      await check('stays in its file, with a boundary and a summary', () => {
        assert.equal(records.filter(({ subtype }) => subtype === 'compact_boundary').length, 1);
        assert.equal(records.filter(({ raw }) => raw['isCompactSummary'] === true).length, 1);
      });
      await check('the hook tells of it', () => {
        const sources = hooksIn(hooks).filter((hook) => hook['hook_event_name'] === 'SessionStart');
        assert.deepEqual(
          sources.map((hook) => [hook['source'], hook['session_id'] === id]),
          [
            ['resume', true],
            ['compact', true],
          ],
        );
      });
    }),

    named('interrupted', async (check) => {
      const folder = folderFor('interrupt');
      const running = claude(surroundings, version, folder, ['play:long']);
      await surroundings.longBegan();
      running.kill('SIGINT');
      const { code } = await running.ended();
      const { records } = sessionIn(folder).session;
      await check('ends with 0 all the same', () => assert.equal(code, 0));
      await check(isNew ? 'says on disk that it was interrupted' : 'leaves the call without a result', () => {
        assert.equal(resultsOf(records).filter(({ isError }) => isError).length, isNew ? 1 : 0);
        assert.equal(textsOf(records).includes('[Request interrupted by user for tool use]'), isNew);
      });
    }),

    named('refused by the model', async (check) => {
      const folder = folderFor('broken');
      const { code } = await claude(surroundings, version, folder, ['play:broken']).ended();
      await check('ends with 1', () => assert.equal(code, 1));
    }),

    named('hooks', async (check) => {
      const folder = folderFor('hooks');
      mkdirSync(join(folder, '.claude'));
      writeFileSync(join(folder, '.claude', 'settings.json'), hooksInto(join(folder, 'own.jsonl')));
      await claude(surroundings, version, folder, ['--settings', hooksInto(join(folder, 'given.jsonl')), 'play:plain']).ended();
      await check("the user's and those of --settings all run", () => {
        for (const name of ['own.jsonl', 'given.jsonl'])
          assert.deepEqual(
            hooksIn(join(folder, name)).map((hook) => hook['hook_event_name']),
            ['SessionStart', 'SessionEnd'],
          );
      });
    }),
  ];
};

const claude = (surroundings: Surroundings, version: CliVersion, claudeFolder: string, args: readonly string[]): Running =>
  start(surroundings, {
    program: surroundings.programs.claude(version),
    args: ['-p', '--output-format', 'stream-json', '--verbose', '--dangerously-skip-permissions', ...args],
    env: surroundings.env({ claudeFolder, version }),
  });

/** The one session of a folder, and its sub-agents. */
const sessionIn = (claudeFolder: string): { readonly session: Transcript; readonly agents: readonly Transcript[] } => {
  const transcripts = transcriptsIn(claudeFolder);
  const sessions = transcripts.filter(({ isAgent }) => !isAgent);
  const [session] = sessions;
  assert.ok(session !== undefined && sessions.length === 1, `expected one session, found ${sessions.map(({ path }) => path).join(', ')}`);
  return { session, agents: transcripts.filter(({ isAgent }) => isAgent) };
};

const isReply = ({ type }: ClaudeRecord): boolean => type === 'assistant';

const agentOfResult = (records: readonly ClaudeRecord[], call: string | undefined): string | null => {
  const record = records.find(({ blocks }) => blocks.some((block) => block.kind === 'result' && block.call === call));
  return asText(asRaw(record?.raw['toolUseResult'])['agentId']);
};

const hooksInto = (file: string): string => {
  // One write of a whole line: hooks of the same event run at the same time.
  const command = `node -e "require('fs').appendFileSync(process.argv[1], require('fs').readFileSync(0, 'utf8').trim() + '\\n')" '${file}'`;
  const hooks = [{ hooks: [{ type: 'command', command }] }];
  return JSON.stringify({ hooks: { SessionStart: hooks, SessionEnd: hooks } });
};

const hooksIn = (file: string): readonly Raw[] => recordsIn(readFileSync(file, 'utf8')).map(({ raw }) => raw);

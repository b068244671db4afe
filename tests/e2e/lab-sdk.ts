import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { startSdkSession, type SdkSession } from './agent-sdk.ts';
import type { Scenario } from './checks.ts';
import { assertOnDisk, callsOf, resultsOf, textsOf, transcriptsIn, type ClaudeRecord } from './records.ts';
import type { Surroundings } from './surroundings.ts';

/** What Yarnboard takes for granted of the real Agent SDK. */
export const sdkScenarios = (surroundings: Surroundings): readonly Scenario[] => {
  const named = (name: string, play: Scenario['play']): Scenario => ({ name: `agent sdk, ${name}`, play });

  return [
    named('task', async (check) => {
      const folder = surroundings.folder('sdk-task');
      const session = await startSdkSession(surroundings, folder, { forwardSubagentText: true, extraArgs: { 'replay-user-messages': null } });
      const uuid = randomUUID();
      session.say('play:task', uuid);
      await heardResult(session);
      assert.equal(await session.end(), null);
      const { heard } = session;
      await check('the prompt has our uuid, in the stream and on disk', () => {
        assert.ok(heard.some((record) => record.uuid === uuid && record.raw['isReplay'] === true));
        assert.ok(transcriptsIn(folder).some(({ records }) => records.some((record) => record.uuid === uuid)));
      });
      await check('a sub-agent is announced, with its id and its call, before it speaks', () => {
        const started = heard.findIndex(({ subtype }) => subtype === 'task_started');
        const firstWord = heard.findIndex(({ parentCall }) => parentCall !== null);
        assert.ok(started >= 0 && started < firstWord);
        assert.equal(heard[started]?.raw['task_id'], transcriptsIn(folder).find(({ isAgent }) => isAgent)?.id);
        assert.equal(heard[started]?.raw['tool_use_id'], callsOf(heard)[0]?.id);
      });
      await check('its texts are streamed when asked for', () =>
        assert.deepEqual(textsOf(heard.filter(({ parentCall, type }) => parentCall !== null && type === 'assistant')), [
          'Looking.',
          'Nothing but a README.',
        ]),
      );
      await check('what is streamed has the uuid it has on disk', () => assertOnDisk(heard, folder));
    }),

    named('background task', async (check) => {
      const folder = surroundings.folder('sdk-background');
      const session = await startSdkSession(surroundings, folder, { forwardSubagentText: true });
      session.say('play:background');
      await session.hear('the turn after the sub-agent is back', (record) => textsOf([record]).includes('They are back.'));
      assert.equal(await session.end(), null);
      await check('its return is told, and one prompt has two results', () => {
        assert.equal(session.heard.filter(({ subtype }) => subtype === 'task_notification').length, 1);
        assert.equal(session.heard.filter(({ type }) => type === 'result').length, 2);
      });
      await check('what is streamed has the uuid it has on disk', () => assertOnDisk(session.heard, folder));
    }),

    named('permission', async (check) => {
      const folder = surroundings.folder('sdk-permission');
      const made = join(surroundings.project, 'made.txt');
      const denied = await startSdkSession(surroundings, folder, {}, () => ({ behavior: 'deny', message: 'rather not' }));
      denied.say('play:write');
      await heardResult(denied);
      await denied.end();
      await check('is asked after the call was streamed, with its id', () => {
        const [question] = denied.asked;
        assert.equal(question?.tool, 'Write');
        assert.equal(question?.toolUseID, callsOf(denied.heard.slice(0, question?.heardBefore))[0]?.id);
      });
      await check('a refusal is the result of the call, and the turn goes on', () => {
        assert.deepEqual(
          resultsOf(denied.heard).map(({ isError, text }) => [isError, text]),
          [[true, 'rather not']],
        );
        assert.ok(textsOf(denied.heard).includes('That is settled.'));
        assert.equal(existsSync(made), false);
      });
      const allowed = await startSdkSession(surroundings, surroundings.folder('sdk-allowed'), {});
      allowed.say('play:write');
      await heardResult(allowed);
      await allowed.end();
      await check('leave lets the tool run', () => {
        assert.equal(resultsOf(allowed.heard)[0]?.isError, false);
        assert.equal(existsSync(made), true);
      });
    }),

    named('permission in a sub-agent', async (check) => {
      const folder = surroundings.folder('sdk-helper');
      const session = await startSdkSession(surroundings, folder, { forwardSubagentText: true });
      session.say('play:helper');
      await heardResult(session);
      await session.end();
      await check('is asked in its name, after the call was streamed', () => {
        const [question] = session.asked;
        assert.equal(question?.tool, 'Write');
        assert.equal(question?.agentID, transcriptsIn(folder).find(({ isAgent }) => isAgent)?.id);
        assert.ok(callsOf(session.heard.slice(0, question?.heardBefore)).some(({ id }) => id === question?.toolUseID));
      });
    }),

    named('interrupted and resumed', async (check) => {
      const folder = surroundings.folder('sdk-interrupt');
      const gate = surroundings.model.hold('slow', 0, 'in-text');
      const session = await startSdkSession(surroundings, folder, {});
      session.say('play:slow');
      await gate.reached;
      await session.interrupt();
      const { raw } = await heardResult(session);
      gate.release();
      await check('an interrupt ends the turn with a marker and a failed result', () => {
        assert.deepEqual([raw['subtype'], raw['terminal_reason']], ['error_during_execution', 'aborted_streaming']);
        assert.ok(textsOf(session.heard).includes('[Request interrupted by user]'));
      });
      session.say('play:again');
      await session.hear('the next answer', (record) => textsOf([record]).includes('An answer to what came later.'));
      await check('the same session takes another prompt', async () => assert.equal(await session.end(), null));
      await check('what is streamed has the uuid it has on disk', () => assertOnDisk(session.heard, folder));

      const id = session.heard.find(({ sessionId }) => sessionId !== null)?.sessionId ?? '';
      const resumed = await idAfter(surroundings, folder, { resume: id });
      const forked = await idAfter(surroundings, folder, { resume: id, forkSession: true });
      await check('a resume keeps the id, a fork has a new one', () => assert.deepEqual([resumed === id, forked === id], [true, false]));
    }),

    named('aborted', async (check) => {
      const folder = surroundings.folder('sdk-abort');
      const session = await startSdkSession(surroundings, folder, {});
      session.say('play:long');
      await surroundings.longBegan();
      session.abort();
      const error = await session.end();
      await check('ends with an error that says so', () => assert.match(error?.message ?? '', /abort/iu));
      await check('leaves the call without a result', () => {
        const records = transcriptsIn(folder).flatMap((transcript) => transcript.records);
        assert.deepEqual([callsOf(records).length, resultsOf(records).length], [1, 0]);
      });
    }),
  ];
};

const heardResult = (session: SdkSession): Promise<ClaudeRecord> => session.hear('a result', ({ type }) => type === 'result');

const idAfter = async (surroundings: Surroundings, folder: string, options: object): Promise<string | null> => {
  const session = await startSdkSession(surroundings, folder, options);
  session.say('play:plain');
  const { sessionId } = await session.hear('its id', ({ subtype }) => subtype === 'init');
  await heardResult(session);
  await session.end();
  return sessionId;
};

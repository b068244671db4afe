import { assertNever } from '@yarnboard/domain';
import { decodeEnvelope, foreign, MOST_INLINE_BYTES, PROMPT_IMAGES, type Inside, type InputOf, type OutputOf } from '@yarnboard/protocol';
import { resumeCommand, type JsonObject } from '@yarnboard/transcript';
import { grantsIn, scopesOf } from '../launches/permission-grants.ts';
import type { RunView } from '../launches/run-view.ts';
import type { PromptImage } from '../launches/prompt-content.ts';
import type { RunRefusal } from '../launches/run-refusal.ts';
import type { Runs } from '../launches/runs.ts';
import { timeOf } from '../sessions/session-view.ts';
import { lookInto } from './board/mime.ts';
import { pageOf } from './request/cursor.ts';
import { findSession, type SessionNames } from './request/find-session.ts';
import { refuseMasks } from './request/refuse-masks.ts';
import { Refused, refusedFor } from './request/refusal.ts';
import type { Launches } from '../launches/launches.ts';

export type RunsNeeds = SessionNames & {
  readonly runs: Pick<
    Runs,
    'load' | 'list' | 'find' | 'start' | 'send' | 'change' | 'unsend' | 'interrupt' | 'answer' | 'abort' | 'end' | 'toLocal' | 'toRemote'
  >;
  readonly launches: Pick<Launches, 'of'>;
};

// Foreign keys inside a run keep their names. Answer types can't express that, but the schema checks it.
export type Told = Omit<Inside<OutputOf<'run'>>, 'pending' | 'counts'> & { readonly pending: readonly object[]; readonly counts: object };

export const listRuns = async (needs: RunsNeeds, { ended, limit, cursor }: InputOf<'runs'>): Promise<object> => {
  await needs.runs.load();
  const { items, nextCursor } = pageOf(
    needs.runs.list().filter(({ state }) => ended || state !== 'ended'),
    limit,
    cursor,
  );
  return { items: items.map(told), nextCursor };
};

export const showRun = async (needs: RunsNeeds, { id }: InputOf<'run'>): Promise<Told> => {
  await needs.runs.load();
  const run = needs.runs.find(id);
  if (run === null) throw refusal({ kind: 'no-run', runId: id });
  return told(run);
};

export const startRun = async (needs: RunsNeeds, input: InputOf<'start_run'>): Promise<Told> => {
  if (input.resume === undefined && (input.fork || input.resume_at !== undefined)) throw refusedFor('resume-missing', {});
  const source = input.resume === undefined ? null : await sourceOf(needs, input.resume);
  const cwd = input.cwd ?? source?.cwd ?? null;
  if (cwd === null) throw refusedFor('directory-missing', {});
  if (input.prompt === undefined && (input.images ?? []).length > 0) throw refusedFor('images-without-text', {});
  const done = await needs.runs.start(
    {
      cwd,
      prompt: input.prompt ?? null,
      resume: source?.sessionId ?? null,
      fork: input.fork,
      resumeAt: input.resume_at ?? null,
      model: input.model ?? null,
      permissionMode: input.permission_mode ?? null,
      maxTurns: input.max_turns ?? null,
      images: imagesIn(input.images),
    },
    OPERATOR,
  );
  return told(taken(done));
};

export const sendMessage = async (
  needs: RunsNeeds,
  { id, text, envelope, images, uuid: wanted, queue }: InputOf<'send_message'>,
): Promise<object> => {
  const { uuid, run } = taken(
    await needs.runs.send(id, textIn(text, envelope), {
      isQueued: queue,
      ...(wanted === undefined ? {} : { uuid: wanted }),
      images: imagesIn(images),
    }),
  );
  return { uuid, run: told(run) };
};

export const answerPermission = async (needs: RunsNeeds, input: InputOf<'answer_permission'>): Promise<Told> => {
  const { id, request_id: requestId, decision, message, updated_input: updatedInput, interrupt, always } = input;
  if (decision === 'allow' && (message !== undefined || interrupt))
    throw refusedFor('inputs-do-not-fit', { inputs: ['message', 'interrupt'], input: 'decision', value: 'deny' });
  const ofAllow = [...(updatedInput === undefined ? [] : ['updated_input']), ...(always === undefined ? [] : ['always'])];
  if (decision === 'deny' && ofAllow.length > 0) throw refusedFor('inputs-do-not-fit', { inputs: ofAllow, input: 'decision', value: 'allow' });
  const asked = needs.runs.find(id)?.pending.find((one) => one.requestId === requestId);
  if (asked !== undefined && updatedInput !== undefined) refuseMasks('updated_input', asked.input, updatedInput);
  if (asked !== undefined && always !== undefined && !scopesOf(grantsIn(asked.suggestions)).includes(always))
    throw refusedFor('not-for-good', { request: requestId, scope: always });
  const answer =
    decision === 'allow'
      ? { decision, updatedInput: (updatedInput as JsonObject | undefined) ?? null, ...(always === undefined ? {} : { scope: always }) } // parsed from a JSON body
      : { decision, message: message ?? null, interrupt };
  return told(taken(await needs.runs.answer(id, requestId, answer, OPERATOR)));
};

export const changeMessage = async (needs: RunsNeeds, { id, uuid, text }: InputOf<'change_message'>): Promise<Told> => {
  const queued = needs.runs.find(id)?.queued.find((one) => one.uuid === uuid);
  if (queued !== undefined) refuseMasks('text', queued.text, text);
  return told(taken(await needs.runs.change(id, uuid, text)));
};

export const unsendMessage = async (needs: RunsNeeds, { id, uuid }: InputOf<'unsend_message'>): Promise<Told> =>
  told(taken(await needs.runs.unsend(id, uuid)));

export const interruptRun = async (needs: RunsNeeds, { id }: InputOf<'interrupt_run'>): Promise<Told> => told(taken(await needs.runs.interrupt(id)));

export const abortRun = async (needs: RunsNeeds, { id }: InputOf<'abort_run'>): Promise<Told> => told(taken(await needs.runs.abort(id)));

export const endRun = async (needs: RunsNeeds, { id }: InputOf<'end_run'>): Promise<Told> => told(taken(await needs.runs.end(id)));

export const switchSession = async (needs: RunsNeeds, { id, to, prompt }: InputOf<'switch_session'>): Promise<object> => {
  const { sessionId, cwd } = await sourceOf(needs, id);
  if (to === 'local') {
    if (prompt !== undefined) throw refusedFor('inputs-do-not-fit', { inputs: ['prompt'], input: 'to', value: 'remote' });
    const done = taken(await needs.runs.toLocal(sessionId));
    if (done.to !== 'local') throw new Error('it was asked for the terminal');
    return { to, run: null, sessionId: done.sessionId, isTaken: done.isTaken, command: done.isTaken ? null : resumeCommand(done.sessionId, cwd) };
  }
  if (cwd === null) throw refusedFor('directory-unknown', { session: sessionId });
  const done = taken(await needs.runs.toRemote(sessionId, { cwd, prompt: prompt ?? null }, OPERATOR));
  if (done.to !== 'remote') throw new Error('it was asked for a run');
  return { to, run: told(done.run), sessionId: done.run.sessionId, isTaken: true, command: null };
};

/** The session to start from, and its directory. A session unknown here may still be known to Claude Code. */
const sourceOf = async (needs: RunsNeeds, wanted: string): Promise<{ readonly sessionId: string; readonly cwd: string | null }> => {
  const live = needs.runs.list().find(({ sessionId, state }) => sessionId === wanted && state !== 'ended');
  if (live !== undefined) return { sessionId: wanted, cwd: live.cwd };
  const launch = needs.launches.of(wanted);
  if (launch !== null) return { sessionId: wanted, cwd: launch.cwd };
  try {
    const found = await findSession(needs, wanted);
    return found.kind === 'imported'
      ? { sessionId: found.row.sessionId, cwd: found.row.project }
      : { sessionId: found.pending.group.sessionId, cwd: found.pending.outline.project };
  } catch (cause) {
    if (cause instanceof Refused && cause.code === 'not-found' && UUID.test(wanted)) return { sessionId: wanted, cwd: null };
    throw cause;
  }
};

/** RUN-41: checks a prompt's images here, because an invalid one would end the turn. Their type is what they begin with: names may be wrong. */
const imagesIn = (given: InputOf<'send_message'>['images']): readonly PromptImage[] => {
  const images = (given ?? []).map(({ media_type: mediaType, data }, n) => {
    const seen = lookInto(data, '');
    const type = 'why' in seen ? undefined : PROMPT_IMAGES.find((known) => known === seen.mime);
    if ('why' in seen || type === undefined) throw refusedFor('no-image', { nth: n + 1, type: mediaType });
    // Claude's service accepts canonical base64 only.
    return { mediaType: type, data: Buffer.from(data, 'base64').toString('base64'), size: seen.size };
  });
  const bytes = images.reduce((sum, { size }) => sum + size, 0);
  if (bytes > MOST_INLINE_BYTES) throw refusedFor('images-too-large', { bytes, most: MOST_INLINE_BYTES });
  return images.map(({ mediaType, data }) => ({ mediaType, data }));
};

const textIn = (text: string | undefined, envelope: Readonly<Record<string, unknown>> | undefined): string => {
  if ((text === undefined) === (envelope === undefined)) throw refusedFor('text-or-envelope', {});
  if (envelope === undefined) return text ?? '';
  const decoded = decodeEnvelope(envelope);
  if (!decoded.ok) throw new Refused('bad-envelope', `${decoded.error.field}: ${decoded.error.why}`);
  const { role, ev } = decoded.value;
  if (role !== 'user') throw new Refused('bad-envelope', `role must be user, not ${role}`);
  if (ev.t !== 'text') throw new Refused('bad-envelope', `ev.t must be text, not ${ev.t}; name a file in the text`);
  if (ev.text === '') throw new Refused('bad-envelope', 'ev.text is empty');
  return ev.text;
};

// `permissions` lists the answers, `holder` the slash commands, and `session_rules` what it need not ask for.
export const told = ({ answers: _answers, slashCommands: _slashCommands, lasting: _lasting, ...run }: RunView): Told => ({
  ...run,
  startedAt: timeOf(run.startedAt),
  endedAt: timeOf(run.endedAt),
  queued: run.queued.map(({ uuid, text, images, at }) => ({ uuid, text, images: images?.length ?? 0, at: timeOf(at) })),
  pending: run.pending.map(({ input, suggestions, askedAt, ...rest }) => ({
    ...rest,
    input: foreign(input),
    suggestions: foreign(suggestions),
    askedAt: timeOf(askedAt),
  })),
  counts: countsOf(run.counts),
});

// The cost is its own field beside the counts; on the log it is one of them.
const countsOf = ({ messages, records, turns, permissions, left }: RunView['counts']): object => ({
  messages,
  records,
  turns,
  permissions,
  left: foreign(left),
});

const taken = <T>(result: { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: RunRefusal }): T => {
  if (result.ok) return result.value;
  throw refusal(result.error);
};

const refusal = (why: RunRefusal): Refused => {
  switch (why.kind) {
    case 'no-run':
      return refusedFor('unknown-run', { run: why.runId });
    case 'ended':
      return refusedFor('run-ended', { run: why.runId });
    case 'elsewhere':
      return new Refused('session-busy', `run ${why.runId} is on another server of this board (${why.host}); use that one`);
    case 'bad-directory':
      return new Refused('bad-directory', DIRECTORY[why.why](why.cwd));
    case 'no-sdk':
      return new Refused('sdk-missing', why.why);
    case 'busy':
      return why.runId === null
        ? refusedFor('session-in-terminal', { session: why.sessionId })
        : refusedFor('session-has-run', { session: why.sessionId, run: why.runId });
    case 'not-released':
      return new Refused('session-busy', `session ${why.sessionId} could not be switched: ${why.why}`);
    case 'queue-full':
      return refusedFor('queue-full', { run: why.runId, most: why.most });
    case 'queue-too-long':
      return refusedFor('queue-too-long', { run: why.runId, most: why.most });
    case 'heard':
      return refusedFor('message-heard', { run: why.runId, message: why.uuid });
    case 'no-request':
      return refusedFor('unknown-request', { run: why.runId, request: why.requestId });
    case 'settled':
      return new Refused(
        'already-answered',
        why.how === 'answered' ? `request ${why.requestId} was already answered` : `request ${why.requestId} was withdrawn before anyone answered`,
      );
    case 'stopping':
      return new Refused('store-unavailable', 'the server is stopping');
    case 'importing':
      return new Refused('store-unavailable', 'transcripts are still being imported; try again later');
    default:
      return assertNever(why);
  }
};

const DIRECTORY = {
  relative: (cwd: string) => `"${cwd}" is no absolute path; the server does not know where you stand`,
  missing: (cwd: string) => `there is no directory "${cwd}" on the server's machine`,
  'no-directory': (cwd: string) => `"${cwd}" is no directory`,
  excluded: (cwd: string) => `"${cwd}" belongs to a project that settings.json excludes; none of it may be on the log`,
} as const;

const OPERATOR = { name: 'human', type: 'human' } as const;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/iu;

import { randomUUID } from 'node:crypto';
import { agentIdOf, planOf, recruitmentsIn, type Actor, type Command } from '@yarnboard/domain';
import {
  BOARD_OPERATIONS,
  commandOf,
  encodeEvent,
  foreign,
  isBoardCommand,
  toWire,
  type BoardCommand,
  type Given,
  type InputOf,
} from '@yarnboard/protocol';
import type { MediaPort, Store } from '@yarnboard/store';
import type { Engine } from '../../engine/engine.ts';
import type { Outcome, Waits } from '../../engine/outcomes.ts';
import { newToken, tokenHashOf } from '../../home/token.ts';
import type { Asking } from '../request/asker.ts';
import { changedInput } from '../request/changed-input.ts';
import { fingerprintOf } from '../request/fingerprint.ts';
import { Refused, refusedFor } from '../request/refusal.ts';
import { lookInto, mimeOf } from './mime.ts';
import { namesOf } from './names.ts';
import type { ChecksView } from './validation.ts';
import { findSession, sessionIdOf } from '../request/find-session.ts';
import { originFor, targetFor, type PlacesNeeds } from './places.ts';
import { equippedWarnings } from './equipped-warnings.ts';
import type { RuntimesView } from '../../runtimes/runtimes-view.ts';

export type CommandNeeds = PlacesNeeds & {
  readonly engine: Pick<Engine, 'execute' | 'language' | 'position'>;
  readonly store: Pick<Store, 'media'>;
  readonly media: { readonly claimMedia: MediaPort['claim'] };
  readonly runtimes: Pick<RuntimesView, 'names' | 'settings' | 'problemOf'>;
  readonly checks: Pick<ChecksView, 'check'>;
};

type CommandHandlers = { readonly [N in BoardCommand]: (input: InputOf<N>, asking: Asking) => Promise<unknown> };

/** The handlers of all operations that run a board command. */
export const commandHandlers = (needs: CommandNeeds): CommandHandlers =>
  Object.fromEntries(
    Object.keys(BOARD_OPERATIONS)
      .filter(isBoardCommand)
      .map((name) => [name, async (input: Common, asking: Asking) => toWire(await run(needs, name, input, asking))]),
  ) as unknown as CommandHandlers; // one per name, all of the same shape

/** The inputs that every command accepts. */
type Common = {
  readonly message_id?: string | undefined;
  readonly sender_agent_id?: string | undefined;
  readonly if_seq?: number | undefined;
  readonly dry_run?: boolean | undefined;
};

const run = async (needs: CommandNeeds, name: BoardCommand, input: Common, asking: Asking): Promise<object> => {
  const actor = actorOf(asking, input.sender_agent_id);
  await refuseUnborn(needs, input.if_seq);
  let token: string | null = null;
  const given: Given = {
    actor: actor.id,
    originFor: (parentId) => originFor(needs, parentId),
    sessionFor: async (id) => sessionIdOf(await findSession(needs, id)),
    targetFor: (parentId) => targetFor(needs, parentId),
    lookInto,
    lookIntoUpload: (sha256, path) => lookIntoUpload(needs, sha256, path),
    knownRuntime: (name) => {
      const known = needs.runtimes.names();
      if (!known.includes(name)) throw refusedFor('unknown-runtime', { asked: name.slice(0, 100), runtimes: [...known] });
      return name;
    },
    changedInput: (request, input) => changedInput(needs, request, input),
    newTokenHash: () => tokenHashOf((token = newToken())),
    checkClaim: async (sidebar, claim, words, isCore) => {
      const checked = await needs.checks.check(actor, { sidebar, claim, words, isCore });
      if (!checked.ok) throw new Refused(checked.error.code, checked.error);
      return checked.value;
    },
    refuse: (reason) => {
      throw refusedFor(reason, {});
    },
  };
  const command = await commandOf(name, input, given);
  if (input.dry_run === true) return plannedView(needs, command, actor);
  const messageId = asking.messageId ?? input.message_id?.toLowerCase() ?? randomUUID();
  const outcome = await needs.engine.execute({
    command,
    actor,
    messageId,
    client: asking.client.name,
    clientVersion: asking.client.version,
    claims: asking.claims,
    circumstances: asking.circumstances,
    fingerprint: fingerprintOf(name, input),
    canQueue: asking.canQueue !== false,
    ...(input.if_seq === undefined ? {} : { ifSeq: input.if_seq }),
  });
  if (outcome.kind === 'queued') return queuedView(messageId, outcome);
  const done = doneView(needs, messageId, outcome);
  return token === null ? done : { ...done, ...shownOnce(command, token, done.duplicate) };
};

/** Finds an earlier upload and claims it for another day, because nothing refers to it until the command is decided. */
const lookIntoUpload = async (needs: CommandNeeds, sha256: string, path: string): ReturnType<Given['lookIntoUpload']> => {
  const stored = await needs.media.claimMedia(sha256);
  const head = stored === null ? null : await needs.store.media.part(sha256, 0);
  if (stored === null || head === null) throw refusedFor('unknown-upload', { asked: sha256 });
  return { size: stored.size, mime: mimeOf(Buffer.from(head), path), sha256 };
};

/** ENGINE-43: nobody can have seen an entry that isn't on the log yet. */
const refuseUnborn = async ({ store }: CommandNeeds, ifSeq: number | undefined): Promise<void> => {
  if (ifSeq === undefined) return;
  const { count } = await store.log.head();
  if (ifSeq > count) throw refusedFor('beyond-the-log', { seq: ifSeq, end: count });
};

/** SEC-14: the token determines the sender, whatever the command claims. */
export const actorOf = ({ asker }: Asking, claimed: string | undefined): Actor => {
  const { actor } = asker;
  if (actor === null) throw new Refused('token-needed', 'a token is needed, which says who you are');
  if (claimed !== undefined && agentIdOf(claimed) !== actor.id) {
    throw refusedFor('forged-sender', { actor: actor.id, claimed: claimed.slice(0, 100) });
  }
  return actor;
};

/** LOAD-11: a dry run. It decides nothing and writes nothing to the log. */
const plannedView = (needs: CommandNeeds, command: Command, actor: Actor): object => {
  const { engine } = needs;
  const facts = {
    now: 0,
    actor,
    newId: () => randomUUID(),
    refs: new Map(),
    isInherited: () => false,
    surfacings: () => [],
    language: engine.language,
  };
  const plan = planOf(engine.board(), command, facts);
  if (!plan.ok) throw new Refused(plan.error.code, plan.error);
  const nothing = { seq: engine.position(), ref: null, refs: [], duplicate: false, warnings: [], events: [] };
  return { messageId: randomUUID(), ...nothing, recruitments: plan.value, planned: true };
};

/** REC-52: a different shape on purpose: a client that mistakes it for `done` finds no position and no reference in it. */
const queuedView = (messageId: string, { cacheId, position, durableIn, uuid }: Waits): object => ({
  messageId,
  queued: true,
  cacheId,
  queuePosition: position,
  durableIn,
  uuid,
  message:
    durableIn.length === 1
      ? `queued as number ${position}, not on the log yet; it is durable in only one place (${durableIn.join()})`
      : `queued as number ${position}, not on the log yet`,
});

const doneView = (needs: CommandNeeds, messageId: string, outcome: Exclude<Outcome, Waits>) => {
  if (outcome.kind === 'rejected') throw new Refused(outcome.code, outcome);
  const names = namesOf(needs.engine.board());
  const isDone = outcome.kind === 'done';
  const recruitments = isDone ? recruitmentsIn(needs.engine.board(), needs.engine.language, outcome.events) : [];
  return {
    ...(recruitments.length === 0 ? {} : { recruitments }),
    messageId,
    seq: outcome.seq,
    ref: outcome.refs[0] ?? null,
    refs: outcome.refs,
    duplicate: !isDone,
    warnings: isDone ? [...outcome.warnings, ...equippedWarnings(outcome.events, needs.runtimes)] : [],
    events: isDone ? outcome.events.map((event) => foreign(encodeEvent(event, names))) : [],
  };
};

/** A token created for this command. It isn't stored, so resending the command can't show it again. */
const shownOnce = (command: Command, token: string, isDuplicate: boolean): object => {
  const agentId = 'agent' in command ? command.agent : null;
  if (isDuplicate) throw refusedFor('token-shown-once', { agent: agentId ?? '' });
  return { agentId, token };
};

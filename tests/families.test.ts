import { EVENT_TYPES } from '@yarnboard/domain';
import { BOARD_OPERATIONS, isBoardCommand, NAMES_OF_EVENTS, type BoardCommand } from '@yarnboard/protocol';
import { describe, expect, test } from 'vitest';
import { filesIn } from './source-files.ts';

const sources = filesIn('packages', /^packages\/(?!web\/)[^/]+\/src\/.*\.ts$/u)
  .map(({ path, text }) => ({ path: path.replace(/^packages\/([^/]+)\/src\//u, '$1/'), code: text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gmu, '') }))
  // A refusal may suggest any command, and a new one needs no suggestion.
  .filter(({ path }) => !path.startsWith('store/testing/') && !path.startsWith('protocol/wording/'));

/** What whoever adds a command has to name: its operation, the command itself, and the event that is told under the operation's name. */
const namesOf = (operation: BoardCommand): readonly string[] => [
  operation,
  BOARD_OPERATIONS[operation].command,
  ...EVENT_TYPES.filter((type) => NAMES_OF_EVENTS[type].some((name) => name === operation || name === `${operation}d`)),
];

/** The files that know one of these, as a text, a key or a property. What is only mentioned within a sentence is not known there. */
const filesThatKnow = (names: readonly string[]): readonly string[] => {
  const known = new RegExp(
    names
      .map((name) => name.replaceAll('.', String.raw`\.`))
      .map((name) => String.raw`'${name}'|\b${name}:|\.${name}\b`)
      .join('|'),
    'u',
  );
  return sources.filter(({ code }) => known.test(code)).map(({ path }) => path);
};

type Knowing = { readonly of: readonly BoardCommand[]; readonly why: string };

/** Files that do something of their own about certain commands. A command without such behaviour stands in none of them. */
const MORE: Readonly<Record<string, Knowing>> = {
  'cli/chat/conversation.ts': { of: ['chat_message'], why: 'a chat shows what is said as a conversation' },
  'cli/print/answer.ts': { of: ['sidebar_pause', 'relevance_score'], why: 'a type that all answers of commands share, and a column of citations' },
  'cli/registry/command-line.ts': { of: ['sidebar_spawn'], why: 'it guesses what a bare number after --from was meant to be' },
  'cli/registry/files.ts': { of: ['citation_created', 'media_uploaded'], why: 'files are read on the machine of whoever types' },
  'cli/registry/help.ts': { of: ['sidebar_spawn', 'citation_created', 'media_uploaded'], why: 'help has more to say about these' },
  'cli/registry/verbs.ts': { of: ['media_uploaded'], why: 'fields that are made of a file' },
  'cli/verbs/chat.ts': { of: ['sidebar_spawn'], why: 'a chat begins with a sidebar' },
  'domain/agents/capacity.ts': { of: ['sidebar_pause', 'agent_recruited'], why: 'whoever waited joins, and something is paused to make room' },
  'domain/agents/recruit.ts': { of: ['agent_recruited', 'agent_left'], why: 'recruiting has a file of its own, and who declines leaves' },
  'domain/auto-merge/evolve.ts': {
    of: ['sidebar_merge', 'sidebar_check_merge', 'sidebar_status_update'],
    why: 'what the human decides about a type of task is counted',
  },
  'domain/auto-merge/merging.ts': { of: ['sidebar_consolidate', 'sidebar_check_merge', 'sidebar_merge'], why: 'a merge may follow by itself' },
  'domain/auto-merge/problems.ts': {
    of: ['scratchpad_entry_validated', 'claim_settle', 'claim_validate', 'auto_merge_problem'],
    why: 'what was merged may turn out wrong by these',
  },
  'server/engine/writes.ts': {
    of: ['sidebar_consolidate', 'sidebar_check_merge', 'sidebar_merge'],
    why: 'work that wrote files is looked up for them',
  },
  'domain/board/decide.ts': { of: ['proposal_answer'], why: 'what was proposed may be any of several commands' },
  'domain/board/notices.ts': { of: ['sidebar_spawn', 'sidebar_child_spawn', 'sidebar_fork'], why: 'where a new sidebar happens is itself' },
  'domain/board/limits.ts': { of: ['media_uploaded'], why: 'bytes have a limit of their own' },
  'domain/messages/catalogue.ts': { of: ['sidebar_spawn'], why: 'what a new sidebar is told is a type that three commands share' },
  'domain/scratchpad/completion.ts': {
    of: ['memory_archive', 'memory_finalise'],
    why: 'checkpoints and ends keep findings, and have the last word on what is kept',
  },
  'domain/citations/decide.ts': { of: ['memory_archive', 'memory_finalise'], why: 'a GOLD is kept at once, and its curator has the last word' },
  'domain/scratchpad/episodes.ts': { of: ['memory_archive'], why: 'an episode is a row of what was told when it was kept' },
  'domain/scratchpad/decide.ts': { of: ['sidebar_child_spawn'], why: 'a conflict can be settled in a child' },
  'domain/sidebar/archive.ts': { of: ['sidebar_fork'], why: 'reopening archives and forks' },
  'domain/sidebar/finish.ts': { of: ['sidebar_consolidate', 'sidebar_check_merge', 'sidebar_merge'], why: 'finishing does all three' },
  'domain/sidebar/moves.ts': { of: ['proposal_answer'], why: 'it leaves this command of its family to another file' },
  'domain/sidebar/proposals.ts': {
    of: ['sidebar_status_update', 'sidebar_update', 'sidebar_archive', 'agent_recruited'],
    why: 'what was proposed is done when it is accepted',
  },
  'domain/sidebar/merge.ts': {
    of: ['sidebar_archive'],
    why: 'archiving has a file of its own',
  },
  'domain/sidebar/spawn.ts': {
    of: ['sidebar_status_update', 'sidebar_waiting_update'],
    why: 'the parent moves while a child is spawned, and may wait for it',
  },
  'protocol/families/citations.ts': { of: ['relevance_score'], why: 'a field of citations has the same name' },
  'protocol/families/definition.ts': { of: ['media_uploaded', 'claim_validate'], why: 'the server looks into the bytes, and runs the check' },
  'protocol/wire/sidebars.ts': { of: ['relevance_score'], why: 'a field of citations has the same name' },
  'server/board-checks.ts': {
    of: ['sidebar_spawn', 'sidebar_child_spawn', 'sidebar_fork', 'relevance_score', 'focus_set', 'validation_config'],
    why: 'what enters a focus or begins anew is checked by itself',
  },
  'server/doors/ws/frame.ts': { of: ['media_uploaded'], why: 'bytes are not held in memory' },
  'server/doors/ws/presence.ts': {
    of: ['agent_presence', 'agent_update', 'agent_token', 'agent_retire'],
    why: 'whoever connects is there, and whoever goes is not; a token that is taken back closes its connections',
  },
  'server/doors/ws/subscription.ts': {
    of: ['sidebar_spawn', 'sidebar_child_spawn', 'sidebar_fork'],
    why: 'a sidebar is found by the entry that spawned it',
  },
  'server/engine/claim-quotes.ts': {
    of: ['claim_settle', 'claim_validate', 'validation_overrule', 'memory_archive'],
    why: 'what was said of a claim is forgotten with it, and so is what keeps a message',
  },
  'server/engine/inherited.ts': {
    of: ['relevance_score', 'focus_set', 'claim_verify', 'claim_settle', 'claim_validate', 'memory_archive'],
    why: 'what they name must have been inherited, or said, which is looked up',
  },
  'server/engine/mark-warnings.ts': {
    of: [
      'scratchpad_entry_submitted',
      'scratchpad_entry_validated',
      'gold_created',
      'gold_validated',
      'sidebar_consolidate',
      'sidebar_check_merge',
      'sidebar_merge',
    ],
    why: 'what rests on something contradicted deserves a warning',
  },
  'server/engine/memory.ts': { of: ['chat_message'], why: 'memory is read from what was said' },
  'server/engine/quotes.ts': {
    of: [
      'sidebar_consolidate',
      'sidebar_merge',
      'sidebar_archive',
      'chat_message',
      'mention_route',
      'scratchpad_entry_submitted',
      'gold_created',
      'memory_archive',
    ],
    why: 'these quote others, and what they quote may be forgotten',
  },
  'server/engine/references.ts': { of: ['chat_message'], why: 'references are found in what is said' },
  'server/engine/surfacings.ts': {
    of: ['gold_created', 'gold_validated', 'gold_answered'],
    why: 'a GOLD surfaces as long as it stands and is wanted',
  },
  'server/engine/warnings.ts': {
    of: [
      'sidebar_spawn',
      'sidebar_child_spawn',
      'sidebar_fork',
      'chat_message',
      'scratchpad_entry_submitted',
      'citation_created',
      'gold_created',
      'agent_recruited',
      'mention_route',
    ],
    why: 'they may be done and still deserve a warning',
  },
  'domain/agents/seat-runs.ts': {
    of: ['sidebar_spawn', 'sidebar_child_spawn', 'sidebar_fork', 'agent_recruited'],
    why: 'what agents set going by themselves is counted',
  },
  'server/followers/checks.ts': { of: ['claim_validate'], why: 'checks run by themselves as well' },
  'server/validators/claim-checks.ts': { of: ['claim_validate'], why: 'whether a check may be run is decided before it is' },
  'server/followers/duties.ts': { of: ['sidebar_status_update', 'sidebar_archive'], why: 'deadlines and time do these as well' },
  'server/followers/company.ts': { of: ['agent_presence'], why: 'whom no server answers for any more is offline' },
  'server/followers/crash-duties.ts': { of: ['chat_message'], why: 'the last words of whoever disappeared are told' },
  'server/followers/permission-duties.ts': { of: ['permission_answer'], why: 'what nobody answers is denied' },
  'server/operations/commands.ts': {
    of: [
      'sidebar_test_result',
      'chat_message',
      'scratchpad_entry_submitted',
      'scratchpad_checkpoint',
      'citation_created',
      'media_uploaded',
      'gold_created',
    ],
    why: 'what people wrote can be forgotten',
  },
  'server/operations/request/reach.ts': {
    of: ['agent_presence', 'memory_archive', 'confidence_set'],
    why: 'a seat says of itself that it is there, and keeps what it may read',
  },
  'server/runtimes/concerns.ts': { of: ['chat_message'], why: 'a seat may respond to everything that is said' },
  'server/runtimes/live-seat.ts': {
    of: ['chat_message', 'agent_presence', 'agent_left', 'recruitment_answer'],
    why: 'the last words of a turn are said, a seat that fails is away, and one that declines leaves',
  },
  'server/runtimes/openai/agent.ts': { of: ['scratchpad_entry_submitted'], why: 'a model without tools hands in findings as text' },
  'server/runtimes/openai/tools.ts': {
    of: ['chat_message', 'relevance_score', 'citation_created', 'scratchpad_entry_submitted'],
    why: 'a model is offered these as tools',
  },
  'server/runtimes/seats.ts': {
    of: ['agent_presence', 'agents_rest', 'seat_cancel', 'seat_stop', 'seat_restart'],
    why: 'whoever has a runtime is there; resting and stopping end processes',
  },
  'cli/verbs/registry.ts': { of: ['agent_register'], why: 'an agent that is added with a runtime needs a server, which knows the runtimes' },
  'server/operations/board/equipped-warnings.ts': {
    of: ['agent_runtime'],
    why: 'a model without a price, or a runtime that cannot run yet, is told as it is chosen',
  },
  'server/recovery/lost-entries.ts': {
    of: ['chat_message', 'inbox_ack', 'agent_presence'],
    why: 'what was said in commands that a failover lost is shown beside them; how far somebody had read and who was there is not offered',
  },
  'server/recovery/pending-command.ts': { of: ['agent_presence'], why: 'who was there before an outage is not replayed after it' },
  'server/operations/references.ts': { of: ['chat_message'], why: 'a reference to a message is shown with what it says' },
};

/** TRACE-6: an event that connects things says there how; most connect nothing. */
const STRINGS = /^domain\/trace\/[a-z]+-ties\.ts$/u;

const MOST = 4;
const commands = Object.keys(BOARD_OPERATIONS).filter(isBoardCommand);

describe('what a command costs', () => {
  test.each(commands)('[CAT-5] %s stands in four files outside the page: its family twice, its decider, its evolver', (operation) => {
    const files = filesThatKnow(namesOf(operation)).filter((path) => MORE[path]?.of.includes(operation) !== true && !STRINGS.test(path));
    expect(files.filter((path) => path.startsWith('domain/messages/'))).toHaveLength(1);
    expect(files.filter((path) => path.startsWith('protocol/'))).toEqual([
      files.find((path) => path.startsWith('domain/messages/'))?.replace('domain/messages/', 'protocol/families/'),
    ]);
    expect(files.filter((path) => !/^(?:domain|protocol)\//u.test(path))).toEqual([]);
    expect(files.length).toBeLessThanOrEqual(MOST);
  });

  test('[CAT-5] every exception is one', () => {
    const found = new Map(commands.map((operation) => [operation, filesThatKnow(namesOf(operation))]));
    const idle = Object.entries(MORE).flatMap(([path, { of }]) =>
      of.filter((operation) => found.get(operation)?.includes(path) !== true).map((operation) => `${path}: ${operation}`),
    );
    expect(idle).toEqual([]);
  });
});

import { EPISODE_STANDINGS, EPISODE_TRIGGERS } from '@yarnboard/domain';
import * as z from 'zod';
import { cursor, limit } from '../parameters.ts';
import * as layers from '../wire/memory.ts';
import { page } from '../wire/schemas.ts';
import * as wire from '../wire/sidebars.ts';
import type { CodecsOf, NamesOf, OperationsOf, SentencesOf, TellersOf } from './definition.ts';
import { after } from './field-texts.ts';
import { command, instant, prose, ref, refs, sidebarId, tags, word } from './parameters.ts';

/** The four layers of memory: the log, working memory, episodes, and the context of sidebars. */
export const MEMORY_OPERATIONS = {
  memory: {
    name: 'memory',
    method: 'GET',
    path: '/memory',
    who: 'anyone',
    help: 'Where something is remembered: its place on the log, current confidence, episodes, and the sidebars that inherited it. Counts if no reference is given.',
    input: z.object({ ref: ref.optional().describe('any reference: MSG-n, EXCH-n, FRAG-n, SB-n, GOLD-n …') }),
    output: layers.memory,
    terminal: { words: ['memory', 'show'], given: ['ref'] },
  },
  episodes: {
    name: 'episodes',
    method: 'GET',
    path: '/episodes',
    who: 'anyone',
    help: 'Episodic memory, newest first: provisional until its sidebar ends, then final or superseded.',
    input: z.object({
      sidebar_id: sidebarId.optional(),
      checkpoint_id: ref.optional().describe('kept at this checkpoint: SB-n:CHECKPOINT-m or its uuid'),
      reason: z.enum(EPISODE_TRIGGERS).optional().describe('why it was kept'),
      tag: word.optional().describe('only those with this tag'),
      provisional: z.stringbool().optional().describe('true: only provisional ones; false: only the others'),
      standing: z.enum(EPISODE_STANDINGS).optional().describe('how it stands'),
      since: instant.optional().describe('kept then or later: 2026-01-31 or 2026-01-31T12:00:00Z'),
      until: instant.optional().describe('kept then or earlier; a day counts whole'),
      words: z.string().max(1000).optional().describe('all of these words occur in it'),
      limit,
      cursor,
    }),
    output: page(wire.episode),
    terminal: { words: ['sidebar', 'episodes'], given: [] },
  },
  memory_archive: {
    name: 'memory_archive',
    method: 'POST',
    path: '/memory/archive',
    who: 'member',
    help: 'Keeps exchanges, messages or findings in episodic memory. What an agent keeps is provisional.',
    input: z.object({
      ...command,
      refs: refs.describe('EXCH-n, MSG-n, FRAG-n or SCRATCH-n:FINDING-m; at most 50'),
      reason: prose.optional().describe('why it is worth keeping'),
      tags,
      sidebar_id: sidebarId.optional().describe('the sidebar to keep it for; where it was said if omitted'),
    }),
    output: wire.done,
    terminal: { words: ['sidebar', 'remember'], given: ['refs'] },
    command: 'memory.archive',
    kept: { what: 'something to remember', text: 'reason' },
  },
  memory_finalise: {
    name: 'memory_finalise',
    method: 'POST',
    path: '/memory/finalisation',
    who: 'member',
    help: 'A person makes kept exchanges or messages final. Findings and GOLD become final with their sidebar.',
    input: z.object({ ...command, episodes: refs.describe('SB-n:EPISODE-m, EXCH-n:EPISODE-m or MSG-n:EPISODE-m; at most 50') }),
    output: wire.done,
    terminal: { words: ['memory', 'finalise'], given: ['episodes'] },
    command: 'memory.finalise',
    kept: { what: 'making an episode final', text: null },
  },
  confidence_set: {
    name: 'confidence_set',
    method: 'POST',
    path: '/memory/confidence',
    who: 'member',
    help: 'Sets how sure working memory is of something. What its sender said about it stays.',
    input: z.object({
      ...command,
      about: ref.describe('MSG-n, EXCH-n, FRAG-n or SCRATCH-n:FINDING-m'),
      confidence: z.number().min(0).max(1).describe('from 0 to 1'),
      reason: prose.describe('why'),
    }),
    output: wire.done,
    terminal: { words: ['memory', 'confidence'], given: ['about', 'confidence', 'reason'] },
    command: 'confidence.set',
    kept: { what: 'a new confidence', text: 'reason' },
  },
} as const satisfies OperationsOf<'memory'>;

export const MEMORY_CODECS: CodecsOf<typeof MEMORY_OPERATIONS> = {
  memory_archive: (input) => ({ refs: input.refs, reason: input.reason, tags: input.tags, sidebar: input.sidebar_id }),
  memory_finalise: (input) => ({ episodes: input.episodes }),
  confidence_set: (input) => ({ about: input.about, confidence: input.confidence, reason: input.reason }),
};

export const MEMORY_EVENT_NAMES = {
  'episodic.archived': ['memory_archived'],
  'episodic.finalised': ['memory_finalised'],
  'episodic.superseded': ['memory_superseded'],
  'confidence.set': ['confidence_set'],
} as const satisfies NamesOf<'memory'>;

export const MEMORY_TELLERS: TellersOf<typeof MEMORY_EVENT_NAMES> = {
  'episodic.archived': (payload, names, event) => ({
    type: 'memory_archived',
    exchange_id: names.episode(event.uuid),
    archive_reason: payload.trigger,
    content: payload.content,
    entry_id: payload.finding === null ? null : names.finding(payload.finding, event.contextId),
    gold_id: payload.gold === null ? null : names.gold(payload.gold),
    source_sidebar: payload.sourceSidebar === null ? null : names.sidebar(payload.sourceSidebar),
    source_checkpoint: payload.sourceCheckpoint === null ? null : names.item('CHECKPOINT', payload.sourceCheckpoint, event.contextId),
    provisional: payload.isProvisional,
    supersedes: payload.supersedes === null ? null : names.episode(payload.supersedes),
    tags: payload.tags,
    about: payload.about,
    source_refs: payload.sources,
    pointers: payload.pointers,
    priority: payload.priority,
    requires_validation: payload.requiresValidation,
    verification: payload.mark,
    note: payload.note,
  }),
  'episodic.finalised': ({ episode }, names) => ({ type: 'memory_finalised', exchange_id: names.episode(episode) }),
  'episodic.superseded': ({ episode, by, why }, names) => ({
    type: 'memory_superseded',
    exchange_id: names.episode(episode),
    superseded_by: by === null ? null : names.episode(by),
    reason: why,
  }),
  'confidence.set': ({ about, confidence, was, reason }) => ({ type: 'confidence_set', about, confidence, was, reason }),
};

export const MEMORY_SENTENCES: SentencesOf<typeof MEMORY_EVENT_NAMES> = {
  memory_archived: (of) => `kept in episodic memory${of('provisional') === 'true' ? ', provisionally' : ''}: ${kept(of)}`,
  memory_finalised: (of) => `episodic memory is final: ${kept(of)}`,
  memory_superseded: (of) => `episodic memory is superseded: ${kept(of)}${after(': ', of('reason'))}`,
  confidence_set: (of) =>
    `${of('about')} now has a confidence of ${of('confidence')}${of('was') === '' ? '' : ` instead of ${of('was')}`}: ${of('reason')}`,
};

/** What was kept: by its reference, if it has one, otherwise in its own words. */
const kept = (of: (field: string) => string): string =>
  ['entry_id', 'gold_id', 'about', 'content', 'exchange_id'].map(of).find((text) => text !== '') ?? '';

import { FINDING_STATUSES, GOLD_ANSWERS, MEDIA_TYPES, type CitationSource } from '@yarnboard/domain';
import * as z from 'zod';
import { cursor, limit, reveal } from '../parameters.ts';
import { gold, goldMatch } from '../wire/golds.ts';
import { page } from '../wire/schemas.ts';
import * as wire from '../wire/sidebars.ts';
import type { CodecsOf, Given, NamesOf, OperationsOf, SentencesOf, TellersOf } from './definition.ts';
import { after, fieldOf } from './field-texts.ts';
import { claimedName, command, prose, ref, refs, seenStatus, sidebarId, word } from './parameters.ts';
import { encodeSource, here } from './told-values.ts';

const goldId = ref.describe('GOLD-n');

/** Citations, media and GOLD waypoints. */
export const CITATION_OPERATIONS = {
  citations: {
    name: 'citations',
    method: 'GET',
    path: '/citations',
    who: 'anyone',
    help: 'Citations, the latest first.',
    input: z.object({ sidebar_id: sidebarId.optional(), limit, cursor }),
    output: page(wire.citation),
    terminal: { words: ['cite', 'list'], given: [] },
  },
  citation: {
    name: 'citation',
    method: 'GET',
    path: '/citations/{citation_id}',
    who: 'anyone',
    help: 'One citation by its CITE-n.',
    input: z.object({ citation_id: ref.describe('CITE-n') }),
    output: wire.citation,
    terminal: { words: ['cite', 'show'], given: ['citation_id'] },
  },
  citation_created: {
    name: 'citation_created',
    method: 'POST',
    path: '/citations',
    who: 'member',
    help: 'Cites a message or anything with a reference, lines of a file, or something outside. Give exactly one of source, path, url.',
    input: z.object({
      ...command,
      source: ref.optional().describe('a reference: MSG-n, GOLD-n, SCRATCH-n:FINDING-m …'),
      path: z.string().min(1).max(4096).optional().describe('path of a file; the server never opens it'),
      lines: z
        .string()
        .regex(/^\d{1,9}(?:-\d{1,9})?$/u, 'must be 10 or 10-20')
        .optional()
        .describe('of the file: 10 or 10-20'),
      hash: word.optional().describe('SHA-256 of the file as it was'),
      url: z.string().min(1).max(4096).optional().describe('of something outside'),
      title: word.optional().describe('what it is called'),
      content: prose.optional().describe('what it says there'),
      relevance_score: z.number().min(0).max(1).optional().describe('how much it matters, from 0 to 1'),
      note: prose.optional().describe('why you cite it'),
      sidebar_id: sidebarId.optional(),
    }),
    output: wire.done,
    terminal: { words: ['cite', 'add'], given: ['source'] },
    claims: z.object({ citation_id: claimedName }),
    command: 'citation.create',
    kept: { what: 'a citation', text: 'note' },
  },
  media: {
    name: 'media',
    method: 'GET',
    path: '/media/{media_id}',
    who: 'anyone',
    help: 'A medium by its MEDIA-n; its bytes too, where asked for.',
    input: z.object({
      media_id: ref.describe('MEDIA-n'),
      content: z.stringbool().default(false).describe('whether to send its bytes, in base64'),
      reveal,
    }),
    output: wire.media,
    terminal: { words: ['cite', 'media'], given: ['media_id'] },
  },
  media_uploaded: {
    name: 'media_uploaded',
    method: 'POST',
    path: '/media',
    who: 'member',
    help: 'Attaches a file to a sidebar: an image, a recording, a document, code.',
    input: z.object({
      ...command,
      sidebar_id: sidebarId,
      media_type: z.enum(MEDIA_TYPES).describe('what it is'),
      file_path: z.string().min(1).max(4096).describe('what it is called; the server does not open it'),
      content: z.string().max(900_000).optional().describe('its bytes in base64, at most 675 KB'),
      upload: z
        .string()
        .regex(/^[0-9a-f]{64}$/u)
        .optional()
        .describe('instead of content: the `upload` value that POST /uploads/media returned for its bytes (24 MB at most)'),
      in_response_to: ref.optional().describe('the message it answers: MSG-n'),
    }),
    output: wire.done,
    terminal: { words: ['sidebar', 'attach'], given: ['sidebar_id', 'file_path'] },
    claims: z.object({
      media_id: claimedName,
      file_size: z.number().int().min(0).nullish(),
      processing_status: z.enum(['pending', 'processing', 'complete', 'failed']).nullish(),
      uploaded_during: claimedName,
      uploaded_by: claimedName,
      uploaded_at: z.iso.datetime({ offset: true }).nullish(),
    }),
    command: 'media.upload',
    lost: 'it holds the bytes of a file, too many to keep there',
  },
  golds: {
    name: 'golds',
    method: 'GET',
    path: '/gold',
    who: 'anyone',
    help: 'GOLD waypoints, newest first.',
    input: z.object({ status: z.enum(FINDING_STATUSES).optional().describe('only those with this status'), limit, cursor }),
    output: page(gold),
    terminal: { words: ['gold', 'list'], given: [] },
  },
  gold_match: {
    name: 'gold_match',
    method: 'GET',
    path: '/symptoms',
    who: 'anyone',
    help: 'Finds the waypoints whose symptoms appear in a text.',
    input: z.object({ text: z.string().min(1).max(8000).describe('a symptom: an error message, what you observe') }),
    output: z.strictObject({ matches: z.array(goldMatch) }),
    terminal: { words: ['gold', 'match'], given: ['text'] },
  },
  gold: {
    name: 'gold',
    method: 'GET',
    path: '/gold/{gold_id}',
    who: 'anyone',
    help: 'One GOLD waypoint: the insight, how to reuse it, its triggers, and how often it was used.',
    input: z.object({ gold_id: goldId }),
    output: gold,
    terminal: { words: ['gold', 'show'], given: ['gold_id'] },
  },
  gold_created: {
    name: 'gold_created',
    method: 'POST',
    path: '/gold',
    who: 'member',
    help: 'Marks something as GOLD: a waypoint for anyone who sees the same symptoms. Protected at once, validated later.',
    input: z.object({
      ...command,
      source_refs: refs.describe('where it comes from: MSG-n, SCRATCH-n:FINDING-m …'),
      key_insight: prose.describe('what is worth knowing'),
      reuse_pattern: prose.describe('how to use it again'),
      trigger_conditions: z.array(z.string()).max(100).describe('the symptoms that should bring it up'),
      confidence: z.number().min(0).max(1).optional().describe('how sure you are, from 0 to 1'),
      sidebar_id: sidebarId.optional(),
    }),
    output: wire.done,
    terminal: { words: ['gold', 'add'], given: ['key_insight'] },
    claims: z.object({ gold_id: claimedName }),
    command: 'gold.create',
    kept: { what: 'a GOLD', text: 'key_insight' },
  },
  gold_validated: {
    name: 'gold_validated',
    method: 'POST',
    path: '/gold/{gold_id}/validation',
    who: 'member',
    help: 'The curator confirms or rejects a waypoint.',
    input: z.object({
      ...command,
      gold_id: goldId,
      status: z.enum(FINDING_STATUSES).describe('your verdict'),
      validation_notes: prose.optional().describe('why; needed to reject'),
      seen_status: seenStatus,
    }),
    output: wire.done,
    terminal: { words: ['gold', 'validate'], given: ['gold_id', 'status'] },
    command: 'gold.validate',
    kept: { what: 'your review of a GOLD', text: 'validation_notes' },
  },
  gold_answered: {
    name: 'gold_answered',
    method: 'POST',
    path: '/gold/{gold_id}/answers',
    who: 'member',
    help: 'Says whether a waypoint that came up was useful. After three times "not_now" in a row it no longer comes up, until someone finds it useful.',
    input: z.object({
      ...command,
      gold_id: goldId,
      answer: z.enum(GOLD_ANSWERS).describe('useful, or not_now'),
      where: ref.optional().describe('the sidebar or session it came up in; by default, the latest that has no answer'),
    }),
    output: wire.done,
    terminal: { words: ['gold', 'answer'], given: ['gold_id', 'answer'] },
    command: 'gold.answer',
    kept: { what: 'your answer to a GOLD', text: null },
  },
} as const satisfies OperationsOf<'citations'>;

export const CITATION_CODECS: CodecsOf<typeof CITATION_OPERATIONS> = {
  citation_created: (input, given) => ({
    sidebar: input.sidebar_id,
    source: sourceOf(input, given),
    content: input.content,
    relevance: input.relevance_score,
    note: input.note,
  }),
  media_uploaded: async ({ content, upload, ...input }, given) => {
    if ((content === undefined) === (upload === undefined)) return given.refuse('one-content-only');
    return {
      sidebar: input.sidebar_id,
      mediaType: input.media_type,
      filePath: input.file_path,
      content: content ?? '',
      inResponseTo: input.in_response_to,
      found: upload === undefined ? given.lookInto(content ?? '', input.file_path) : await given.lookIntoUpload(upload, input.file_path),
    };
  },
  gold_created: (input) => ({
    sidebar: input.sidebar_id,
    sourceRefs: input.source_refs,
    keyInsight: input.key_insight,
    reusePattern: input.reuse_pattern,
    triggerConditions: input.trigger_conditions,
    confidence: input.confidence,
  }),
  gold_validated: (input) => ({ gold: input.gold_id, status: input.status, notes: input.validation_notes, seen: input.seen_status }),
  gold_answered: (input) => ({ gold: input.gold_id, answer: input.answer, where: input.where }),
};

export const CITATION_EVENT_NAMES = {
  'citation.created': ['citation_created'],
  'media.uploaded': ['media_uploaded'],
  'media.processed': ['media_processed'],
  'media.failed': ['media_error'],
  'gold.created': ['gold_created'],
  'gold.validated': ['gold_validated'],
  'gold.finalised': ['gold_finalised'],
  'gold.superseded': ['gold_superseded'],
  'gold.surfaced': ['gold_surfaced'],
  'gold.answered': ['gold_answered'],
} as const satisfies NamesOf<'citations'>;

export const CITATION_TELLERS: TellersOf<typeof CITATION_EVENT_NAMES> = {
  'citation.created': ({ source, content, relevance, note }, _names, event) => ({
    type: 'citation_created',
    citation_id: event.refs[0] ?? event.uuid,
    source: encodeSource(source),
    content,
    relevance_score: relevance,
    note,
  }),
  'media.uploaded': ({ mediaType, filePath, fileSize, inResponseTo }, names, event) => ({
    type: 'media_uploaded',
    media_id: event.refs[0] ?? event.uuid,
    media_type: mediaType,
    file_path: filePath,
    file_size: fileSize,
    processing_status: 'pending',
    uploaded_during: here(names, event),
    in_response_to: inResponseTo,
    uploaded_by: event.by.id,
    uploaded_at: new Date(event.at).toISOString(),
  }),
  'media.processed': ({ media, mime, sha256 }, names) => ({
    type: 'media_processed',
    media_id: names.media(media),
    processing_status: 'complete',
    mime,
    hash: sha256,
  }),
  'media.failed': ({ media, why }, names) => ({ type: 'media_error', media_id: names.media(media), processing_status: 'failed', error: why }),
  'gold.created': (payload, names, event) => ({
    type: 'gold_created',
    gold_id: event.refs[0] ?? event.uuid,
    source_refs: payload.sourceRefs,
    key_insight: payload.keyInsight,
    reuse_pattern: payload.reusePattern,
    trigger_conditions: payload.triggerConditions,
    confidence: payload.confidence,
    created_in: here(names, event),
    provisional: true,
  }),
  'gold.validated': ({ gold, status, notes }, names) => ({ type: 'gold_validated', gold_id: names.gold(gold), status, validation_notes: notes }),
  'gold.finalised': ({ gold }, names) => ({ type: 'gold_finalised', gold_id: names.gold(gold) }),
  'gold.superseded': ({ gold, by, why }, names) => ({
    type: 'gold_superseded',
    gold_id: names.gold(gold),
    superseded_by: by === null ? null : names.gold(by),
    reason: why,
  }),
  'gold.surfaced': ({ gold, score, condition, about }, names) => ({ type: 'gold_surfaced', gold_id: names.gold(gold), score, condition, about }),
  'gold.answered': ({ gold, answer, rests }, names) => ({ type: 'gold_answered', gold_id: names.gold(gold), answer, rests }),
};

export const CITATION_SENTENCES: SentencesOf<typeof CITATION_EVENT_NAMES> = {
  citation_created: (of, event) => `${of('citation_id')} cites ${citedIn(event['source'])}`,
  media_uploaded: (of) => `${of('media_id')} attached to ${of('uploaded_during')}: ${of('file_path')} (${of('file_size')} bytes)`,
  media_processed: (of) => `${of('media_id')} processed: ${of('mime')}`,
  media_error: (of) => `${of('media_id')} could not be processed: ${of('error')}`,
  gold_created: (of) => `${of('gold_id')} created: ${of('key_insight')}`,
  gold_validated: (of) => `${of('gold_id')} ${of('status')}${after(': ', of('validation_notes'))}`,
  gold_finalised: (of) => `${of('gold_id')} is final`,
  gold_superseded: (of) => `${of('gold_id')} superseded${after(' by ', of('superseded_by'))}${after(': ', of('reason'))}`,
  gold_surfaced: (of) => `${of('gold_id')} may help: ${of('condition')}`,
  gold_answered: (of, event) =>
    `${of('gold_id')} was ${of('answer') === 'useful' ? 'useful' : 'not wanted'}${event['rests'] === true ? ' and no longer comes up' : ''}`,
};

type CitationInput = z.output<(typeof CITATION_OPERATIONS)['citation_created']['input']>;

const sourceOf = (input: CitationInput, { refuse }: Given): CitationSource => {
  const sources = [input.source, input.path, input.url ?? input.title].filter((one) => one !== undefined);
  if (sources.length !== 1) return refuse('one-source-only');
  if (input.source !== undefined) return { kind: 'reference', ref: input.source };
  if (input.path === undefined) return { kind: 'external', url: input.url ?? null, title: input.title ?? null };
  const [from = null, to = from] = (input.lines ?? '')
    .split('-')
    .filter((digits) => digits !== '')
    .map(Number);
  return { kind: 'file', path: input.path, hash: input.hash?.toLowerCase() ?? null, from, to };
};

const citedIn = (source: unknown): string =>
  ['ref', 'file_ref', 'url', 'path'].map((key) => fieldOf(source, key)).find((text) => text !== '') ?? 'something';

import { FINDING_STATUSES, MEDIA_TYPES } from '@yarnboard/domain';
import { z } from 'zod';
import { page } from '../wire/schemas.ts';
import * as wire from '../wire/sidebars.ts';
import { command, prose, ref, refs, seenStatus, sidebarId, word } from './board-parameters.ts';
import type { Operation } from './operation.ts';
import { cursor, limit } from './parameters.ts';

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
    input: z.object({ citation_id: ref }),
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
      path: z.string().min(1).max(4096).optional().describe('of a file; nobody but you opens it'),
      lines: z
        .string()
        .regex(/^\d{1,9}(?:-\d{1,9})?$/u, 'must be 10 or 10-20')
        .optional(),
      hash: word.optional().describe('SHA-256 of the file as it was'),
      url: z.string().min(1).max(4096).optional(),
      title: word.optional(),
      content: prose.optional().describe('what it says there'),
      relevance_score: z.number().min(0).max(1).optional(),
      note: prose.optional(),
      sidebar_id: sidebarId.optional(),
    }),
    output: wire.done,
    terminal: { words: ['cite', 'add'], given: ['source'] },
  },
  media: {
    name: 'media',
    method: 'GET',
    path: '/media/{media_id}',
    who: 'anyone',
    help: 'A medium by its MEDIA-n; its bytes too, where asked for.',
    input: z.object({ media_id: ref, content: z.stringbool().default(false) }),
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
      media_type: z.enum(MEDIA_TYPES),
      file_path: z.string().min(1).max(4096).describe('what it is called; the server does not open it'),
      content: z.string().max(900_000).describe('its bytes in base64'),
      in_response_to: ref.optional(),
    }),
    output: wire.done,
    terminal: { words: ['sidebar', 'attach'], given: ['sidebar_id', 'file_path'] },
  },
  golds: {
    name: 'golds',
    method: 'GET',
    path: '/gold',
    who: 'anyone',
    help: 'GOLD waypoints, the latest first.',
    input: z.object({ status: z.enum(FINDING_STATUSES).optional(), limit, cursor }),
    output: page(wire.gold),
    terminal: { words: ['gold', 'list'], given: [] },
  },
  gold_match: {
    name: 'gold_match',
    method: 'GET',
    path: '/symptoms',
    who: 'anyone',
    help: 'Which waypoints deal with something like this: the symptoms in a text.',
    input: z.object({ text: z.string().min(1).max(8000) }),
    output: z.strictObject({ matches: z.array(wire.goldMatch) }),
    terminal: { words: ['gold', 'match'], given: ['text'] },
  },
  gold: {
    name: 'gold',
    method: 'GET',
    path: '/gold/{gold_id}',
    who: 'anyone',
    help: 'One GOLD waypoint: insight, how to reuse it, when to remember it, how often it was used.',
    input: z.object({ gold_id: goldId }),
    output: wire.gold,
    terminal: { words: ['gold', 'show'], given: ['gold_id'] },
  },
  gold_created: {
    name: 'gold_created',
    method: 'POST',
    path: '/gold',
    who: 'member',
    help: 'Marks something as GOLD: a waypoint for whoever meets the same symptoms. Protected at once, still to be validated.',
    input: z.object({
      ...command,
      source_refs: refs,
      key_insight: prose,
      reuse_pattern: prose,
      trigger_conditions: z.array(z.string()).max(100).describe('when you see this, remember this exists'),
      confidence: z.number().min(0).max(1).optional(),
      sidebar_id: sidebarId.optional(),
    }),
    output: wire.done,
    terminal: { words: ['gold', 'add'], given: ['key_insight'] },
  },
  gold_validated: {
    name: 'gold_validated',
    method: 'POST',
    path: '/gold/{gold_id}/validation',
    who: 'member',
    help: 'The curator confirms or rejects a waypoint.',
    input: z.object({ ...command, gold_id: goldId, status: z.enum(FINDING_STATUSES), validation_notes: prose.optional(), seen_status: seenStatus }),
    output: wire.done,
    terminal: { words: ['gold', 'validate'], given: ['gold_id', 'status'] },
  },
} as const satisfies Record<string, Operation>;

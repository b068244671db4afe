import { OBSTACLES, PROBLEM_KINDS, ROUTINE_TASKS, type ObstacleKind } from '@yarnboard/domain';
import * as z from 'zod';
import { mergePackage } from './sidebars.ts';

const instant = z.string().describe('ISO 8601, UTC');
const ref = z.string();

/** The seed's AutoMergeConfig, without its history. */
const autoMergeConfig = z.strictObject({
  auto_merge_enabled: z.boolean(),
  allowed_task_types: z.array(z.enum(ROUTINE_TASKS)),
  require_curator_approval: z.boolean(),
  require_no_conflicts: z.boolean(),
  require_sources_cited: z.boolean(),
  block_if_proposes_changes: z.boolean(),
  required_approvals: z.number().describe('how many of the operator’s latest decisions on a type have to be approvals'),
});

const kind = z.enum(Object.keys(OBSTACLES) as [ObstacleKind, ...ObstacleKind[]]); // its own keys, never empty

const obstacle = z.strictObject({
  obstacle: kind,
  message: z.string(),
  refs: z.array(ref).describe('what it is about'),
  facts: z.record(z.string(), z.unknown()),
});

export const autoMergeObstacles = z.strictObject({
  sidebar_id: ref,
  task_type: z.string().nullable(),
  would_merge: z.boolean().describe('no obstacle: it merges when the curator finds it fit'),
  obstacles: z.array(obstacle),
});

const problem = z.strictObject({ kind: z.enum(PROBLEM_KINDS), ref: ref.nullable(), notes: z.string().nullable(), by: z.string(), at: instant });

const result = z.strictObject({
  sidebar_id: ref,
  task_type: z.string(),
  target: z.string(),
  merged_at: instant,
  merge_package: mergePackage,
  config: autoMergeConfig,
  checked_by: z.string(),
  sample: z.boolean().describe('one of those that you are asked to look at afterwards'),
  problems: z.array(problem),
});

const typeRecord = z.strictObject({
  task_type: z.string(),
  condition: z.string().nullable().describe('what its findings have to be; null for a type that never merges by itself'),
  allowed: z.boolean(),
  auto_merges: z.number(),
  with_problems: z.number(),
  clean_rate: z.number().nullable().describe('automatic merges without a problem, of all; null when there are none'),
  approvals_in_a_row: z.number().describe('of the operator, without a later problem'),
  would_have_merged: z.number().describe('approved by the operator while it was off, without an obstacle'),
  looked_at: z.number().describe('approved by the operator while it was off'),
  suspended: z.strictObject({ sidebar_id: ref, at: instant }).nullable(),
});

export const autoMergeHistory = z.strictObject({
  config: autoMergeConfig,
  types: z.array(typeRecord),
  next_step: z.string().nullable().describe('what to trust it with next'),
  items: z.array(result).describe('the latest first'),
  next_cursor: z.string().nullable(),
});

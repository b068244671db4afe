import * as z from 'zod';
import { OPERATOR } from '../actors.ts';
import { event, FORGOTTEN, inContext, type WhileAway } from './definition.ts';
import { because, nameOf, nobody, teamOf } from './telling.ts';
import { context, contextIdOfSidebar, maybe, text, texts, type Frozen } from './values.ts';

/** AUTO-4: the kinds of task whose results can be judged by rules. No others can be allowed. */
export const ROUTINE_TASKS = ['status_check', 'documentation_lookup', 'definition_retrieval', 'search_discovery', 'format_validation'] as const;
export type RoutineTask = (typeof ROUTINE_TASKS)[number];

/** How it was discovered that an automatic merge did harm. */
export const PROBLEM_KINDS = ['reported', 'contradicted', 'superseded'] as const;
export type ProblemKind = (typeof PROBLEM_KINDS)[number];

const flag = z.boolean();

/** The seed's AutoMergeConfig. Its history is folded from the log. */
const autoMergeConfig = z.strictObject({
  isEnabled: flag,
  allowedTaskTypes: z.array(z.enum(ROUTINE_TASKS)),
  requireCuratorApproval: flag,
  requireNoConflicts: flag,
  requireSourcesCited: flag,
  blockIfProposesChanges: flag,
  /** How many of the human's latest decisions on a type must be approvals. */
  requiredApprovals: z.number().int().min(1),
});
export type AutoMergeConfig = Frozen<z.output<typeof autoMergeConfig>>;

/** Automatic merges: what is allowed, what was merged, and what came of it. */
export const AUTO_MERGE_EVENTS = {
  'automerge.configured': event(z.strictObject({ config: autoMergeConfig, allowedAgain: texts }))({ tells: nobody }),
  /** Accompanies `sidebar.merged`: why no approval was needed. */
  'automerge.done': event(
    z.strictObject({
      taskType: text,
      target: context,
      config: autoMergeConfig,
      checkedBy: text,
      /** It is in the sample that somebody is asked to review afterwards. */
      isSample: flag,
    }),
  )({
    remains: null,
    tells: ({ taskType, isSample }, { sidebar }) => [
      {
        to: [...(sidebar === null ? [] : [sidebar.coordinator]), OPERATOR.id],
        level: 'info',
        kind: 'merge',
        text: `${nameOf(sidebar)} merged automatically (${taskType})${isSample ? '; please look at it when you have time' : ''}`,
      },
    ],
  }),
  /** AUTO-20: somebody approved it while automatic merging was off; `obstacles` are those other than the switch. */
  'automerge.foregone': event(z.strictObject({ taskType: text, obstacles: texts }))({ tells: nobody }),
  'automerge.faulted': event(
    z.strictObject({ sidebarId: text, taskType: text, kind: z.enum(PROBLEM_KINDS), ref: maybe, notes: maybe, isAutomatic: flag }),
  )({
    words: ['notes'],
    remains: ({ sidebar }) => ({ sidebarId: sidebar?.id ?? '', taskType: '', kind: 'reported', ref: null, notes: FORGOTTEN, isAutomatic: false }),
    concerns: ({ sidebarId }) => inContext(contextIdOfSidebar(sidebarId)),
    tells: ({ sidebarId, kind, notes, isAutomatic }, { sidebarOf }) => {
      const merged = sidebarOf(sidebarId);
      if (!isAutomatic) return [];
      return [
        {
          to: [...teamOf(merged), OPERATOR.id],
          level: 'warning',
          kind: 'merge',
          text: `a problem with the automatic merge of ${nameOf(merged)} (${kind})${because(notes)}`,
          refs: [nameOf(merged)],
        },
      ];
    },
  }),
  'automerge.suspended': event(z.strictObject({ taskType: text, sidebarId: text }))({
    tells: ({ taskType, sidebarId }, { sidebarOf }) => [
      {
        to: [OPERATOR.id],
        level: 'warning',
        kind: 'merge',
        text: `${taskType} no longer merges automatically, after a problem with ${nameOf(sidebarOf(sidebarId))}; only you can allow it again`,
        refs: [nameOf(sidebarOf(sidebarId))],
      },
    ],
  }),
} as const;

export const AUTO_MERGE_COMMANDS = {
  'automerge.configure': z.strictObject({
    isEnabled: flag.optional(),
    allowedTaskTypes: texts.optional(),
    requireCuratorApproval: flag.optional(),
    requireNoConflicts: flag.optional(),
    requireSourcesCited: flag.optional(),
    blockIfProposesChanges: flag.optional(),
    requiredApprovals: z.number().optional(),
    /** Types that were suspended. */
    allowAgain: texts.optional(),
  }),
  'automerge.report': z.strictObject({ sidebar: text, ref: text, notes: text }),
} as const;

/** REC-54: what happens to these commands while the log can't be written. */
export const AUTO_MERGE_WHILE_AWAY = {
  'automerge.configure': 'blocked',
  'automerge.report': 'queued',
} as const satisfies Readonly<Record<keyof typeof AUTO_MERGE_COMMANDS, WhileAway>>;

/** REC-55: events that must wait for the log, whichever command causes them. */
export const AUTO_MERGE_MUST_WAIT = {
  'automerge.done': () => true,
};

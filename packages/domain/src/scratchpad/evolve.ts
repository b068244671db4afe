import type { Evolver } from '../board/evolve.ts';
import { link } from '../board/links.ts';
import { change, countGold } from '../sidebar/evolve.ts';
import { resolutionAmong } from '../sidebar/relations.ts';
import { saidBefore } from './sameness.ts';
import { findingOf, NO_CHECKS, type Finding, type Scratchpad } from './state.ts';
import { sidebarIdOfContext } from '../messages/values.ts';
import type { FamilyEvent } from '../messages/catalogue.ts';
import type { SCRATCHPAD_EVENTS } from '../messages/scratchpad.ts';

type Evolvers<T extends ScratchpadEvents> = { readonly [K in T]: Evolver<K> };

type ScratchpadEvents = keyof typeof SCRATCHPAD_EVENTS;

export const withFinding = (scratchpad: Scratchpad, id: string, next: (finding: Finding) => Partial<Finding>): Scratchpad => ({
  ...scratchpad,
  findings: scratchpad.findings.map((finding) => (finding.id === id ? { ...finding, ...next(finding) } : finding)),
});

/** PAD-7: a revision replaces what it revises once it is confirmed, and no longer does if the confirmation is withdrawn. */
const revised = (scratchpad: Scratchpad, revision: Finding | null, changedPosition: number): Scratchpad => {
  if (revision === null || revision.supersedes === null) return scratchpad;
  return withFinding(scratchpad, revision.supersedes, ({ supersededBy }) => {
    if (revision.status === 'confirmed') return { supersededBy: revision.id, changedPosition };
    return supersededBy === revision.id ? { supersededBy: null, changedPosition } : {};
  });
};

export const scratchpadEvents: Evolvers<ScratchpadEvents> = {
  'scratchpad.created': (board, event) =>
    change(board, event, ({ scratchpad }) => ({ scratchpad: { ...scratchpad, citableSources: event.payload.citableSources } })),
  'scratchpad.backed_up': (board, event) => {
    const { reason, priority, gold } = event.payload;
    change(board, event, ({ scratchpad, lastActivity }) => ({
      lastActivity, // a backup isn't activity
      scratchpad: {
        ...scratchpad,
        backups: [...scratchpad.backups, { id: event.uuid, at: event.at, position: event.position, reason, priority, gold }],
      },
    }));
  },
  'finding.submitted': (board, event) => {
    const { number, content, sourceRefs, relevanceToTask, supersedes } = event.payload;
    countGold(board, sourceRefs);
    const [ref = ''] = event.refs;
    if (ref !== '') board.ids.set(ref, event.uuid);
    link(board, 'finding', event.uuid, sidebarIdOfContext(event.contextId) ?? '');
    change(board, event, ({ scratchpad }) => {
      const finding: Finding = {
        id: event.uuid,
        number,
        ref,
        content,
        submittedBy: event.by.id,
        owner: null,
        submittedAt: event.at,
        sourceRefs,
        relevanceToTask,
        status: 'pending',
        validatedBy: null,
        validatedAt: null,
        validationNotes: null,
        checks: NO_CHECKS,
        annotations: [],
        supersedes,
        supersededBy: null,
        sameAs: saidBefore(scratchpad.findings, content)?.id ?? null,
        machineCheck: null,
        position: event.position,
        changedPosition: event.position,
      };
      return { scratchpad: { ...scratchpad, findings: [...scratchpad.findings, finding] } };
    });
  },
  'finding.validated': (board, event) => {
    const { finding, status, notes, checks } = event.payload;
    change(board, event, ({ scratchpad }) => {
      const after = withFinding(scratchpad, finding, () => ({
        status,
        checks,
        validationNotes: notes,
        validatedBy: event.by.id,
        validatedAt: event.at,
        changedPosition: event.position,
      }));
      return { scratchpad: revised(after, findingOf(after, finding), event.position) };
    });
  },
  'finding.annotated': (board, event) =>
    change(board, event, ({ scratchpad }) => ({
      scratchpad: withFinding(scratchpad, event.payload.finding, ({ annotations }) => ({
        annotations: [...annotations, { by: event.by.id, at: event.at, note: event.payload.note }],
        changedPosition: event.position,
      })),
    })),
  'conflict.detected': (board, event) => {
    const { findings, description } = event.payload;
    change(board, event, ({ scratchpad, children }) => {
      const conflict = {
        id: event.uuid,
        findings,
        description,
        at: event.at,
        resolution: resolutionAmong(board, children)?.id ?? null,
        resolved: null,
      };
      return { scratchpad: { ...scratchpad, conflicts: [...scratchpad.conflicts, conflict] } };
    });
  },
  'conflict.resolved': (board, event) =>
    change(board, event, ({ scratchpad }) => ({
      scratchpad: {
        ...scratchpad,
        conflicts: scratchpad.conflicts.map((conflict) =>
          conflict.id === event.payload.conflict
            ? { ...conflict, resolved: { by: event.by.id, at: event.at, notes: event.payload.notes } }
            : conflict,
        ),
      },
    })),
  'checkpoint.created': (board, event) =>
    change(board, event, ({ scratchpad }) => ({
      scratchpad: {
        ...scratchpad,
        checkpoints: [...scratchpad.checkpoints, { ...event.payload, id: event.uuid, createdAt: event.at, createdBy: event.by.id }],
      },
    })),
  'checkpoint.annotated': (board, event) =>
    change(board, event, ({ scratchpad }) => ({
      scratchpad: {
        ...scratchpad,
        checkpoints: scratchpad.checkpoints.map((checkpoint) =>
          checkpoint.id === event.payload.checkpoint
            ? { ...checkpoint, annotations: { ...checkpoint.annotations, [event.by.id]: event.payload.note } }
            : checkpoint,
        ),
      },
    })),
};

export const memoryEvents: { readonly [T in FamilyEvent<'memory'>]: Evolver<T> } = {
  'episodic.archived': (board, event) => {
    const { isProvisional, supersedes } = event.payload;
    board.episodes.set(event.uuid, {
      ...event.payload,
      id: event.uuid,
      finalisedAt: isProvisional ? null : event.at,
      supersededBy: null,
      isSuperseded: false,
      why: null,
      at: event.at,
      by: event.by.id,
      position: event.position,
    });
    const before = supersedes === null ? undefined : board.episodes.get(supersedes);
    if (before !== undefined) {
      const why = before.why ?? 'its finding was revised';
      board.episodes.set(before.id, { ...before, isSuperseded: true, supersededBy: event.uuid, why, isProvisional: false });
    }
    const { sourceSidebar, gold, about } = event.payload;
    if (sourceSidebar !== null) link(board, 'episodes', sourceSidebar, event.uuid);
    if (gold !== null) link(board, 'episodes', gold, event.uuid);
    if (sourceSidebar === null && gold === null && about !== null) link(board, 'episodes', about, event.uuid);
  },
  'episodic.finalised': (board, event) => {
    const episode = board.episodes.get(event.payload.episode);
    if (episode !== undefined) board.episodes.set(episode.id, { ...episode, isProvisional: false, finalisedAt: event.at });
  },
  'episodic.superseded': (board, event) => {
    const episode = board.episodes.get(event.payload.episode);
    if (episode === undefined) return;
    board.episodes.set(episode.id, { ...episode, isSuperseded: true, supersededBy: event.payload.by, why: event.payload.why, isProvisional: false });
  },
  'confidence.set': (board, { payload, by, at, position }) => {
    const times = (board.confidences.get(payload.about)?.times ?? 0) + 1;
    board.confidences.set(payload.about, { ...payload, by: by.id, at, position, times });
  },
};

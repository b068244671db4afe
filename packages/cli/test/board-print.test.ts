import { EVENT_NAMES, REGISTRY, type OutputOf } from '@yarnboard/protocol';
import { describe, expect, test } from 'vitest';
import { printAnswer, printFields } from '../src/print/answer.ts';
import { eventLine } from '../src/print/events.ts';

const AT = '2026-11-15T10:20:30.000Z';
const LAYOUT = { columns: 100 };

const summary: OutputOf<'sidebars'>['items'][number] = {
  sidebar_id: 'SB-3',
  uuid: 'u',
  status: 'WAITING',
  priority: 'HIGH',
  task_description: 'find out why\nthe cache \u001b[31mis cold',
  task_type: 'debugging',
  parent_context_id: '11111111-2222-4333-8444-555555555555',
  forked_from: null,
  participants: ['AGENT-operator', 'AGENT-x'],
  coordinator_agent: 'AGENT-operator',
  curator_agent: 'AGENT-x',
  created_by: 'AGENT-operator',
  created_at: AT,
  last_activity: AT,
  seq: 17,
  messages: 4,
  findings: { confirmed: 1, pending: 2, rejected: 0, revised: 0 },
  open_conflicts: 1,
  tags: ['cache'],
};

const sidebar: OutputOf<'sidebar'> = {
  ...summary,
  success_criteria: 'a cause with evidence',
  child_sidebar_ids: ['SB-4'],
  forked_into: [],
  fork_reason: null,
  merged_into: null,
  branch_point: { context_id: '11111111-2222-4333-8444-555555555555', leaf_uuid: null, position: 12 },
  agent_capabilities: {},
  data_refs: {},
  cross_sidebar_refs: [],
  failure_reason: null,
  pause_reason: null,
  resume_condition: null,
  paused_at: null,
  waiting: { waiting_for: 'child', description: 'the numbers', dependency_refs: ['SB-4'], deadline: AT, since: AT },
  escalation: { by: 'AGENT-x', reason: 'no rights', at: AT },
  interventions: 0,
  relevance_scores: { 'EXCH-1': 0.9 },
  relevance_by_agent: {},
  relevance_disputes: [],
  to_review: ['AGENT-x'],
  open: false,
  proposals: [{ proposal_id: 'PROPOSAL-1', uuid: 'p', action: 'archive', proposal: 'archive SB-3', proposed_by: 'AGENT-x', at: AT }],
  active_focus: ['EXCH-1'],
  test_group: null,
  test_results: [],
  test_peers: [],
  source_scratchpad_ref: null,
  scratchpad: { scratchpad_id: 'SCRATCH-3', confirmed: 1, pending: 2, rejected: 0, revised: 0, checkpoints: 1 },
  gold: ['GOLD-1'],
  media: [],
  merge: {
    package: { summary: 'cold at start', key_findings: ['SCRATCH-3:FINDING-1'], new_citations: [], recommendations: null, gold_candidates: [] },
    proposed_by: 'AGENT-x',
    proposed_at: AT,
    checks: [{ as: 'curator', fit: true, notes: null, by: 'AGENT-x', at: AT }],
  },
  allowed_moves: ['ACTIVE', 'FAILED'],
};

const finding: OutputOf<'scratchpad'>['confirmed_findings'][number] = {
  entry_id: 'SCRATCH-3:FINDING-1',
  uuid: 'f1',
  fragment: 'FRAG-1',
  content: 'The cache is cold\nafter every start',
  submitted_by: 'AGENT-x',
  owner: null,
  submitted_at: AT,
  source_refs: ['MSG-1', 'CITE-2'],
  relevance_to_task: null,
  status: 'confirmed',
  validated_by: 'AGENT-operator',
  validated_at: AT,
  validation_notes: 'seen it',
  checks: { fits_task: true, evidence_supports: true, contradicts: null },
  annotations: [{ by: 'AGENT-y', at: AT, note: 'me too' }],
  supersedes: null,
  superseded_by: null,
  same_as: null,
  machine_check: null,
};

describe('answers', () => {
  test('[CLI-20] lists are tables, one line each, with the way to the next page', () => {
    expect(printAnswer('sidebars', { items: [summary], next_cursor: 'abc' }, LAYOUT)).toBe(
      [
        'sidebar  status   task                                 said  found  from      latest (UTC)',
        'SB-3     WAITING  find out why the cache ␛[31mis cold     4  1/3 !  11111111  2026-11-15 10:20',
        'more: --cursor abc',
        '',
      ].join('\n'),
    );
    expect(printAnswer('sidebars', { items: [], next_cursor: null }, LAYOUT)).toBe(
      'there are no sidebars; `yarnboard sidebar spawn TASK --root` makes one\n',
    );
    expect(printAnswer('agents', { items: [], next_cursor: null }, LAYOUT)).toBe('no agents yet; `yarnboard agent add NAME` registers one\n');
  });

  test('[CLI-20] a sidebar is a block: who, what it waits for, what it found, what it may become', () => {
    expect(REGISTRY.sidebar.output.parse(sidebar)).toEqual(sidebar);
    expect(printAnswer('sidebar', sidebar, LAYOUT)).toBe(
      [
        'SB-3  WAITING  HIGH  debugging',
        '  task           find out why the cache ␛[31mis cold',
        '  done when      a cause with evidence',
        '  inherits       11111111-2222-4333-8444-555555555555, as it was at position 12 of the log',
        '  participants   AGENT-operator (coordinates), AGENT-x (curates)',
        '  coordinator    AGENT-operator',
        '  curator        AGENT-x',
        '  waits for      child; the numbers; on SB-4; until 2026-11-15 10:20',
        '  escalated      by AGENT-x at 2026-11-15 10:20: no rights',
        '  proposed       PROPOSAL-1: AGENT-x asks to archive SB-3',
        '  messages       4',
        '  scratchpad     SCRATCH-3: 1 confirmed, 2 pending, 0 rejected, 1 checkpoint',
        '  conflicts      1 open; `yarnboard sidebar scratchpad SB-3` lists it',
        '  merge package  SCRATCH-3:FINDING-1, proposed by AGENT-x, curator approves: cold at start',
        '  focus          EXCH-1',
        '  to score it    AGENT-x',
        '  children       SB-4',
        '  GOLD           GOLD-1',
        '  tags           cache',
        '  latest         2026-11-15 10:20 (seq 17)',
        '  may become     ACTIVE, FAILED',
        '',
      ].join('\n'),
    );
  });

  test('[CLI-20] a test shows its group, what came out, and what came out of its peers', () => {
    const result = { test_description: '100 logins', result: 'none waited', findings: [], by: 'AGENT-x', at: AT };
    const tested: OutputOf<'sidebar'> = {
      ...sidebar,
      test_group: 'pools',
      test_results: [result, { ...result, test_description: '200 logins', result: 'two waited', findings: ['the pool is full', 'it heals'] }],
      test_peers: [
        { sidebar_id: 'SB-4', status: 'TESTING', results: [{ ...result, result: 'all waited' }] },
        { sidebar_id: 'SB-5', status: 'ARCHIVED', results: [] },
      ],
    };
    expect(REGISTRY.sidebar.output.parse(tested)).toEqual(tested);
    expect(printAnswer('sidebar', tested, LAYOUT)).toContain(
      [
        '  test group     pools',
        '  tested         100 logins: none waited (by AGENT-x)',
        '  tested         200 logins: two waited (by AGENT-x; found: the pool is full; it heals)',
        '  peer           SB-4 (TESTING): 100 logins: all waited (by AGENT-x)',
        '  peer           SB-5 (ARCHIVED): no results yet',
        '',
      ].join('\n'),
    );
  });

  test('[CLI-26] a citation is a block, and what it says stands as it is', () => {
    const citation: OutputOf<'citation'> = {
      citation_id: 'CITE-1',
      uuid: 'u',
      source: {
        type: 'file',
        ref: null,
        path: '/w/pool.conf',
        file_ref: 'FILE-abc:1-2',
        lines: { from: 1, to: 2 },
        url: null,
        title: null,
      },
      content: 'size = 5\n  idle = 1',
      relevance_score: 0.5,
      note: 'of production',
      created_in: 'SB-3',
      created_by: 'AGENT-x',
      created_at: AT,
    };
    expect(REGISTRY.citation.output.parse(citation)).toEqual(citation);
    expect(printAnswer('citation', citation, LAYOUT)).toBe(
      [
        'CITE-1',
        '  cites      FILE-abc:1-2',
        '  file       /w/pool.conf, lines 1-2',
        '  note       of production',
        '  relevance  0.5',
        '  in         SB-3',
        '  by         AGENT-x, 2026-11-15 10:20',
        '',
        '  size = 5',
        '    idle = 1',
        '',
      ].join('\n'),
    );
  });

  test('[CLI-20] memory is a conversation', () => {
    const item = {
      part: 'local',
      ref: 'MSG-4',
      exchange_id: 'EXCH-2',
      seq: 9,
      timestamp: AT,
      sender: 'AGENT-x',
      sender_type: 'agent',
      context_id: 'SB-3',
      content: 'one\n\n  two \u0007',
      citations: [],
      relevance: 0.5,
      in_focus: true,
    } as const;
    expect(
      printAnswer(
        'sidebar_memory',
        { items: [item, { ...item, ref: null, exchange_id: null, relevance: null, in_focus: false }], next_cursor: 'n' },
        LAYOUT,
      ),
    ).toBe(
      'MSG-4  EXCH-2  2026-11-15 10:20  AGENT-x  in focus  relevance 0.50\n  one\n\n    two ␇\n\nentry 9  2026-11-15 10:20  AGENT-x\n  one\n\n    two ␇\n\nmore: --cursor n\n',
    );
    const marked = (verification: string, more = {}) =>
      printAnswer(
        'sidebar_memory',
        {
          items: [{ ...item, local_verification: verification, mark: { verification, was: null, disputed: false, marked_at: AT, ...more } }],
          next_cursor: null,
        },
        LAYOUT,
      ).split('\n')[0];
    expect(marked('confirmed')).toContain('✓ confirmed');
    expect(marked('contradicted')).toContain('✗ contradicted');
    expect(marked('unverified', { was: 'confirmed' })).toContain('? unverified, was confirmed at 2026-11-15 10:20');
    expect(marked('unverified', { disputed: true })).toContain('? disputed');
    expect(printAnswer('sidebar_memory', { items: [], next_cursor: null }, LAYOUT)).toBe('nothing was said yet\n');
  });

  test('[CLI-20] [CLI-26] findings are grouped by what became of them, with their evidence; conflicts have names, and those that are over say why', () => {
    const over: OutputOf<'scratchpad'>['conflicts'][number] = {
      conflict_id: 'SB-3:CONFLICT-2',
      uuid: 'c2',
      entry_ids: [],
      conflict_description: 'SCRATCH-3:FINDING-3 and SCRATCH-3:FINDING-1: cold or hot',
      detected_at: AT,
      is_open: false,
      resolution_sidebar: null,
      outcome: 'rejected',
      outcome_entry_id: 'SCRATCH-3:FINDING-3',
      resolved_by: 'AGENT-operator',
      resolved_at: AT,
      notes: 'seen it',
    };
    const pad: OutputOf<'scratchpad'> = {
      scratchpad_id: 'SCRATCH-3',
      sidebar_id: 'SB-3',
      curator_agent: 'AGENT-x',
      task_definition: 'find out',
      success_criteria: 'a cause',
      counts: { confirmed: 1, pending: 1, rejected: 1, revised: 0, conflicts: 3, checkpoints: 1, backups: 0 },
      confirmed_findings: [finding],
      pending_findings: [
        {
          ...finding,
          entry_id: 'SCRATCH-3:FINDING-2',
          content: 'It is warm',
          source_refs: [],
          status: 'pending',
          validated_by: null,
          validation_notes: null,
          annotations: [],
          supersedes: 'SCRATCH-3:FINDING-1',
        },
      ],
      rejected_findings: [{ ...finding, entry_id: 'SCRATCH-3:FINDING-3', content: 'It is hot', status: 'rejected', annotations: [] }],
      conflicts: [
        {
          conflict_id: 'SB-3:CONFLICT-1',
          uuid: 'c1',
          entry_ids: ['SCRATCH-3:FINDING-1', 'SCRATCH-3:FINDING-2'],
          conflict_description: 'cold or warm',
          detected_at: AT,
          is_open: true,
          resolution_sidebar: 'SB-5',
          outcome: null,
          outcome_entry_id: null,
          resolved_by: null,
          resolved_at: null,
          notes: null,
        },
        { ...over, entry_ids: ['SCRATCH-3:FINDING-1', 'SCRATCH-3:FINDING-3'] },
        {
          ...over,
          entry_ids: ['SCRATCH-3:FINDING-1', 'SCRATCH-3:FINDING-2'],
          conflict_id: 'SB-3:CONFLICT-3',
          outcome: 'settled',
          outcome_entry_id: null,
          conflict_description: 'cold or warm',
          resolved_by: 'AGENT-x',
          notes: 'both hold',
        },
      ],
      checkpoints: [
        {
          checkpoint_id: 'SB-3:CHECKPOINT-1',
          uuid: 'k1',
          created_at: AT,
          created_by: 'AGENT-x',
          summary: 'half way',
          findings_at_checkpoint: ['SCRATCH-3:FINDING-1'],
          agent_annotations: { 'AGENT-y': 'fine' },
        },
      ],
      citable_sources: [],
      final_summary: null,
      backups: [],
    };
    expect(printAnswer('scratchpad', pad, LAYOUT)).toBe(
      [
        'SCRATCH-3 of SB-3, curated by AGENT-x',
        'task: find out',
        'done when: a cause',
        '',
        'confirmed (1)',
        '  SCRATCH-3:FINDING-1  The cache is cold',
        '    after every start',
        '    evidence MSG-1, CITE-2; by AGENT-x; confirmed by AGENT-operator; seen it',
        '    note by AGENT-y: me too',
        '',
        'pending (1)',
        '  SCRATCH-3:FINDING-2  It is warm',
        '    no evidence; by AGENT-x; revises SCRATCH-3:FINDING-1',
        '',
        'rejected (1)',
        '  SCRATCH-3:FINDING-3  It is hot',
        '    evidence MSG-1, CITE-2; by AGENT-x; rejected by AGENT-operator; seen it',
        '',
        'conflicts (3)',
        '  SB-3:CONFLICT-1  SCRATCH-3:FINDING-1 and SCRATCH-3:FINDING-2: cold or warm',
        '    open (SB-5 deals with it)',
        '  SB-3:CONFLICT-2  SCRATCH-3:FINDING-3 and SCRATCH-3:FINDING-1: cold or hot',
        '    over: SCRATCH-3:FINDING-3 was rejected by AGENT-operator, 2026-11-15 10:20: seen it',
        '  SB-3:CONFLICT-3  SCRATCH-3:FINDING-1 and SCRATCH-3:FINDING-2: cold or warm',
        '    settled by AGENT-x, 2026-11-15 10:20: both hold',
        '',
        'checkpoints (1)',
        '  SB-3:CHECKPOINT-1  2026-11-15 10:20  half way (by AGENT-x, 1 finding)',
        '    AGENT-y: fine',
        '',
      ].join('\n'),
    );
    // Of many only the newest are told, and they keep their names.
    const part = printAnswer('scratchpad', { ...pad, rejected_findings: [], counts: { ...pad.counts, confirmed: 700, conflicts: 12 } }, LAYOUT);
    expect(part).toContain('confirmed (the newest 1 of 700)\n');
    expect(part).toContain('rejected (1, not shown)\n');
    expect(part).toContain('conflicts (the newest 3 of 12)\n  SB-3:CONFLICT-1  ');
  });

  test('[CLI-20] what has no form of its own is printed by its fields, and no answer breaks it', () => {
    expect(printFields({ some_thing: 'a\nb', none: null, list: ['x', 2, true], more: { deep: 1 } }, LAYOUT)).toBe(
      '  some thing  a b\n  list        x, 2, true\n  more        deep=1\n',
    );
    expect(printFields({ items: [{ uuid: 'u', name: 'x', count: 3 }], next_cursor: null }, LAYOUT)).toBe('name  count\nx     3\n');
    expect(printFields({ items: [] }, LAYOUT)).toBe('nothing there\n');
    expect(printFields('done', LAYOUT)).toBe('done\n');
  });
});

describe('events', () => {
  test('[CLI-20] every event is one line that a terminal cannot be misled by', () => {
    const head = { seq: 1, timestamp: AT, sender_agent_id: 'AGENT-x\u001b', context_id: 'SB-1', uuid: 'u', refs: ['MSG-2', 'EXCH-1'] };
    for (const type of EVENT_NAMES) {
      const line = eventLine({
        type,
        ...head,
        sidebar_id: 'SB-1',
        entry_id: 'FINDING-1',
        gold_id: 'GOLD-1',
        claim_id: 'SB-1:CLAIM-1',
        content: 'a\nb\u001b[2J',
        reason: 'r\nr',
      });
      expect(line).not.toMatch(/undefined|null|\n/u);
      expect(line).not.toContain('\u001b');
      expect(line).not.toBe('');
    }
  });

  test('[CLI-20] lines say what happened with its references', () => {
    expect(eventLine({ type: 'sidebar_spawn', sidebar_id: 'SB-3', parent_id: null, task_description: 'look' })).toBe('SB-3 spawned as a root: look');
    expect(eventLine({ type: 'sidebar_spawn', sidebar_id: 'SB-3', parent_id: 's', task_description: 'look' })).toBe('SB-3 spawned from s: look');
    expect(eventLine({ type: 'chat_message', sender_agent_id: 'AGENT-x', refs: ['MSG-2'], content: 'hi' })).toBe('MSG-2 AGENT-x: hi');
    expect(eventLine({ type: 'sidebar_status_update', sidebar_id: 'SB-3', old_status: 'ACTIVE', new_status: 'REVIEWING', reason: null })).toBe(
      'SB-3 is REVIEWING (was ACTIVE)',
    );
    expect(eventLine({ type: 'sidebar_update', sidebar_id: 'SB-3', seq: 1, tags: ['a', 'b'], priority: 'LOW' })).toBe(
      'SB-3 changed: tags a, b, priority LOW',
    );
    expect(eventLine({ type: 'citation_created', citation_id: 'CITE-1', source: { ref: null, file_ref: 'FILE-abc:1-2' } })).toBe(
      'CITE-1 cites FILE-abc:1-2',
    );
    // A newer server may tell of things that this version does not know.
    expect(eventLine({ type: 'agent_promoted', context_id: 'SB-3', sender_agent_id: 'AGENT-x', refs: ['CITE-9'] })).toBe(
      'SB-3: agent promoted CITE-9 by AGENT-x',
    );
  });
});

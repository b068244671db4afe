import { snakeOf } from '@yarnboard/domain';

/** The wire names of a command's field, the usual one first. The operation determines which of them applies. */
export const fieldNames = (field: string): readonly string[] => [...(Object.hasOwn(OTHER, field) ? (OTHER[field] ?? []) : []), snakeOf(field)];

const OTHER: Readonly<Record<string, readonly string[]>> = {
  agent: ['agent_id'],
  annotations: ['agent_annotations'],
  checkpoint: ['checkpoint_id'],
  confidence: ['confidence_score'],
  claim: ['claim_id'],
  conflict: ['conflict_id'],
  coordinator: ['coordinator_agent'],
  crossRefs: ['cross_sidebar_refs'],
  curator: ['curator_agent'],
  dependencies: ['dependency_refs'],
  finding: ['entry_id'],
  gold: ['gold_id'],
  keyFindings: ['key_findings', 'consolidated_findings'],
  notes: ['notes', 'validation_notes'],
  relevance: ['relevance_score'],
  sidebar: ['sidebar_id', 'parent_sidebar_id', 'original_sidebar_id'],
  targets: ['target_agents'],
  task: ['task_description', 'sub_task_description'],
  timeoutMs: ['timeout_seconds'],
};

import type { CommandType, EventType, Happening } from '../messages/catalogue.ts';
import { AGENT_MUST_WAIT, AGENT_WHILE_AWAY } from '../messages/agents.ts';
import { AUTO_MERGE_MUST_WAIT, AUTO_MERGE_WHILE_AWAY } from '../messages/auto-merge.ts';
import { CITATION_WHILE_AWAY } from '../messages/citations.ts';
import { LABEL_WHILE_AWAY } from '../messages/labels.ts';
import { MARK_WHILE_AWAY } from '../messages/marks.ts';
import { MEMORY_WHILE_AWAY } from '../messages/memory.ts';
import { MERGING_MUST_WAIT, MERGING_WHILE_AWAY } from '../messages/merging.ts';
import { PERMISSION_WHILE_AWAY } from '../messages/permissions.ts';
import { RECRUITING_MUST_WAIT, RECRUITING_WHILE_AWAY } from '../messages/recruiting.ts';
import { RUNTIME_WHILE_AWAY } from '../messages/runtimes.ts';
import { SCRATCHPAD_WHILE_AWAY } from '../messages/scratchpad.ts';
import { SIDEBAR_MUST_WAIT, SIDEBAR_WHILE_AWAY } from '../messages/sidebar.ts';
import { SPAWNING_MUST_WAIT, SPAWNING_WHILE_AWAY } from '../messages/spawning.ts';
import { TALK_WHILE_AWAY } from '../messages/talk.ts';
import { VALIDATION_WHILE_AWAY } from '../messages/validation.ts';
import type { WhileAway } from '../messages/definition.ts';

/**
 * REC-54: complete by its type, so that every new command has to define this. Talk and judgements wait for the log; commands that would begin or end
 * a sidebar, or admit somebody, could not be done properly without it.
 */
export const WHILE_AWAY: Readonly<Record<CommandType, WhileAway>> = {
  ...AGENT_WHILE_AWAY,
  ...AUTO_MERGE_WHILE_AWAY,
  ...CITATION_WHILE_AWAY,
  ...LABEL_WHILE_AWAY,
  ...MARK_WHILE_AWAY,
  ...MEMORY_WHILE_AWAY,
  ...MERGING_WHILE_AWAY,
  ...PERMISSION_WHILE_AWAY,
  ...RECRUITING_WHILE_AWAY,
  ...RUNTIME_WHILE_AWAY,
  ...SCRATCHPAD_WHILE_AWAY,
  ...SIDEBAR_WHILE_AWAY,
  ...SPAWNING_WHILE_AWAY,
  ...TALK_WHILE_AWAY,
  ...VALIDATION_WHILE_AWAY,
};

const MUST_WAIT: Partial<Record<EventType, (payload: never) => boolean>> = {
  ...SPAWNING_MUST_WAIT,
  ...SIDEBAR_MUST_WAIT,
  ...MERGING_MUST_WAIT,
  ...AUTO_MERGE_MUST_WAIT,
  ...AGENT_MUST_WAIT,
  ...RECRUITING_MUST_WAIT,
};

/** REC-55: the first event of a command that must wait for the log; null if all of them may be queued. */
export const blockedAmong = (happenings: readonly Happening[]): EventType | null =>
  happenings.find(({ type, payload }) => MUST_WAIT[type]?.(payload as never) === true)?.type ?? null; // type and payload belong together

import type { OperationName } from '@yarnboard/protocol';

type KeptLook = {
  /** What it was to be, for whoever is told that it was not done. */
  readonly what: string;
  /** Where in it the words are that somebody wrote. */
  readonly text: string | null;
};

/**
 * PAGE-141: the commands that outlive a reload while they wait for the server. Each has a message id that the log keeps, so that it is done once however
 * often it is sent; what it does is seen on the board, whoever asked; and it holds words and references only.
 */
export const KEPT_COMMANDS = {
  chat_message: { what: 'a message', text: 'content' },
  scratchpad_entry_submitted: { what: 'a finding', text: 'content' },
  scratchpad_entry_validated: { what: 'your review of a finding', text: 'validation_notes' },
  scratchpad_annotate: { what: 'a note on a finding', text: 'note' },
  conflict_resolve: { what: 'your resolution of a conflict', text: 'notes' },
  scratchpad_checkpoint: { what: 'a checkpoint', text: 'summary' },
  checkpoint_annotate: { what: 'a note on a checkpoint', text: 'note' },
  citation_created: { what: 'a citation', text: 'note' },
  gold_created: { what: 'a GOLD', text: 'key_insight' },
  gold_validated: { what: 'your review of a GOLD', text: 'validation_notes' },
  relevance_score: { what: 'your relevance ratings', text: null },
  focus_set: { what: 'a focus change', text: null },
  sidebar_spawn: { what: 'a new sidebar', text: 'task_description' },
  sidebar_child_spawn: { what: 'a new child sidebar', text: 'sub_task_description' },
  sidebar_fork: { what: 'a fork', text: 'fork_reason' },
  sidebar_pause: { what: 'a pause', text: 'reason' },
  sidebar_resume: { what: 'resuming the sidebar', text: 'reason' },
  sidebar_waiting_update: { what: 'a wait', text: 'waiting_for' },
  sidebar_status_update: { what: 'a status change', text: 'reason' },
  sidebar_update: { what: 'an edit of the sidebar', text: 'task_description' },
  sidebar_escalate: { what: 'an escalation', text: 'reason' },
  sidebar_test_result: { what: 'a test result', text: 'result' },
  sidebar_consolidate: { what: 'a prepared merge', text: 'summary' },
  sidebar_check_merge: { what: 'your review of a merge', text: 'notes' },
  // What was seen when it was approved goes with it: it is refused when something has happened since.
  sidebar_merge: { what: 'a merge', text: 'reason' },
  sidebar_archive: { what: 'archiving the sidebar', text: 'note' },
  agent_recruited: { what: 'an invitation', text: null },
  agent_left: { what: 'removing a participant', text: 'reason' },
  agent_update: { what: 'an edit of an agent', text: null },
  mention_route: { what: 'a mention', text: 'message' },
  inbox_ack: { what: 'marking notices as read', text: null },
} as const satisfies Partial<Record<OperationName, KeptLook>>;

/** The commands with a message id that a reload loses, as before: whoever leaves the page is asked first. */
export const LOST_COMMANDS = {
  agent_register: 'its answer is a token that is shown once, by a form that is gone',
  agent_token: 'its answer is a token that is shown once, by a form that is gone',
  agent_retire: 'it locks somebody out: who asked for that should see it done, not find it done later',
  agent_presence: 'it says who is there now, which is another moment after a reload',
  media_uploaded: 'it holds the bytes of a file, which are too many to be kept there',
} as const satisfies Partial<Record<OperationName, string>>;

export type KeptCommand = keyof typeof KEPT_COMMANDS;

export const isKeptCommand = (name: unknown): name is KeptCommand => typeof name === 'string' && Object.hasOwn(KEPT_COMMANDS, name);

import type { Caller, Operation } from '../operation.ts';
import { REGISTRY, type OperationName } from '../registry/registry.ts';

/** What an action does: an operation, with inputs that the action already determines. */
export type ToolAction = { readonly operation: OperationName; readonly given: Readonly<Record<string, unknown>> };

/** Several operations that agents use for one purpose, as a single MCP tool. */
export type ToolGroup = {
  readonly title: string;
  /** Its purpose, if that is more than its only operation says. Each action is described by its operation. */
  readonly about: string;
  readonly actions: Readonly<Record<string, OperationName | ToolAction>>;
  /** The action used when none is named. */
  readonly standard?: string;
  /** Inputs listed besides the required ones; the others are accepted as well, and described by `more`. */
  readonly optional?: readonly string[];
  /** It deletes something for good, or ends it. */
  readonly isDestructive?: boolean;
  /** Repeating it changes nothing more. */
  readonly isIdempotent?: boolean;
};

const moved = (to: string): ToolAction => ({ operation: 'sidebar_status_update', given: { new_status: to } });

/**
 * MCP-1: the tools offered to agents, by purpose. They are listed with all their inputs, and a small context has to hold that. Every other operation
 * is available through `more`: a new one need not be listed here.
 */
export const TOOLS = {
  search: {
    title: 'Search',
    about: '',
    actions: { search: 'search' },
    optional: ['project', 'session', 'since', 'until', 'cursor'],
    standard: 'search',
  },
  sessions: {
    title: 'Sessions',
    about: 'Find coding sessions.',
    actions: { list: 'sessions', show: 'session' },
    optional: ['project', 'since', 'until', 'cursor'],
    standard: 'list',
  },
  read: {
    title: 'Read',
    about: 'Read a session, or what a reference stands for.',
    actions: { messages: 'messages', conversation: 'conversation', message: 'message', reference: 'reference' },
    optional: ['from', 'at', 'cursor'],
  },
  trace: {
    title: 'Trace',
    about: '',
    actions: { trace: 'trace' },
    standard: 'trace',
  },
  sidebars: {
    title: 'Sidebars',
    about: 'Look at sidebars.',
    actions: { list: 'sidebars', show: 'sidebar', findings: 'scratchpad', memory: 'sidebar_memory' },
    optional: ['participant', 'parent_id', 'part', 'cursor'],
    standard: 'list',
  },
  inbox: {
    title: 'Inbox',
    about: 'Who you are.',
    actions: { show: 'inbox' },
    standard: 'show',
  },
  inbox_ack: {
    title: 'Mark inbox as read',
    about: '',
    actions: { read: 'inbox_ack' },
    standard: 'read',
    isIdempotent: true,
  },
  golds: {
    title: 'GOLD',
    about: 'Find GOLD: insights for when the same symptoms return.',
    actions: { list: 'golds', show: 'gold', match: 'gold_match' },
    optional: ['cursor'],
    standard: 'list',
  },
  agents: {
    title: 'Agents',
    about: 'See who works here.',
    actions: { list: 'agents', show: 'agent' },
    optional: ['cursor'],
    standard: 'list',
  },
  spawn: {
    title: 'Start a sidebar',
    about: 'Start work in a sidebar of its own.',
    actions: { sidebar: 'sidebar_spawn', fork: 'sidebar_fork' },
    optional: ['task_description', 'success_criteria', 'participants', 'coordinator_agent', 'curator_agent'],
  },
  talk: {
    title: 'Talk',
    about: 'Talk to others.',
    actions: { say: 'chat_message', mention: 'mention_route' },
    optional: ['sidebar_id', 'citations', 'in_reply_to'],
  },
  cite: {
    title: 'Cite',
    about: '',
    actions: { add: 'citation_created' },
    optional: ['source', 'path', 'lines', 'url', 'content', 'note', 'sidebar_id'],
    standard: 'add',
  },
  finding: {
    title: 'Findings',
    about: 'Report and review findings.',
    actions: {
      add: 'scratchpad_entry_submitted',
      validate: 'scratchpad_entry_validated',
      settle: 'conflict_resolve',
      checkpoint: 'scratchpad_checkpoint',
    },
    optional: ['source_refs', 'validation_notes'],
  },
  mark_gold: {
    title: 'Mark GOLD',
    about: 'Propose or validate GOLD.',
    actions: { add: 'gold_created', validate: 'gold_validated' },
    optional: ['sidebar_id', 'validation_notes'],
  },
  merge: {
    title: 'Merge',
    about: 'Bring work back: consolidate, check, merge; or finish.',
    actions: { consolidate: 'sidebar_consolidate', check: 'sidebar_check_merge', merge: 'sidebar_merge', finish: 'sidebar_finish' },
    optional: ['summary', 'key_findings', 'fit', 'success', 'notes', 'parent_id'],
  },
  sidebar: {
    title: 'Steer a sidebar',
    about: 'Steer a sidebar.',
    actions: {
      pause: 'sidebar_pause',
      resume: 'sidebar_resume',
      wait: 'sidebar_waiting_update',
      review: moved('REVIEWING'),
      activate: moved('ACTIVE'),
      escalate: 'sidebar_escalate',
      answer: 'proposal_answer',
      score: 'relevance_score',
    },
    optional: ['reason', 'dependency_refs'],
  },
  end: {
    title: 'End a sidebar',
    about: 'End a sidebar without a merge, or ask its coordinator to.',
    actions: { archive: 'sidebar_archive', fail: moved('FAILED') },
    optional: ['reason', 'note'],
    isDestructive: true,
  },
  team: {
    title: 'Team',
    about: 'Join and leave sidebars.',
    actions: { join: 'agent_recruited', leave: 'agent_left' },
    optional: ['agent_id'],
  },
  claude: {
    title: 'Run Claude Code',
    about: 'Run Claude Code on this machine.',
    actions: {
      start: 'start_run',
      send: 'send_message',
      permit: 'answer_permission',
      end: 'end_run',
      abort: 'abort_run',
      switch: 'switch_session',
    },
    optional: ['cwd', 'prompt', 'resume', 'fork', 'model', 'text', 'message'],
    isDestructive: true,
  },
  manage_agents: {
    title: 'Manage agents',
    about: 'Say who may work here.',
    actions: { register: 'agent_register', new_token: 'agent_token', retire: 'agent_retire' },
    optional: ['kind', 'specialties', 'reason'],
    isDestructive: true,
  },
  administer: {
    title: 'Administer',
    about: 'Look after the board and its data.',
    actions: { import: 'import', reopen: 'sidebar_reopen', forget: 'forget', rebuild: 'rebuild', repair: 'repair', backup: 'backup', stop: 'stop' },
    optional: ['session', 'countdown_seconds', 'message'],
    isDestructive: true,
  },
} as const satisfies Readonly<Record<string, ToolGroup>>;

export type ToolName = keyof typeof TOOLS;

export const isTool = (name: string): name is ToolName => Object.hasOwn(TOOLS, name);

export const actionsOf = ({ actions }: ToolGroup): readonly (readonly [name: string, action: ToolAction])[] =>
  Object.entries(actions).map(([name, action]) => [name, typeof action === 'string' ? { operation: action, given: {} } : action]);

/** Whether a caller may use an operation at all; the sidebar decides what it may do there. */
export const mayCall = (caller: Caller, { who }: Pick<Operation, 'who'>): boolean => RANK[caller] >= RANK[who];

const RANK: Readonly<Record<Caller, number>> = { anyone: 0, member: 1, operator: 2 };

/** How agents call an operation: `search`, `spawn {action: "child"}`, or `more {operation: "verify"}`. Null if it isn't a tool. */
export const toolCall = (operation: OperationName): string | null => {
  const { isNoTool }: Operation = REGISTRY[operation];
  return isNoTool === true ? null : (CALLS.get(operation) ?? `more {operation: "${operation}"}`);
};

const CALLS: ReadonlyMap<OperationName, string> = new Map(
  Object.entries<ToolGroup>(TOOLS)
    .flatMap(([name, group]) =>
      actionsOf(group).map(([action, { operation }]): [OperationName, string] => [
        operation,
        action === group.standard ? name : `${name} {action: "${action}"}`,
      ]),
    )
    // The first action of an operation names it.
    .toReversed(),
);

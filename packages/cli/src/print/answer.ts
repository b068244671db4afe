import { printableLine } from '@yarnboard/transcript';
import { obstacleIn, obstacleWords, textOf, type OperationName, type OutputOf } from '@yarnboard/protocol';
import { claimRow, printClaim } from './claims.ts';
import { printChanges, printFiles, printGit } from './changes.ts';
import { printOutline } from './outline.ts';
import { printContext } from './context.ts';
import { printUsage } from './usage.ts';
import { eventLine, type Told } from './events.ts';
import { indented, printMemory } from './memory.ts';
import { printCache, printExport, printRecovery, printServers, printSettled } from './recovery.ts';
import { printPermissions } from './permissions.ts';
import { printScratchpad } from './scratchpad.ts';
import { sessionsTable } from './sessions.ts';
import { fieldLines, minute, printSidebar, spaced } from './sidebar.ts';
import { table } from './table.ts';
import { printValidators, runRow } from './validation.ts';
import { printAutoMerges } from './auto-merges.ts';

export type Layout = { readonly columns: number };

type Printer<N extends OperationName> = (answer: OutputOf<N>, layout: Layout) => string;

/** CLI-20: prints an answer for people. An answer without a form of its own is printed field by field. Pure: the same answer gives the same text. */
export const printAnswer = (name: OperationName, answer: unknown, layout: Layout): string => {
  if (isQueuedAnswer(answer)) return `${printableLine(answer.message)}\n`;
  const print = PRINTERS[name];
  if (print !== undefined) return print(answer as never, layout); // the key determines which answer it takes
  if (!isDone(answer)) return printFields(answer, layout);
  return [...answer.events.map(eventLine), ...recruitmentLines(answer)].map((line) => `${line}\n`).join('');
};

/** LOAD-11: what nothing that happened tells: who is away, why somebody was chosen and whom to take instead, and what a plan comes to. */
const recruitmentLines = ({ recruitments = [], planned = false }: OutputOf<'sidebar_pause'>): readonly string[] =>
  recruitments
    .filter(({ status, why }) => planned || status === 'offline' || why !== null)
    .map(({ message, alternatives }) =>
      printableLine(`${planned ? 'plan: ' : ''}${message}${alternatives.length === 0 ? '' : `; free instead: ${alternatives.join(', ')}`}`),
    );

/** REC-52: a command that waits for the log. */
const isQueuedAnswer = (answer: unknown): answer is { readonly queued: true; readonly message: string } =>
  typeof answer === 'object' && answer !== null && 'queued' in answer && answer.queued === true && 'message' in answer;

/** The events that a command caused. */
export const isDone = (answer: unknown): answer is OutputOf<'sidebar_pause'> =>
  typeof answer === 'object' && answer !== null && 'events' in answer && 'warnings' in answer && 'message_id' in answer;

/** Short lists become tables, anything else is printed field by field. */
export const printFields = (answer: unknown, layout: Layout): string => {
  if (typeof answer !== 'object' || answer === null) return `${printableLine(textOf(answer))}\n`;
  const fields = answer as Told; // an object, so it has fields
  const { items, next_cursor: next } = fields;
  if (!Array.isArray(items)) return `${fieldLines(Object.entries(fields).map(([key, value]) => [named(key), textOf(value)])).join('\n')}\n`;
  const rows = items as readonly Told[]; // lists are of objects
  const heads = Object.keys(rows[0] ?? {}).filter((key) => key !== 'uuid');
  if (rows.length === 0) return 'nothing there\n';
  const cells = rows.map((row) => heads.map((head) => textOf(row[head])));
  return `${table(heads.map(named), cells, { columns: layout.columns, flexible: heads.length - 1 })}${more(typeof next === 'string' ? next : null)}`;
};

const named = (key: string): string => key.replaceAll('_', ' ');

const more = (next: string | null): string => (next === null ? '' : `more: --cursor ${next}\n`);

const listed = (
  { columns }: Layout,
  head: readonly string[],
  rows: readonly (readonly string[])[],
  flexible: number,
  next: string | null,
  nothing: string,
): string => (rows.length === 0 ? `${nothing}\n` : `${table(head, rows, { columns, flexible })}${more(next)}`);

const PRINTERS: { readonly [N in OperationName]?: Printer<N> } = {
  validators: printValidators,
  recovery: printRecovery,
  servers: printServers,
  recovery_cache: printCache,
  recovery_replay: printSettled,
  recovery_discard: printSettled,
  recovery_resolve: printSettled,
  recovery_export: printExport,
  auto_merge_history: printAutoMerges,
  validation_history: ({ items, next_cursor: next }, layout) =>
    listed(layout, ['checked (UTC)', 'claim', 'type', 'outcome', 'asked by', ''], items.map(runRow), 5, next, 'nothing was checked by a machine yet'),
  sidebars: ({ items, next_cursor: next }, layout) =>
    listed(
      layout,
      ['sidebar', 'status', 'task', '>said', '>found', 'from', 'latest (UTC)'],
      items.map((one) => [
        one.sidebar_id,
        one.status,
        one.task_description,
        String(one.messages),
        `${one.findings.confirmed}/${one.findings.confirmed + one.findings.pending + one.findings.rejected}${one.open_conflicts === 0 ? '' : ' !'}`,
        one.forked_from ?? short(one.parent_context_id ?? 'root'),
        minute(one.last_activity),
      ]),
      2,
      next,
      'there are no sidebars; `yarnboard sidebar spawn TASK --root` makes one',
    ),
  sessions: ({ items, next_cursor: next }, layout) => {
    const { head, rows } = sessionsTable(items);
    return listed(layout, head, rows, head.indexOf('title'), next, 'there are no sessions yet; `yarnboard start` imports those of this machine');
  },
  usage: printUsage,
  context: printContext,
  outline: printOutline,
  session_git: printGit,
  changed_files: printFiles,
  changes: printChanges,
  file_history: printChanges,
  sidebar: printSidebar,
  sidebar_memory: printMemory,
  sidebar_archived: (one) =>
    `${printSidebar(one.sidebar_snapshot)}\narchived ${minute(one.archived_at)} by ${printableLine(one.archived_by)} (${one.archive_reason}): ${printableLine(one.summary)}${one.note === null ? '' : `\nnote: ${printableLine(one.note)}`}\n\n${printScratchpad(one.scratchpad_snapshot)}`,
  archive_search: ({ items, next_cursor: next, total }, layout) =>
    `${listed(
      layout,
      ['sidebar', 'ended as', 'archived (UTC)', 'task', 'found by'],
      items.map((one) => [
        one.sidebar_id,
        one.final_status,
        minute(one.archived_at),
        one.task_description,
        one.matched.map(({ field, snippet }) => `${field.replaceAll('_', ' ')}: ${snippet}`).join(' · '),
      ]),
      4,
      next,
      'no archived sidebar fits; lower --fuzzy-threshold or --similarity-threshold to find more',
    )}${total > items.length ? `${total} in all\n` : ''}`,
  lifecycle: ({ statuses, interventions }) => {
    const steps = table(
      ['status', 'may become'],
      statuses.map(({ status, moves_to: next }) => [status, next.length === 0 ? 'nothing else' : next.join(', ')]),
    );
    const counts = Object.entries(interventions).map(([type, count]) => `  ${printableLine(type)}  ${count}\n`);
    return `${steps}${counts.length === 0 ? '' : `\nthe human stepped in:\n${counts.join('')}`}`;
  },
  scratchpad: printScratchpad,
  episodes: ({ items, next_cursor: next }, layout) =>
    listed(
      layout,
      ['kept (UTC)', 'from', 'state', 'what'],
      items.map((one) => [
        minute(one.archived_at),
        one.source_sidebar ?? '',
        one.superseded ? 'superseded' : one.provisional ? 'provisional' : 'final',
        one.content,
      ]),
      3,
      next,
      'nothing is in episodic memory yet',
    ),
  auto_merge_obstacles: ({ sidebar_id: id, would_merge: isFree, obstacles }) =>
    isFree
      ? `${id} merges automatically once its curator approves it\n`
      : `${id} does not merge automatically:\n${obstacles.map((one) => `  - ${printableLine(obstacleLine(one))}\n`).join('')}`,
  claims: ({ items, next_cursor: next }, layout) =>
    listed(layout, ['claim', 'mark', 'what', '>counts', 'by'], items.map(claimRow), 2, next, 'nothing that it inherited was judged yet'),
  claim: printClaim,
  agents: ({ items, next_cursor: next }, layout) =>
    listed(
      layout,
      ['agent', 'kind', 'is', '>works in', 'good at'],
      items.map((one) => [
        one.agent_id,
        one.kind,
        one.is_retired ? 'retired' : one.availability,
        String(one.current_load),
        one.specialties.join(', '),
      ]),
      4,
      next,
      'no agents yet; `yarnboard agent add NAME` registers one',
    ),
  agent_try: ({ agent_id: agent, runtime, works, checks }) =>
    `${agent} on ${runtime}: ${works ? 'works' : 'does not work'}\n${checks.map(({ name, works: isIt, text }) => `${isIt === null ? '!' : isIt ? '✓' : '✗'} ${name}: ${printableLine(text)}\n`).join('')}`,
  permissions: printPermissions,
  seats: ({ items, next_cursor: next }, layout) =>
    listed(
      layout,
      ['agent', 'sidebar', 'runtime', 'is', '>turns', '>tokens', '>USD', 'why'],
      items.map((one) => [
        one.agent_id,
        one.sidebar_id,
        one.runtime ?? '',
        one.state ?? '',
        `${one.turns.used}/${one.turns.limit}`,
        `${one.tokens.used}/${one.tokens.limit}`,
        `${one.usd.used.toFixed(2)}/${one.usd.limit}`,
        one.reason ?? '',
      ]),
      7,
      next,
      'no agent acts by itself; `yarnboard agent runtime NAME --runtime RUNTIME` makes one',
    ),
  load: ({ items, next_cursor: next }, layout) =>
    listed(
      layout,
      ['agent', 'is', '>seats', '>instances', '>queued', 'at work in', 'paused for others'],
      items.map((one) => [
        one.agent_id,
        one.availability,
        `${one.current_load}${one.capacity === null ? '' : `/${one.capacity}`}`,
        String(one.instances.length),
        String(one.queued),
        one.instances.flatMap(({ seats }) => seats.map((seat) => seat.sidebar_id)).join(', '),
        one.paused.join(', '),
      ]),
      5,
      next,
      'no agents yet; `yarnboard agent add NAME` registers one',
    ),
  inbox: (inbox) => {
    const lines = [
      ...inbox.notices.map((one) => `${one.seq}  ${minute(one.at)}  ${one.context_id}  ${URGENCY[one.level]}${one.from}: ${one.text}`),
      ...inbox.to_decide.map((one) => `decide ${one.sidebar_id}: ${WAITING[one.what]} ${one.agent_id}: ${one.reason}${pausable(one.can_pause)}`),
      ...inbox.to_answer.map((one) => `answer ${one.sidebar_id} ${one.proposal_id}: ${one.proposed_by} asks to ${one.proposal}`),
      ...inbox.to_validate.map((one) => `validate ${one.entry_id} by ${one.submitted_by}: ${one.content}`),
      ...inbox.gold_to_validate.map((one) => `validate ${one.gold_id} by ${one.created_by}: ${one.key_insight}`),
      ...inbox.conflicts.map((one) => `settle ${one.sidebar_id} ${one.conflict_id.replace(`${one.sidebar_id}:`, '')}: ${one.conflict_description}`),
      ...inbox.to_check.map((ref) => `check the merge package of ${ref}`),
      ...inbox.to_approve.map((ref) => `approve the merge of ${ref}`),
      ...inbox.to_judge.map((one) => `decide ${one.claim_id}, whose checks disagree: ${one.conflicts.join('; ')}`),
      ...inbox.to_settle.map((one) => `settle ${one.claim_id}: ${one.agents.join(' and ')} disagree about ${one.exchange_id}`),
      ...inbox.to_review.map((ref) => `score what ${ref} inherits`),
      ...inbox.to_verify.map((one) => `verify ${one.exchange_id} in ${one.sidebar_id}`),
    ].map(printableLine);
    const hidden = Object.entries(inbox.more).filter(([, count]) => count > 0);
    const waiting = hidden.reduce((sum, [, count]) => sum + count, lines.length);
    const rest = hidden.length === 0 ? '' : `  … ${hidden.map(([list, count]) => `${count} more ${named(list)}`).join(', ')}\n`;
    const head = `${printableLine(inbox.agent_id)}: `;
    // No further than what is shown: more may have arrived since.
    const newest = inbox.notices.at(-1);
    const read = newest === undefined ? '' : `once read: \`yarnboard agent read ${newest.seq}\`\n`;
    return waiting === 0
      ? `${head}nothing waits for you\n`
      : `${head}${waiting} waiting\n${lines.map((line) => `  ${line}\n`).join('')}${rest}${read}`;
  },
  citations: ({ items, next_cursor: next }, layout) =>
    listed(
      layout,
      ['citation', 'cites', 'in', 'by', 'what it says'],
      items.map((one) => [one.citation_id, cited(one), short(one.created_in), one.created_by, one.content ?? one.note ?? '']),
      4,
      next,
      'nothing is cited yet; `yarnboard cite add REF` cites something',
    ),
  citation: (one) => {
    const { source } = one;
    const fields = [
      ['cites', cited(one)],
      ['title', source.title ?? ''],
      ['file', source.path === null ? '' : `${source.path}${source.lines === null ? '' : `, lines ${source.lines.from}-${source.lines.to}`}`],
      ['note', one.note ?? ''],
      ['relevance', one.relevance_score === null ? '' : String(one.relevance_score)],
      ['in', one.created_in],
      ['by', `${one.created_by}, ${minute(one.created_at)}`],
    ] as const;
    const said = one.content === null ? '' : `\n${indented(one.content)}\n`;
    return `${[printableLine(one.citation_id), ...fieldLines(fields)].join('\n')}\n${said}`;
  },
  golds: ({ items, next_cursor: next }, layout) =>
    listed(
      layout,
      ['waypoint', 'status', 'insight', '>used', 'by'],
      items.map((one) => [
        one.gold_id,
        one.superseded !== null ? 'superseded' : one.provisional ? `${one.status}, provisional` : one.status,
        one.key_insight,
        String(one.times_referenced),
        one.created_by,
      ]),
      2,
      next,
      'there are no GOLD waypoints yet; `yarnboard gold add INSIGHT` makes one',
    ),
  gold_match: ({ matches }) =>
    matches.length === 0
      ? 'no waypoint deals with this\n'
      : matches
          .map(
            ({ gold, score, condition }) =>
              `${spaced([gold.gold_id, score.toFixed(2), gold.key_insight])}\n  ${printableLine(`when: ${condition}`)}\n  ${printableLine(`reuse: ${gold.reuse_pattern}`)}\n`,
          )
          .join(''),
};

/** What a notice asks of its reader; most ask nothing. */
const WAITING = { request: 'take part? asked by', escalation: 'asked by', queued: 'no seat of', failed: 'a failing seat of' } as const;

const pausable = (sidebars: OutputOf<'inbox'>['to_decide'][number]['can_pause']): string =>
  sidebars.length === 0 ? '' : `; you may pause ${sidebars.map((one) => `${one.sidebar_id} (${one.priority})`).join(', ')}`;

const URGENCY: Readonly<Record<OutputOf<'inbox'>['notices'][number]['level'], string>> = {
  info: '',
  warning: 'warning  ',
  escalate: 'needs you  ',
};

const cited = ({ source }: OutputOf<'citation'>): string => source.ref ?? source.file_ref ?? source.url ?? source.path ?? '';

// Sessions have long ids, whose beginning is enough to find them.
const short = (context: string): string => (/^[0-9a-f]{8}-[0-9a-f-]{27}$/u.test(context) ? context.slice(0, 8) : context);

/** In the terminal's words; an obstacle that only a newer server knows, in the server's. */
const obstacleLine = ({ obstacle, facts, message }: OutputOf<'auto_merge_obstacles'>['obstacles'][number]): string => {
  const known = obstacleIn(obstacle, facts);
  return known === null ? message : obstacleWords(known, 'terminal');
};

import { printableLine } from '@yarnboard/transcript';
import type { EventName } from '@yarnboard/protocol';

/** What happened, as the board tells it: a type, and fields under the names of the wire. */
export type Told = Readonly<Record<string, unknown>>;

/** One line about something that happened. What this version has no words for is told by its name and its references. */
export const eventLine = (event: Told): string => {
  const type = textOf(event['type']);
  const words: Words | undefined = Object.hasOwn(SENTENCES, type) ? SENTENCES[type as EventName] : undefined; // looked up just before
  return printableLine(words === undefined ? otherwise(event) : words((name) => textOf(event[name]), event));
};

type Words = (of: (name: string) => string, event: Told) => string;

const otherwise = (event: Told): string => {
  const [type, about, by, refs] = [event['type'], event['context_id'], event['sender_agent_id'], event['refs']].map(textOf);
  return `${about === '' ? 'board' : about}: ${(type ?? '').replaceAll('_', ' ')}${refs === '' ? '' : ` ${refs}`}${by === '' ? '' : ` by ${by}`}`;
};

/** "value", with what goes before it; nothing where there is none. */
const after = (before: string, value: string): string => (value === '' ? '' : `${before}${value}`);

const parentOf = (of: (name: string) => string): string => (of('parent_id') === '' ? ' as a root' : ` from ${of('parent_id')}`);

const changed: Words = (of, event) => {
  const fields = Object.keys(event).filter((key) => !HEAD.has(key));
  return `${of('sidebar_id')} changed${after(': ', fields.map((key) => `${key.replaceAll('_', ' ')} ${of(key)}`).join(', '))}`;
};

const HEAD: ReadonlySet<string> = new Set(['type', 'seq', 'timestamp', 'sender_agent_id', 'context_id', 'uuid', 'refs', 'sidebar_id', 'agent_id']);

const SENTENCES = {
  sidebar_spawn: (of) => `${of('sidebar_id')} spawned${parentOf(of)}: ${of('task_description')}`,
  sidebar_child_spawn: (of) => `${of('sidebar_id')} spawned under ${of('parent_id')}: ${of('task_description')}`,
  sidebar_fork: (of) => `${of('sidebar_id')} forked from ${of('original_sidebar_id')}: ${of('fork_reason')}`,
  sidebar_forked: (of) => `${of('original_sidebar_id')} was forked into ${of('new_sidebar_id')}`,
  sidebar_status_update: (of) => `${of('sidebar_id')} is ${of('new_status')} (was ${of('old_status')})${after(': ', of('reason'))}`,
  sidebar_pause: (of) => `${of('sidebar_id')} paused: ${of('reason')}${after('; until ', of('resume_condition'))}`,
  sidebar_resumed: (of, event) =>
    `${of('sidebar_id')} resumed after ${of('paused_duration')} s${after('; meanwhile: ', listOf(event['what_happened_while_paused']))}`,
  sidebar_waiting_update: (of) =>
    `${of('sidebar_id')} waits for ${of('waiting_for')}${after(', on ', of('dependency_refs'))}${after(', until ', of('deadline'))}`,
  sidebar_update: changed,
  sidebar_escalate: (of) => `${of('sidebar_id')} escalated to ${of('to')}: ${of('reason')}`,
  sidebar_intervention: (of) => `${of('sidebar_id')}: you did it instead of ${of('instead_of')} (${of('what')})`,
  sidebar_test_result: (of) => `${of('sidebar_id')} tested: ${of('test_description')}: ${of('result')}`,
  sidebar_consolidate: (of) => `${of('sidebar_id')} consolidated; its merge package is to be checked and approved`,
  sidebar_check_merge: (of) =>
    `${of('sidebar_id')}: merge package ${of('fit') === 'true' ? 'fits' : 'does not fit'}, says the ${of('as')}${after(': ', of('notes'))}`,
  sidebar_merge: (of) => `${of('sidebar_id')} merged${after(' into ', of('parent_id'))}${after(': ', of('consolidated_findings'))}`,
  memory_update: (of, event) => `${of('context_id')} got what ${of('sidebar_id')} found${after(' as ', fieldOf(event['exchange'], 'exchange_id'))}`,
  sidebar_archive: (of) => `${of('sidebar_id')} archived (${of('archive_reason')}); nothing is lost, it can be cited and forked`,
  chat_message: (of, event) => `${messageRef(event)}${of('sender_agent_id')}: ${of('content')}`,
  mention_route: (of) => `told ${of('target_agents')}: ${of('message')}`,
  relevance_score: (of) => `${of('sidebar_id')} scored: ${of('scores')}`,
  relevance_dispute: (of) => `${of('sidebar_id')}: ${of('agents')} do not agree on ${of('exchange_id')}`,
  focus_set: (of) => `${of('sidebar_id')} focus${after(' +', of('add'))}${after(' −', of('remove'))}`,
  scratchpad_created: (of) => `${of('scratchpad_id')} created; ${of('curator_agent')} validates its findings`,
  scratchpad_backup: (of) => `${of('scratchpad_id')} backed up (${of('reason')})`,
  scratchpad_entry_submitted: (of) => `${of('entry_id')} submitted: ${of('content')}`,
  scratchpad_entry_validated: (of) => `${of('entry_id')} ${of('status')}${after(': ', of('validation_notes'))}`,
  scratchpad_annotate: (of) => `${of('entry_id')} annotated: ${of('note')}`,
  scratchpad_conflict: (of, event) =>
    `${of('sidebar_id')}: ${conflictName(of('conflict_id'))}: ${contradiction(event['entry_ids'], of('conflict_description'))}`,
  conflict_resolve: (of) => `${of('sidebar_id')}: ${conflictName(of('conflict_id'))} settled: ${of('notes')}`,
  scratchpad_checkpoint: (of) => `${of('sidebar_id')} checkpoint ${of('checkpoint_id')}: ${of('summary')}`,
  checkpoint_annotate: (of) => `${of('sidebar_id')} checkpoint ${of('checkpoint_id')} annotated: ${of('note')}`,
  memory_archived: (of) => `kept in episodic memory${of('provisional') === 'true' ? ', provisionally' : ''}: ${kept(of)}`,
  memory_finalised: (of) => `episodic memory is final: ${kept(of)}`,
  memory_superseded: (of) => `episodic memory is superseded: ${kept(of)}${after(': ', of('reason'))}`,
  citation_created: (of, event) => `${of('citation_id')} cites ${citedIn(event['source'])}`,
  media_uploaded: (of) => `${of('media_id')} attached to ${of('uploaded_during')}: ${of('file_path')} (${of('file_size')} bytes)`,
  media_processed: (of) => `${of('media_id')} processed: ${of('mime')}`,
  media_error: (of) => `${of('media_id')} could not be processed: ${of('error')}`,
  gold_created: (of) => `${of('gold_id')} created: ${of('key_insight')}`,
  gold_validated: (of) => `${of('gold_id')} ${of('status')}${after(': ', of('validation_notes'))}`,
  gold_finalised: (of) => `${of('gold_id')} is final`,
  gold_superseded: (of) => `${of('gold_id')} superseded${after(' by ', of('superseded_by'))}${after(': ', of('reason'))}`,
  gold_surfaced: (of) => `${of('gold_id')} may help: ${of('condition')}`,
  agent_register: (of) => `${of('agent_id')} registered${after('; good at ', of('specialties'))}`,
  agent_update: (of) =>
    `${of('agent_id')} changed${after('; good at ', of('specialties'))}${after('; works well with ', of('preferred_collaborators'))}`,
  agent_token: (of) => `${of('agent_id')} has a new token; the old one is worth nothing any more`,
  agent_retire: (of) => `${of('agent_id')} retired${after(': ', of('reason'))}`,
  agent_presence: (of) => `${of('agent_id')} is ${of('status')}${after(', working on ', of('current_context'))}`,
  agent_recruited: (of) => `${of('agent_id')} joined ${of('sidebar_id')}`,
  agent_left: (of) => `${of('agent_id')} left ${of('sidebar_id')}${after(': ', of('reason'))}`,
  inbox_ack: (of) => (of('up_to') === '0' ? `${of('agent_id')} had nothing to read` : `${of('agent_id')} has read everything up to ${of('up_to')}`),
} as const satisfies Readonly<Record<EventName, Words>>;

/** What was kept: by its reference if it has one, else in its own words. */
const kept = (of: (name: string) => string): string => ['entry_id', 'gold_id', 'content', 'exchange_id'].map(of).find((text) => text !== '') ?? '';

/** A conflict as its scratchpad counts it; the id of one that nobody has counted helps nobody. */
const conflictName = (id: string): string => (/^CONFLICT-\d+$/u.test(id) ? id : 'conflict');

/** What contradicts what, said once: the board's own description mostly names the findings already. */
export const contradiction = (entries: unknown, description: string): string => {
  const refs = Array.isArray(entries) ? entries.map(textOf) : [];
  return refs.every((ref) => description.includes(ref)) ? description : `${refs.join(' and ')}: ${description}`;
};

/** "MSG-3 ", if it has a number. */
const messageRef = ({ refs }: Told): string => {
  const ref = Array.isArray(refs) ? refs.find((one) => typeof one === 'string' && one.startsWith('MSG-')) : undefined;
  return after('', textOf(ref)) === '' ? '' : `${textOf(ref)} `;
};

const citedIn = (source: unknown): string =>
  ['ref', 'file_ref', 'url', 'path'].map((key) => fieldOf(source, key)).find((text) => text !== '') ?? 'something';

const fieldOf = (value: unknown, key: string): string =>
  typeof value === 'object' && value !== null && key in value ? textOf((value as Told)[key]) : ''; // looked up just before

/** Whatever a field holds, on one line; nothing for null. */
export const textOf = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return listOf(value);
  if (typeof value === 'object')
    return Object.entries(value)
      .map(([key, one]) => `${key}=${textOf(one)}`)
      .join(', ');
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
};

const listOf = (value: unknown): string => (Array.isArray(value) ? value.map(textOf).join(', ') : textOf(value));

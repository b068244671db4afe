import { toWire, type InputOf, type OperationName } from '@yarnboard/protocol';
import type { Verdict } from '../threads/verification.ts';
import { createArchiveSearch, type ArchiveNeeds } from './archive/archive.ts';
import { showActivity, type ActivityNeeds } from './activity.ts';
import { boardHandlers, type BoardNeeds } from './board/handlers.ts';
import { showContext } from './context.ts';
import { listChangedFiles, listChanges, listFileHistory, showGit } from './changes.ts';
import * as commands from './commands.ts';
import { showConversation, type ConversationNeeds } from './conversation.ts';
import { listEnvelopes, type EnvelopesNeeds } from './envelopes.ts';
import { search, type SearchNeeds } from './find.ts';
import { listLaunches, type LaunchesNeeds } from './launches.ts';
import { checkIntegrity, listLog, showStats, showStatus, type StatusNeeds } from './log.ts';
import { showOutline } from './outline.ts';
import { listMerges } from './merged-exchanges.ts';
import { listMessages, listTree } from './messages.ts';
import { listReferences } from './offered-references.ts';
import { listOperations } from './operations.ts';
import type { Asking } from './request/asker.ts';
import { kept } from './request/kept.ts';
import type { Count } from './request/questions.ts';
import { refusedFor } from './request/refusal.ts';
import { showMessage, showReference, type ReferencesNeeds } from './references.ts';
import { listPermissions, type PermissionsNeeds } from './permissions.ts';
import { findSimilar } from './similar.ts';
import { auditRecovery, discardCache, exportCache, replayCache, resolveCache, showCache, showRecovery, type RecoveryNeeds } from './recovery.ts';
import * as runs from './runs.ts';
import { listBriefings, listRuntimes, listSeats, showSeat, tryAgent, type SeatsNeeds } from './seats.ts';
import { listServers, type ServersNeeds } from './servers.ts';
import { listDirectoryFiles } from './directory-files.ts';
import { showHolder, type HolderNeeds } from './holder.ts';
import { createTracer, type TraceNeeds } from './trace/trace.ts';
import { showUsage } from './usage.ts';
import { listSessionRules, revokeSessionRule } from './session-rules.ts';
import { listBranches, listProjects, listSessions, listSidechains, showSession, type SessionsNeeds } from './sessions.ts';

export type Handlers = { readonly [N in OperationName]: (input: InputOf<N>, asking: Asking) => Promise<unknown> };

/** Everything the operations need. Each file declares its own few needs; only here are they combined. */
export type OperationsNeeds = ActivityNeeds &
  ArchiveNeeds &
  BoardNeeds &
  ConversationNeeds &
  EnvelopesNeeds &
  HolderNeeds &
  LaunchesNeeds &
  PermissionsNeeds &
  RecoveryNeeds &
  ReferencesNeeds &
  SearchNeeds &
  SeatsNeeds &
  ServersNeeds &
  SessionsNeeds &
  StatusNeeds &
  TraceNeeds &
  commands.DataNeeds &
  runs.RunsNeeds & {
    readonly count: Count;
    readonly verify: (wish: { readonly deep: boolean }, signal: AbortSignal) => Promise<Verdict>;
    readonly stopping: {
      readonly stop: (wish: { readonly countdownSeconds: number; readonly message: string | null; readonly ifConnected: boolean }) => object;
      readonly callOff: () => object;
    };
  };

/** The handlers of all registered operations, by public name. */
export const handlersFor = (needs: OperationsNeeds): Handlers => ({
  ...boardHandlers(needs),
  ...archiveHandlers(needs),
  ...traceHandlers(needs),
  ...recoveryHandlers(needs),
  projects: async (input) => toWire(await listProjects(needs, input)),
  sessions: async (input) => toWire(await listSessions(needs, input)),
  session: async (input, { signal }) => toWire(await showSession(needs, input, signal)),
  messages: async (input) => toWire(await listMessages(needs, input)),
  tree: async (input) => toWire(await listTree(needs, input)),
  merges: async (input) => toWire(await listMerges(needs, input)),
  operations: async (input) => toWire(await listOperations(needs, input)),
  sidechains: async (input) => toWire(await listSidechains(needs, input)),
  branches: async (input, { signal }) => toWire(await listBranches(needs, input, signal)),
  envelopes: async (input) => toWire(await listEnvelopes(needs, input)),
  conversation: async (input) => toWire(await showConversation(needs, input)),
  context: async (input) => toWire(await showContext(needs, input)),
  outline: async (input) => toWire(await showOutline(needs, input)),
  session_git: async (input) => toWire(await showGit(needs, input)),
  changed_files: async (input) => toWire(await listChangedFiles(needs, input)),
  changes: async (input) => toWire(await listChanges(needs, input)),
  file_history: async (input) => toWire(await listFileHistory(needs, input)),
  message: async (input) => toWire(await showMessage(needs, input)),
  reference: async (input) => toWire(await showReference(needs, input)),
  references: async (input) => toWire(await listReferences(needs, input)),
  search: async (input, { signal }) => toWire(await search(needs, input, signal)),
  similar: async (input, { signal }) => toWire(await findSimilar(needs, input, signal)),
  stats: async (input, { signal }) => {
    const answer = await showStats(needs, input, signal);
    return kept(WIRED, answer, () => toWire(answer));
  },
  usage: async (input, { signal }) => toWire(await showUsage(needs, input, signal)),
  integrity: async (input, { signal }) => toWire(await checkIntegrity(needs, input, signal)),
  log: async (input) => toWire(await listLog(needs, input)),
  verify: async (input, { asker, signal }) => {
    // A deep check reads everything several times over, so only the operator may start one.
    if (input.deep && !asker.isOperator) throw refusedFor('operator-token-needed', { operation: 'verify' });
    return toWire(await needs.verify(input, signal));
  },
  status: async () => toWire(await showStatus(needs)),
  activity: async (input) => toWire(await showActivity(needs, input)),
  runtimes: async (_input, asking) => toWire(listRuntimes(needs, asking)),
  permissions: async (input) => toWire(await listPermissions(needs, input)),
  seats: async (input) => toWire(listSeats(needs, input)),
  seat: async (input) => toWire(showSeat(needs, input)),
  briefing: async (input) => toWire(await listBriefings(needs, input)),
  launches: async (input) => toWire(await listLaunches(needs, input)),
  runs: async (input) => toWire(await runs.listRuns(needs, input)),
  run: async (input) => toWire(await runs.showRun(needs, input)),
  holder: async (input) => toWire(await showHolder(needs, input)),
  directory_files: async (input) => toWire(await listDirectoryFiles(needs, input)),
  session_rules: async (input) => toWire(await listSessionRules(needs, input)),
  session_rule_revoke: async (input) => toWire(await revokeSessionRule(needs, input)),
  start_run: async (input) => toWire(await runs.startRun(needs, input)),
  send_message: async (input) => toWire(await runs.sendMessage(needs, input)),
  change_message: async (input) => toWire(await runs.changeMessage(needs, input)),
  unsend_message: async (input) => toWire(await runs.unsendMessage(needs, input)),
  interrupt_run: async (input) => toWire(await runs.interruptRun(needs, input)),
  answer_permission: async (input) => toWire(await runs.answerPermission(needs, input)),
  agent_try: async (input) => toWire(await tryAgent(needs, input)),
  abort_run: async (input) => toWire(await runs.abortRun(needs, input)),
  end_run: async (input) => toWire(await runs.endRun(needs, input)),
  switch_session: async (input) => toWire(await runs.switchSession(needs, input)),
  import: async (input) => toWire(await commands.importPaths(needs, input)),
  forget: async (input) => toWire(await commands.forget(needs, input)),
  rebuild: async (input) => toWire(await commands.rebuild(needs, input)),
  repair: async (input) => toWire(await commands.repair(needs, input)),
  backup: async (input) => toWire(await commands.backup(needs, input)),
  page_link: async () => toWire(await commands.makeLink(needs)),
  demo_link: async () => toWire(await commands.makeDemoLink(needs)),
  enter: async (input) => toWire(await commands.enter(needs, input)),
  stop: async ({ countdown_seconds: countdownSeconds, message, if_connected: ifConnected, cancel }) =>
    toWire(
      cancel === true
        ? needs.stopping.callOff()
        : needs.stopping.stop({ countdownSeconds, message: message ?? null, ifConnected: ifConnected === true }),
    ),
});

const archiveHandlers = (needs: ArchiveNeeds): Pick<Handlers, 'archive_search'> => {
  const searchArchive = createArchiveSearch(needs);
  return { archive_search: async (input, { signal }) => toWire(await searchArchive(input, signal)) };
};

const recoveryHandlers = (needs: RecoveryNeeds & ServersNeeds) => ({
  servers: async () => toWire(await listServers(needs)),
  recovery: async () => toWire(await showRecovery(needs)),
  recovery_cache: async (input: InputOf<'recovery_cache'>) => toWire(await showCache(needs, input)),
  recovery_replay: async (input: InputOf<'recovery_replay'>) => toWire(await replayCache(needs, input)),
  recovery_discard: async (input: InputOf<'recovery_discard'>) => toWire(await discardCache(needs, input)),
  recovery_export: async (input: InputOf<'recovery_export'>) => toWire(await exportCache(needs, input)),
  recovery_resolve: async (input: InputOf<'recovery_resolve'>) => toWire(await resolveCache(needs, input)),
  recovery_audit: async (_input: InputOf<'recovery_audit'>, { signal }: Asking) => toWire(await auditRecovery(needs, signal)),
});

const traceHandlers = (needs: TraceNeeds): Pick<Handlers, 'trace'> => {
  const trace = createTracer(needs);
  return { trace: async (input, asking) => toWire(await trace(input, asking)) };
};

const WIRED = new WeakMap<object, unknown>();

import { toWire, type InputOf, type OperationName } from '@yarnboard/protocol';
import { showActivity } from './activity.ts';
import { boardHandlers } from './board/handlers.ts';
import * as commands from './commands.ts';
import { showConversation } from './conversation.ts';
import type { Desk } from './desk.ts';
import { listEnvelopes } from './envelopes.ts';
import { search } from './find.ts';
import { listLaunches } from './launches.ts';
import { checkIntegrity, listLog, showStats, showStatus } from './log.ts';
import { listMessages, listTree } from './messages.ts';
import { listOperations } from './operations.ts';
import type { Asking } from './perform.ts';
import { showMessage, showReference } from './references.ts';
import * as runs from './runs.ts';
import { listBranches, listProjects, listSessions, listSidechains, showSession } from './sessions.ts';

export type Handlers = { readonly [N in OperationName]: (input: InputOf<N>, asking: Asking) => Promise<unknown> };

/** What answers each operation of the registry, with names as they are outside. */
export const handlersFor = (desk: Desk): Handlers => ({
  ...boardHandlers(desk),
  projects: async (input) => toWire(await listProjects(desk, input)),
  sessions: async (input) => toWire(await listSessions(desk, input)),
  session: async (input) => toWire(await showSession(desk, input)),
  messages: async (input) => toWire(await listMessages(desk, input)),
  tree: async (input) => toWire(await listTree(desk, input)),
  operations: async (input) => toWire(await listOperations(desk, input)),
  sidechains: async (input) => toWire(await listSidechains(desk, input)),
  branches: async (input) => toWire(await listBranches(desk, input)),
  envelopes: async (input) => toWire(await listEnvelopes(desk, input)),
  conversation: async (input) => toWire(await showConversation(desk, input)),
  message: async (input) => toWire(await showMessage(desk, input)),
  reference: async (input) => toWire(await showReference(desk, input)),
  search: async (input) => toWire(await search(desk, input)),
  stats: async (input) => toWire(await showStats(desk, input)),
  integrity: async (input) => toWire(await checkIntegrity(desk, input)),
  log: async (input) => toWire(await listLog(desk, input)),
  verify: async () => toWire(await desk.verify()),
  status: async () => toWire(await showStatus(desk)),
  activity: async (input) => toWire(await showActivity(desk, input)),
  launches: async (input) => toWire(await listLaunches(desk, input)),
  runs: async (input) => toWire(await runs.listRuns(desk, input)),
  run: async (input) => toWire(await runs.showRun(desk, input)),
  start_run: async (input) => toWire(await runs.startRun(desk, input)),
  send_message: async (input) => toWire(await runs.sendMessage(desk, input)),
  answer_permission: async (input) => toWire(await runs.answerPermission(desk, input)),
  abort_run: async (input) => toWire(await runs.abortRun(desk, input)),
  end_run: async (input) => toWire(await runs.endRun(desk, input)),
  switch_session: async (input) => toWire(await runs.switchSession(desk, input)),
  import: async (input) => toWire(await commands.importPaths(desk, input)),
  forget: async (input) => toWire(await commands.forget(desk, input)),
  rebuild: async (input) => toWire(await commands.rebuild(desk, input)),
  repair: async (input) => toWire(await commands.repair(desk, input)),
  backup: async (input) => toWire(await commands.backup(desk, input)),
  page_link: async () => toWire(await commands.makeLink(desk)),
  demo_link: async () => toWire(await commands.makeDemoLink(desk)),
  enter: async (input) => toWire(await commands.enter(desk, input)),
  stop: async ({ countdown_seconds: countdown, message }) => {
    desk.stop(countdown, message ?? null);
    return toWire({ stopping: true });
  },
});

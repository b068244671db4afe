import type { AgentId, SidebarId } from '../ids.ts';
import { isOperator } from '../actors.ts';
import { foundSidebar, happen, happenIn, maybeWorded, named, type Deciders, type Decision, type Facts } from '../board/deciding.ts';
import { knownAgents } from '../board/references.ts';
import { reject } from '../board/rejection.ts';
import type { Board } from '../board/state.ts';
import { rowsOf } from '../board/tables.ts';
import type { CommandOf, FamilyCommand, Happening, Recorded } from '../messages/catalogue.ts';
import { BOARD_CONTEXT, sidebarIdOfContext } from '../messages/values.ts';
import { cutText } from '../policies/cutting.ts';
import { ok } from '../result.ts';
import type { Sidebar } from '../sidebar/state.ts';
import type { Permission, PermissionRule } from './permission-state.ts';
import { isCovered, patternFor, subjectOf } from './permission-rules.ts';
import { seatKey } from './seat-runs.ts';

/** Unanswered requests, oldest first. */
export const openPermissions = ({ permissions }: Pick<Board, 'permissions'>): readonly Permission[] =>
  rowsOf(permissions)
    .flat()
    .filter(({ outcome }) => outcome === null)
    .toSorted((a, b) => a.askedAt - b.askedAt);

const permissionOf = ({ permissions }: Pick<Board, 'permissions'>, id: string): Permission | null =>
  rowsOf(permissions)
    .flat()
    .find((one) => one.id === id) ?? null;

/** RT-52: the rule that allows it, if there is one. */
const ruleFor = (
  board: Board,
  agent: AgentId,
  sidebarId: SidebarId,
  wanted: Pick<Permission, 'tool' | 'input' | 'directory'>,
): PermissionRule | null =>
  (board.permissionRules.get(agent) ?? []).find((rule) => (rule.sidebarId === null || rule.sidebarId === sidebarId) && isCovered(rule, wanted)) ??
  null;

/** RT-50: shown to the operator, unless a rule allows it or it is protected. Either way, it is on the log before the program hears of it. */
const ask = (board: Board, facts: Facts, { type: _type, sidebar: where, refusal, ...asked }: CommandOf<'permission.ask'>): Decision => {
  if (facts.actor.type !== 'system') return reject('operator-only', { to: 'tell-of-seats' });
  const found = foundSidebar(board, where);
  if (!found.ok) return found;
  const sidebar = found.value;
  const { agent, key } = asked;
  const rule = refusal === null ? ruleFor(board, agent, sidebar.id, asked) : null;
  const requested = happenIn(facts, sidebar, 'permission.requested', { ...asked, isOpen: refusal === null && rule === null });
  const request = requested.uuid;
  if (refusal !== null)
    return ok([
      requested,
      happenIn(facts, sidebar, 'permission.decided', { agent, request, key, decision: 'deny', means: 'protected', message: refusal, rule: null }),
    ]);
  if (rule === null) return ok([requested]);
  return ok([
    requested,
    happenIn(facts, sidebar, 'permission.decided', { agent, request, key, decision: 'allow', means: 'rule', message: null, rule: rule.id }),
  ]);
};

/** RT-51: the first answer counts; a second one learns who was first. */
const answer = (board: Board, facts: Facts, command: CommandOf<'permission.answer'>): Decision => {
  const isLate = facts.actor.type === 'system';
  if (!isOperator(facts.actor) && !isLate) return reject('operator-only', { to: 'answer-permissions' });
  const permission = permissionOf(board, command.request);
  if (permission === null) return reject('unknown-permission', { asked: command.request.slice(0, 100) });
  const { agent, sidebarId, tool, directory, outcome } = permission;
  if (outcome !== null) return reject('permission-answered', { decision: outcome.decision, by: outcome.by });
  const { decision, scope = 'once', breadth = 'exact', input } = command;
  if (input !== undefined && (decision === 'deny' || scope !== 'once')) return reject('changes-hold-once', {});
  const decided = (one: Permission, more: { readonly means: 'once' | 'seat' | 'agent' | 'rule' | 'late'; readonly rule: string | null }): Happening =>
    happenIn(facts, { id: one.sidebarId }, 'permission.decided', {
      agent,
      request: one.id,
      key: one.key,
      decision,
      message: one === permission ? maybeWorded(command.message) : null,
      ...(one === permission && input !== undefined ? { input } : {}),
      ...more,
    });
  if (decision === 'deny' || scope === 'once') return ok([decided(permission, { means: isLate ? 'late' : 'once', rule: null })]);
  const pattern = patternFor(permission.input, breadth);
  if (pattern === null) return reject('nothing-alike', { tool });
  const full = fullOfRules(board, agent);
  if (full !== null) return full;
  const rule = { agent, sidebar: scope === 'seat' ? sidebarId : null, tool, pattern, directory };
  const made = happen(facts, 'permission.ruled', BOARD_CONTEXT, rule);
  // Any other waiting request that it covers is allowed as well.
  const others = openPermissions(board).filter(
    (one) => one.id !== permission.id && one.agent === agent && (rule.sidebar === null || one.sidebarId === rule.sidebar) && isCovered(rule, one),
  );
  return ok([decided(permission, { means: scope, rule: made.uuid }), made, ...others.map((one) => decided(one, { means: 'rule', rule: made.uuid }))]);
};

const addRule = (board: Board, facts: Facts, command: CommandOf<'permission.rule'>): Decision => {
  if (!isOperator(facts.actor)) return reject('operator-only', { to: 'make-permission-rules' });
  const agents = knownAgents(board, [command.agent]);
  if (!agents.ok) return agents;
  const [agent = ''] = agents.value;
  if (board.agents.get(agent)?.kind !== 'agent') return reject('not-an-agent', { agent });
  const found = command.sidebar === undefined ? ok(null) : foundSidebar(board, command.sidebar);
  if (!found.ok) return found;
  for (const field of ['tool', 'pattern'] as const) if (command[field].trim() === '') return reject('empty', { field });
  const full = fullOfRules(board, agent);
  if (full !== null) return full;
  const { tool, pattern, directory = null } = command;
  return ok([happen(facts, 'permission.ruled', BOARD_CONTEXT, { agent, sidebar: found.value?.id ?? null, tool, pattern, directory })]);
};

const fullOfRules = (board: Board, agent: AgentId): Decision | null =>
  (board.permissionRules.get(agent) ?? []).length >= MOST_RULES ? reject('full', { where: agent, most: MOST_RULES, of: 'rules' }) : null;

const revoke = (board: Board, facts: Facts, { rule: id }: CommandOf<'permission.revoke'>): Decision => {
  if (!isOperator(facts.actor)) return reject('operator-only', { to: 'make-permission-rules' });
  const rule = rowsOf(board.permissionRules)
    .flat()
    .find((one) => one.id === id);
  if (rule === undefined) return reject('unknown-permission-rule', { asked: id.slice(0, 100) });
  return ok([happen(facts, 'permission.revoked', BOARD_CONTEXT, { agent: rule.agent, rule: rule.id })]);
};

const remind = (board: Board, facts: Facts, { request }: CommandOf<'permission.remind'>): Decision => {
  if (facts.actor.type !== 'system') return reject('operator-only', { to: 'tell-of-seats' });
  const permission = permissionOf(board, request);
  if (permission === null) return reject('unknown-permission', { asked: request.slice(0, 100) });
  const { agent, tool, sidebarId, outcome, remindedAt } = permission;
  if (outcome !== null) return reject('permission-answered', { decision: outcome.decision, by: outcome.by });
  if (remindedAt !== null) return reject('unknown-permission', { asked: request.slice(0, 100) });
  return ok([happenIn(facts, { id: sidebarId }, 'permission.reminded', { agent, request, tool })]);
};

/** Ends the requests of a seat that is no longer active. */
const withdraw = (board: Board, facts: Facts, command: CommandOf<'permission.withdraw'>): Decision => {
  if (facts.actor.type !== 'system') return reject('operator-only', { to: 'tell-of-seats' });
  const found = foundSidebar(board, command.sidebar);
  if (!found.ok) return found;
  const open = (board.permissions.get(seatKey(command.agent, found.value.id)) ?? []).filter(({ outcome }) => outcome === null);
  if (open.length === 0) return reject('unknown-permission', { asked: command.agent.slice(0, 100) });
  return ok(
    open.map(({ id, agent, key }) =>
      happenIn(facts, found.value, 'permission.decided', {
        agent,
        request: id,
        key,
        decision: 'withdrawn',
        means: 'gone',
        message: `it is no longer at work in ${named(found.value)}`,
        rule: null,
      }),
    ),
  );
};

export const permissionCommands = {
  'permission.ask': ask,
  'permission.answer': answer,
  'permission.rule': addRule,
  'permission.revoke': revoke,
  'permission.remind': remind,
  'permission.withdraw': withdraw,
  // RT-59: it is logged, and the operator is notified.
  'token.misuse': (board, facts, { sidebar, agent }) => {
    if (facts.actor.type !== 'system') return reject('operator-only', { to: 'tell-of-seats' });
    const found = foundSidebar(board, sidebar);
    return found.ok ? ok([happenIn(facts, found.value, 'token.misused', { agent })]) : found;
  },
} satisfies Deciders<FamilyCommand<'permissions'>>;

const changePermissions = (
  board: Board,
  agent: AgentId,
  sidebarId: SidebarId,
  next: (permissions: readonly Permission[]) => readonly Permission[],
): void => {
  const all = next(board.permissions.get(seatKey(agent, sidebarId)) ?? []);
  // The requests of a former seat can be found on the log.
  const sidebar = board.sidebars.get(sidebarId);
  const isGone = sidebar?.endedPosition !== null || !sidebar.participants.includes(agent);
  const answered = isGone ? [] : all.filter(({ outcome }) => outcome !== null).slice(-MOST_ANSWERED);
  board.permissions.set(
    seatKey(agent, sidebarId),
    all.filter((one) => one.outcome === null || answered.includes(one)),
  );
};

/** RT-55: answered requests are dropped from memory once the sidebar has ended, or the agent has left it. */
export const followPermissions = (board: Board, before: Sidebar | null, after: Sidebar | null): void => {
  if (before === null || after === null) return;
  const hasEnded = before.endedPosition === null && after.endedPosition !== null;
  if (!hasEnded && before.participants === after.participants) return;
  for (const agent of before.participants)
    if ((hasEnded || !after.participants.includes(agent)) && board.permissions.get(seatKey(agent, after.id)) !== undefined)
      changePermissions(board, agent, after.id, (rows) => rows);
};

/** Evolvers of the family. */
export const permissionEvents = {
  'permission.requested': (board: Board, event: Recorded<'permission.requested'>): void => {
    const { agent, key, tool, input, directory } = event.payload;
    const sidebarId = sidebarIdOfContext(event.contextId) ?? '';
    changePermissions(board, agent, sidebarId, (all) => [
      ...all,
      { id: event.uuid, agent, sidebarId, key, tool, input, directory, askedAt: event.at, remindedAt: null, outcome: null },
    ]);
  },
  'permission.reminded': (board: Board, event: Recorded<'permission.reminded'>): void => {
    const { agent, request } = event.payload;
    changePermissions(board, agent, sidebarIdOfContext(event.contextId) ?? '', (all) =>
      all.map((one) => (one.id === request ? { ...one, remindedAt: event.at } : one)),
    );
  },
  'permission.decided': (board: Board, event: Recorded<'permission.decided'>): void => {
    const { agent, request, decision, means, message, rule, input } = event.payload;
    const outcome = { decision, means, message, rule, by: event.by.id, at: event.at, ...(input === undefined ? {} : { isChanged: true as const }) };
    changePermissions(board, agent, sidebarIdOfContext(event.contextId) ?? '', (all) =>
      all.map((one) => (one.id === request ? { ...one, input: cutText(subjectOf(one.input).text, MOST_SUBJECT), outcome } : one)),
    );
    if (means !== 'rule' || rule === null) return;
    changeRules(board, agent, (rules) => rules.map((one) => (one.id === rule ? { ...one, usedAt: event.at, uses: one.uses + 1 } : one)));
  },
  'token.misused': (): void => {},
  'permission.ruled': (board: Board, event: Recorded<'permission.ruled'>): void => {
    const { agent, sidebar: sidebarId, tool, pattern, directory } = event.payload;
    const made: PermissionRule = {
      id: event.uuid,
      agent,
      sidebarId,
      tool,
      pattern,
      directory,
      by: event.by.id,
      at: event.at,
      usedAt: null,
      uses: 0,
    };
    changeRules(board, agent, (rules) => [...rules, made]);
  },
  'permission.revoked': (board: Board, event: Recorded<'permission.revoked'>): void => {
    const { agent, rule } = event.payload;
    changeRules(board, agent, (rules) => rules.filter(({ id }) => id !== rule));
  },
};

const changeRules = (board: Board, agent: AgentId, next: (rules: readonly PermissionRule[]) => readonly PermissionRule[]): void =>
  board.permissionRules.set(agent, next(board.permissionRules.get(agent) ?? []));

const MOST_RULES = 200;
const MOST_ANSWERED = 5;
const MOST_SUBJECT = 500;

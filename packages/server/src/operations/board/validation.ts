import { classOf, ratesOf, rowsOf, validationConfig, VALIDATION_TYPES, type Actor, type Rejection, type Result } from '@yarnboard/domain';
import type { InputOf } from '@yarnboard/protocol';
import type { Engine } from '../../engine/engine.ts';
import { timeOf } from '../../sessions/session-view.ts';
import type { CheckWish, ClaimChecked } from '../../validators/claim-checks.ts';
import { validatorOf } from '../../validators/validators.ts';
import type { Asking } from '../request/asker.ts';
import { latestPageOf } from '../request/cursor.ts';
import { foundSidebar } from '../request/find-sidebar.ts';
import { changesView, runView } from './validation-views.ts';

/** What operations need to know about automated checks. */
export type ChecksView = {
  readonly check: (actor: Actor, wish: CheckWish) => Promise<Result<ClaimChecked, Rejection>>;
  readonly methods: () => Promise<readonly { readonly type: string; readonly method: string; readonly why: string | null }[]>;
  readonly roots: readonly string[];
  readonly problems: readonly string[];
  readonly areProjectsRoots: boolean;
};

export type ValidationNeeds = { readonly engine: Pick<Engine, 'board'>; readonly checks: ChecksView };

/** The available validators and their track record. Only the operator sees which folders they may read. */
export const listValidators = async ({ engine, checks }: ValidationNeeds, { asker }: Asking): Promise<object> => {
  const board = engine.board();
  const { isOn, allowed, stateTtl } = validationConfig(board);
  const methods = await checks.methods();
  const rates = ratesOf(board, VALIDATION_TYPES);
  const roots = checks.areProjectsRoots ? [...checks.roots, 'the project folders of sessions'] : checks.roots;
  return {
    enabled: isOn,
    allowed,
    stateTtlMinutes: stateTtl / 60_000,
    roots: asker.isOperator ? roots : null,
    problems: asker.isOperator ? checks.problems : [],
    items: rates.map(({ type, lastTrouble, ...counts }) => ({
      type,
      class: classOf(type),
      risk: validatorOf(type).risk,
      reads: validatorOf(type).reads,
      allowed: allowed.includes(type),
      methods: methods.filter((one) => one.type === type).map(({ method, why }) => ({ method, available: why === null, why })),
      ...counts,
      lastTrouble: lastTrouble === null ? null : { ...lastTrouble, at: timeOf(lastTrouble.at) },
    })),
  };
};

export const listHistory = ({ engine }: ValidationNeeds, input: InputOf<'validation_history'>): object => {
  const board = engine.board();
  const of = input.sidebar_id === undefined ? null : foundSidebar(board, input.sidebar_id).id;
  const all = rowsOf(board.validations).filter(
    (run) =>
      (of === null || run.sidebarId === of) &&
      (input.claim_type === undefined || run.type === input.claim_type) &&
      (input.overruled === undefined || (run.overruled !== null) === input.overruled),
  );
  const { items, nextCursor } = latestPageOf(all, (one) => one, input);
  return { items: items.map((run) => runView(board, run)), nextCursor, changes: changesView(board) };
};

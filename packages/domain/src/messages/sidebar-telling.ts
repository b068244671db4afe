import { assertNever } from '../never.ts';
import { because, decider, doer, nameOf, teamOf, toParent, toTeam, type Concerned, type Surroundings, type Telling } from './telling.ts';
import type { Status } from './values.ts';

export const refsOf = (...sidebars: readonly (Concerned | null)[]): readonly string[] => sidebars.filter((one) => one !== null).map(nameOf);

type Team = {
  readonly participants: readonly string[];
  readonly coordinator: string;
  readonly curator: string;
  readonly task: string;
  readonly isFork: boolean;
};

/** One notice per member that names all their roles. */
export const putInTeam = (around: Surroundings, { participants, coordinator, curator, task, isFork }: Team): readonly Telling[] =>
  [...new Set([...participants, coordinator, curator])].map((agent) => {
    const roles = [
      participants.includes(agent) ? 'participant' : null,
      agent === coordinator ? 'coordinator' : null,
      agent === curator ? 'curator' : null,
    ].filter((role) => role !== null);
    return {
      to: [agent],
      level: 'info',
      kind: 'recruited',
      text: `${doer(around)} added you to ${nameOf(around.sidebar)}${isFork ? ', a fork,' : ''} as ${roles.join(' and ')}: ${task}`,
    };
  });

/** Notifies the new holder of a role, and the previous one. */
export const roleTaken = (around: Surroundings, role: 'coordinator' | 'curator', now: string | undefined): readonly Telling[] => {
  const before = around.before?.[role];
  if (now === undefined || now === before) return [];
  const verb = role === 'coordinator' ? 'coordinate' : 'curate';
  return [
    { to: [now], level: 'info', kind: 'role', text: `${doer(around)} asks you to ${verb} ${nameOf(around.sidebar)}` },
    ...(before === undefined
      ? []
      : [{ to: [before], level: 'info', kind: 'role', text: `${now} ${verb}s ${nameOf(around.sidebar)} now, instead of you` } as const]),
  ];
};

export const changed = (around: Surroundings, parts: readonly (string | null)[]): readonly Telling[] => {
  const said = parts.filter((part) => part !== null);
  return said.length === 0 ? [] : toTeam(around, 'info', 'changed', `${doer(around)} changed ${nameOf(around.sidebar)}: ${said.join('; ')}`);
};

export const moved = (around: Surroundings, from: Status, to: Status, reason: string | null): readonly Telling[] => {
  const name = nameOf(around.sidebar);
  switch (to) {
    case 'FAILED':
      return [...toTeam(around, 'warning', 'failed', `${name} failed${because(reason)}`), ...toParent(around, 'warning', `failed${because(reason)}`)];
    case 'REVIEWING':
      return toTeam(around, 'info', 'review', `${doer(around)} put ${name} under review${because(reason)}`);
    case 'ACTIVE':
      if (from === 'TESTING')
        return toTeam(around, 'info', 'promoted', `${doer(around)} promoted ${name} from a test to real work${because(reason)}`);
      if (from === 'CONSOLIDATING') {
        // The author of the package may no longer take part.
        const maker = around.before?.merge?.proposedBy;
        const to = [...teamOf(around.sidebar), ...(maker === undefined ? [] : [maker])];
        return [{ to, level: 'warning', kind: 'package', text: `${doer(around)} sent ${name} back to work${because(reason)}` }];
      }
      if (from === 'REVIEWING') return toTeam(around, 'info', 'review', `${doer(around)} took ${name} back to work${because(reason)}`);
      return [];
    case 'TESTING':
    case 'PAUSED':
    case 'WAITING':
    case 'SPAWNING_CHILD':
    case 'CONSOLIDATING':
    case 'MERGED':
    case 'ARCHIVED':
      return [];
    default:
      return assertNever(to);
  }
};

export const checked = (around: Surroundings, as: 'curator' | 'parent', isFit: boolean, notes: string | null): readonly Telling[] => {
  const { sidebar, by } = around;
  const maker = sidebar?.merge?.proposedBy;
  if (sidebar === null || maker === undefined) return [];
  const name = nameOf(sidebar);
  if (!isFit) {
    const text = as === 'parent' ? `${by.id}, of the parent, objects to what ${name} would merge` : `${by.id} found the package of ${name} unfit`;
    return [{ to: [maker, sidebar.coordinator, sidebar.curator], level: 'warning', kind: 'package', text: `${text}${because(notes)}` }];
  }
  if (as === 'parent')
    return [
      {
        to: [maker, sidebar.coordinator],
        level: 'info',
        kind: 'package',
        text: `${by.id}, of the parent, has nothing against what ${name} would merge${because(notes)}`,
      },
    ];
  return [
    {
      to: [decider(sidebar.coordinator, maker)],
      level: 'escalate',
      kind: 'package',
      text: `the package of ${name} was checked: please approve the merge${because(notes)}`,
    },
  ];
};

import { OPERATOR, PRIORITIES, rowsOf, SAYINGS, type Board, type FindingStatus, type ValidationAttempt } from '../../src/index.ts';

/** What random commands are made of: a board, and what was said on it. `random` gives numbers from 0 up to 1, from a seed of its owner. */
export type Scene = {
  readonly board: Board;
  readonly random: () => number;
  /** MSG-n and EXCH-n that exist. */
  readonly messages: readonly string[];
  readonly exchanges: readonly string[];
  readonly sessions: readonly string[];
};

export const AGENTS = ['AGENT-ada', 'AGENT-ben', 'AGENT-cyd'] as const;

export const pick = <T>({ random }: Scene, from: readonly T[], otherwise: T): T => from[Math.floor(random() * from.length)] ?? otherwise;
export const chance = ({ random }: Scene, share: number): boolean => random() < share;
const some = <T>(scene: Scene, from: readonly T[], most: number): readonly T[] =>
  from.length === 0 ? [] : Array.from({ length: Math.floor(scene.random() * (most + 1)) }, () => pick(scene, from, from[0] as T)); // there is a first

export const anyAgent = (scene: Scene): string => (chance(scene, 0.03) ? 'nobody' : pick(scene, [...AGENTS, OPERATOR.id], OPERATOR.id));

/** Mostly one of the latest: old ones have ended. */
export const anySidebar = (scene: Scene): string => {
  const all = rowsOf(scene.board.sidebars);
  const sidebar = pick(scene, chance(scene, 0.8) ? all.slice(-4) : all, all[0]);
  if (sidebar === undefined || chance(scene, 0.01)) return 'SB-9999';
  return chance(scene, 0.2) ? sidebar.id : sidebar.ref;
};

const WORDS = [
  'the cache',
  'port 5432',
  'is enabled',
  'is not enabled',
  'the login',
  'times out',
  'with partial state',
  'EXCH-1',
  '@ada',
  'GOLD-1',
  'the timeout is 30 s',
  'the timeout is 90 s',
];
export const CLAIMS = [
  'the timeout is 30 s',
  'the timeout is 90 s',
  'the timeout is 120 s',
  'the cache is enabled',
  'the cache is not enabled',
  'the port of the database is 5432',
  'the port of the database is 6432',
  'nothing else is wrong',
];

export const anyText = (scene: Scene): string =>
  chance(scene, 0.02) ? '  ' : Array.from({ length: 1 + Math.floor(scene.random() * 4) }, () => pick(scene, WORDS, 'words')).join(' ');

export const anyRefs = (scene: Scene): readonly string[] => {
  const sidebars = rowsOf(scene.board.sidebars).slice(-5);
  const findings = sidebars.flatMap(({ ref, scratchpad }) => scratchpad.findings.map(({ number }) => `SCRATCH-${ref.slice(3)}:FINDING-${number}`));
  const golds = rowsOf(scene.board.golds).map(({ ref }) => ref);
  const all = [
    ...scene.messages.slice(-10),
    ...findings.slice(-10),
    ...golds.slice(-5),
    ...sidebars.map(({ ref }) => ref),
    'CITE-1',
    'FILE-a3b2:10-20',
  ];
  return some(scene, all, 2);
};

export const anyFinding = (scene: Scene): string => (chance(scene, 0.03) ? 'FINDING-999' : `FINDING-${1 + Math.floor(scene.random() * 6)}`);
export const anyExchange = (scene: Scene): string => pick(scene, scene.exchanges, 'EXCH-1');
export const maybe = <K extends string, V>(scene: Scene, key: K, value: V): { readonly [P in K]?: V } =>
  chance(scene, 0.3) ? ({ [key]: value } as { readonly [P in K]: V }) : {}; // one key, as typed

export const newSidebar = (scene: Scene) => ({
  task: anyText(scene),
  participants: some(scene, AGENTS, 2),
  ...maybe(scene, 'successCriteria', anyText(scene)),
  ...maybe(scene, 'coordinator', anyAgent(scene)),
  ...maybe(scene, 'curator', anyAgent(scene)),
  ...maybe(scene, 'priority', pick(scene, PRIORITIES, 'NORMAL')),
  ...maybe(scene, 'taskType', pick(scene, ['debugging', 'status_check'], 'debugging')),
  ...maybe(scene, 'isTesting', chance(scene, 0.5)),
  ...maybe(scene, 'testGroup', 'parallel'),
});

export const anyVerdict = (scene: Scene): FindingStatus => pick(scene, ['confirmed', 'confirmed', 'rejected', 'pending'] as const, 'confirmed');

export const anyAttempt = (scene: Scene): ValidationAttempt => ({
  method: pick(scene, ['as_given', 'search_by_name'], 'as_given'),
  environment: 'project',
  startedAt: 0,
  duration: 1,
  says: pick(scene, SAYINGS, 'nothing'),
  isDecisive: chance(scene, 0.5),
  evidence: '',
  fault: null,
  foundAt: [],
});

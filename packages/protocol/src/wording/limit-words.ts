import type { Say } from './vocabulary.ts';

const spawnMore = (say: Say): string => `spawn a child for more${say.by('sidebar_child_spawn')}`;
const has = (where: string, most: number, what: string): string => `${where} has ${most} ${what}, which is the limit`;

export const FULL = {
  proposals: (where: string, most: number) => [`${where} has ${most} open proposals, which is the limit`, 'answer some of them first'],
  annotations: (where: string, most: number, say: Say) => [has(where, most, 'annotations'), `discuss it in the sidebar${say.by('chat_message')}`],
  checkpoints: (where: string, most: number, say: Say) => [has(where, most, 'checkpoints'), spawnMore(say)],
  problems: (where: string, most: number) => [has(where, most, 'problems'), 'its task type is suspended already'],
  checks: (where: string, most: number, say: Say) => [
    `the merge of ${where} was checked ${most} times, which is the limit`,
    `prepare it again${say.by('sidebar_consolidate')}`,
  ],
  children: (where: string, most: number) => [has(where, most, 'children'), 'spawn from one of them'],
  citations: (where: string, most: number, say: Say) => [has(where, most, 'citations'), spawnMore(say)],
  'cross-references': (where: string, most: number) => [`${where} would have more than ${most} cross-references, which is the limit`],
  findings: (where: string, most: number, say: Say) => [has(where, most, 'findings'), spawnMore(say)],
  focus: (where: string, most: number) => [`${where} would have more than ${most} changes to its focus, which is the limit`],
  forks: (where: string, most: number) => [has(where, most, 'forks'), 'fork one of them'],
  gold: (where: string, most: number, say: Say) => [has(where, most, 'GOLD entries'), spawnMore(say)],
  media: (where: string, most: number, say: Say) => [has(where, most, 'attachments'), spawnMore(say)],
  claims: (where: string, most: number) => [has(where, most, 'claims')],
  rules: (where: string, most: number, say: Say) => [has(where, most, 'permission rules'), `revoke some first${say.by('permission_revoke')}`],
  scores: (where: string, most: number) => [`${where} would have more than ${most} scored exchanges, which is the limit`],
  'test-results': (where: string, most: number) => [has(where, most, 'test results'), 'spawn another test of its group'],
};

export const UNPROVEN = {
  superseded: (gold: string, _evidence: string, detail: string) => `${gold} is superseded: ${detail}`,
  unconfirmed: (gold: string, _evidence: string, detail: string, say: Say) => [
    `${gold} is ${detail}`,
    `only confirmed GOLD can be merged, so have it validated first${say.by('gold_validated')}`,
  ],
  'weak-evidence': (gold: string, evidence: string, detail: string) => `${gold} is based on ${evidence}, which is ${detail}`,
};

export const LIMITED = {
  depth: (most: number) => `may start sidebars ${most} deep, no deeper`,
  spawns: (most: number) => `may start ${most} sidebars an hour`,
  recruitments: (most: number) => `may recruit ${most} agents an hour`,
} as const;

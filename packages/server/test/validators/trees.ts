import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { conclude, type Conclusion } from '@yarnboard/domain';
import { readClaim } from '@yarnboard/language';
import { afterFile } from '../../../../tests/afterwards.ts';
import { check, type Checked } from '../../src/validators/check.ts';
import type { Surroundings } from '../../src/validators/port.ts';
import { createPrograms } from '../../src/validators/programs.ts';
import { createReach } from '../../src/validators/reach.ts';
import { rootsOf } from '../../src/validators/roots.ts';

/** A folder with these files in it. */
export const makeTree = (files: Readonly<Record<string, string>> = {}): string => {
  const folder = mkdtempSync(join(tmpdir(), 'yarnboard-tree-'));
  afterFile(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
};

export type Around = Omit<Surroundings, 'signal'>;

/** What checks may use when a project is the only root. */
export const aroundOf = (root: string | readonly string[], more: Partial<Around> & { readonly cwd?: string } = {}): Around => {
  const roots = typeof root === 'string' ? [root] : root;
  const { cwd = roots[0] ?? '', ...rest } = more;
  return {
    reach: createReach(rootsOf(roots, { userHome: '/nonexistent', closed: [] }), cwd),
    programs: createPrograms(),
    services: [],
    mayAskContainers: false,
    calls: null,
    ownPids: new Set([process.pid]),
    ...rest,
  };
};

export type Verdict = Conclusion & { readonly checked: readonly Checked[]; readonly says: Readonly<Record<string, string>> };

/** Checks a sentence as it would be checked on a board. */
export const verdictOn = async (sentence: string, around: Around): Promise<Verdict> => {
  const read = readClaim(sentence);
  if (read?.kind !== 'checkable') throw new Error(`"${sentence}" is not checkable: ${JSON.stringify(read)}`);
  const checked = await check(read.arguments, { around, now: () => 0 });
  const attempts = checked.map(({ attempt }) => attempt);
  const conclusion = conclude(attempts, { type: read.arguments.type, isDenied: read.isDenied });
  return { ...conclusion, checked, says: Object.fromEntries(attempts.map(({ method, says }) => [method, says])) };
};

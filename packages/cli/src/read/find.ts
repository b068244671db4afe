import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { classifyPath } from '@yarnboard/transcript';
import { Refusal } from '../refusal.ts';
import { discover } from './discover.ts';
import { planGroups, type Group } from './plan.ts';
import { STDIN } from './tree.ts';

/** The files of the session that a user means by a path, by `-`, or by an id or its beginning, looked for below the roots. */
export const findSession = (wanted: string, roots: readonly string[]): Group => {
  if (wanted === '-') return STDIN;
  if (existsSync(wanted)) return statSync(wanted).isDirectory() ? onlySessionIn(wanted) : sessionOfFile(wanted);
  if (/[/\\]|\.jsonl$/u.test(wanted)) throw new Refusal(3, `there is no file or folder ${wanted}`);
  if (roots.length === 0) throw new Refusal(3, 'found no Claude Code sessions on this machine; name a file, or try --demo');
  const files = discover(roots).files.map((file) => file.path);
  const matches = files.filter((path) => {
    const kind = classifyPath(path);
    return kind.role === 'main' && basename(path).startsWith(wanted);
  });
  const ids = [...new Set(matches.map((path) => basename(path, '.jsonl')))];
  const [match] = matches;
  if (match === undefined)
    throw new Refusal(3, `no session begins with "${wanted}" below ${roots.join(', ')}; \`yarnboard inspect --all\` lists them`);
  if (ids.length > 1)
    throw new Refusal(3, `"${wanted}" fits ${ids.length} sessions: ${ids.slice(0, 5).join(', ')}${ids.length > 5 ? ', …' : ''}; give more of the id`);
  return sessionOfFile(match);
};

// A transcript, the folder of the same name beside it, and agents' files of older versions in the same folder.
const sessionOfFile = (path: string): Group => {
  const folder = dirname(path);
  const own = join(folder, basename(path, '.jsonl'));
  const siblings = readdirSync(folder)
    .filter((name) => /^agent-.+\.jsonl$/u.test(name))
    .map((name) => join(folder, name));
  const found = discover([...new Set([path, ...siblings, ...(existsSync(own) && statSync(own).isDirectory() ? [own] : [])])]);
  const plan = planGroups(found);
  const group = plan.groups.find((one) => one.files.some((file) => file.path === path));
  if (group !== undefined) return group;
  const reason = plan.skipped.find((one) => one.file === path)?.reason ?? 'it could not be read';
  throw new Refusal(3, `cannot show ${path}: ${reason}`);
};

const onlySessionIn = (folder: string): Group => {
  const { groups } = planGroups(discover([folder]));
  const [only] = groups;
  if (only === undefined) throw new Refusal(3, `there is no transcript below ${folder}`);
  if (groups.length > 1)
    throw new Refusal(3, `there are ${groups.length} sessions below ${folder}; name one with \`yarnboard show SESSION --in ${folder}\``);
  return only;
};

import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { classifyFile, type Dialects } from '@yarnboard/transcript';
import { Refusal } from '../refusal.ts';
import { discover, planGroups, type Group, type Plan } from '@yarnboard/server';
import { STDIN } from './tree.ts';

/** The files of the session that a user means by a path, by `-`, or by an id or its beginning, searched for below the roots. */
export const findSession = (wanted: string, roots: readonly string[], dialects: Dialects): Group => {
  const found = lookForSession(wanted, roots, dialects);
  if (found !== null) return found;
  if (roots.length === 0) throw new Refusal(3, 'found no sessions on this machine; name a file, or try --demo');
  throw new Refusal(3, `no session begins with "${wanted}" below ${roots.join(', ')}; \`yarnboard inspect --all\` lists them`);
};

/** The same, but null if no file matches: a board may know it. */
export const lookForSession = (wanted: string, roots: readonly string[], dialects: Dialects): Group | null => {
  if (wanted === '-') return STDIN;
  if (existsSync(wanted)) return statSync(wanted).isDirectory() ? onlySessionIn(wanted, dialects) : sessionOfFile(wanted, dialects);
  if (dialects.some(({ store }) => store?.holds(wanted) === true)) return sessionKept(wanted, dialects);
  if (wanted === '' || /[/\\]|\.jsonl$/u.test(wanted)) throw new Refusal(3, `there is no file or folder "${wanted}"`);
  if (roots.length === 0) return null;
  const { groups } = planOf(roots, dialects);
  const sought = wanted.toLowerCase();
  const matches = groups.filter((group) => group.sessionId.toLowerCase().startsWith(sought));
  const exact = matches.find((group) => group.sessionId.toLowerCase() === sought);
  const [match] = exact === undefined ? matches : [exact];
  if (match === undefined) return null;
  if (exact === undefined && matches.length > 1) {
    const ids = matches.slice(0, 5).map((group) => group.sessionId);
    throw new Refusal(3, `"${wanted}" fits ${matches.length} sessions: ${ids.join(', ')}${matches.length > 5 ? ', …' : ''}; give more of the id`);
  }
  return match;
};

/** Sidebars aren't sessions: other verbs print them. */
export const refuseSidebar = (verb: string, wanted: string): void => {
  if (!/^SB-\d+$/iu.test(wanted) || existsSync(wanted)) return;
  const ref = wanted.toUpperCase();
  throw new Refusal(
    2,
    `${verb} takes sessions; ${ref} is a sidebar: \`yarnboard sidebar show ${ref}\` shows it, \`yarnboard sidebar memory ${ref}\` what was said`,
  );
};

const planOf = (paths: readonly string[], dialects: Dialects): Plan => planGroups(discover(paths, dialects), dialects);

// A transcript, the folder of the same name beside it, and older versions' agent files in the same folder.
const sessionOfFile = (path: string, dialects: Dialects): Group => {
  const folder = dirname(path);
  const { dialect, role } = classifyFile(dialects, path);
  if (role.role === 'agent') return sessionOfAgent(path, dialects);
  if (dialect?.lines.kind === 'ordered') return sessionAmong(path, dialect.lines.neighbours(resolve(path)).filter(existsSync), dialects);
  const own = join(folder, basename(path, '.jsonl'));
  const siblings = namesIn(folder)
    .filter((name) => /^agent-.+\.jsonl$/u.test(name))
    .map((name) => join(folder, name))
    .filter((sibling) => statSync(sibling, { throwIfNoEntry: false })?.isFile() === true);
  const hasOwn = statSync(own, { throwIfNoEntry: false })?.isDirectory() === true;
  return sessionAmong(path, [...siblings, ...(hasOwn ? [own] : [])], dialects);
};

const sessionAmong = (path: string, others: readonly string[], dialects: Dialects): Group => {
  const plan = planOf([path, ...others], dialects);
  const group = plan.groups.find((one) => one.files.some((file) => file.path === path));
  if (group !== undefined) return group;
  const reason = plan.skipped.find((one) => one.file === path)?.reason ?? 'it could not be read';
  throw new Refusal(3, `cannot show ${path}: ${reason}`);
};

/** DIALECT-8: a session in a database or a tree of files is named by a path below it that no file has. A sub-agent's path is that of its session. */
const sessionKept = (path: string, dialects: Dialects): Group => {
  let above = dirname(path);
  while (dialects.some(({ store }) => store?.holds(above) === true)) above = dirname(above);
  if (!existsSync(above)) throw new Refusal(3, `there is no file or folder "${above}"`);
  const { groups, skipped } = planOf([above], dialects);
  const group = groups.find((one) => one.files.some((file) => file.path === path));
  if (group !== undefined) return group;
  throw new Refusal(3, `there is no session ${basename(path)} in ${above}${skipped.map(({ reason }) => `; ${reason}`).join('')}`);
};

// An agent's session is searched for among the sessions its file could belong to: those of the project.
const sessionOfAgent = (path: string, dialects: Dialects): Group => {
  const parts = resolve(path).split(sep);
  const at = parts.lastIndexOf('subagents');
  const project = at > 1 ? parts.slice(0, at - 1).join(sep) : dirname(path);
  const { groups } = planOf([path, project], dialects);
  const group = groups.find((one) => one.files.some((file) => file.path === path));
  if (group === undefined) throw new Refusal(3, `cannot show ${path}: it could not be read`);
  return group;
};

// A folder may permit entering but not listing, and still hold the named file.
const namesIn = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};

const onlySessionIn = (folder: string, dialects: Dialects): Group => {
  const { groups } = planOf([folder], dialects);
  const [only] = groups;
  if (only === undefined) throw new Refusal(3, `there is no transcript below ${folder}`);
  if (groups.length > 1) {
    throw new Refusal(3, `there are ${groups.length} sessions below ${folder}; name one with \`yarnboard show SESSION --in ${folder}\``);
  }
  return only;
};

import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findChromium } from '../chromium.ts';
import { standInSdk } from '../live-sdk.ts';
import { DEMO, FIXTURES, serveWeb, settled, type Web, type WebOptions } from './harness.ts';
import { writeSessions } from './sessions.ts';
import { tellStory } from './story.ts';
import { leftHome, queued } from './left-home.ts';
import { EMPTY_VIEWS, LEFT_VIEWS, VIEWS, type View } from './views.ts';

const HEIGHTS: ReadonlyMap<number, number> = new Map([
  [360, 780],
  [2560, 1440],
  [3840, 2160],
]);
const SCHEMES = ['light', 'dark'] as const;

type Sizes = { readonly widths: readonly number[]; readonly schemes: readonly (typeof SCHEMES)[number][]; readonly out: string };
type Wish = Sizes & { readonly isWhole: boolean; readonly hasAxe: boolean; readonly isWanted: (file: string) => boolean };

/** Takes a picture of one view at every width and in every scheme; says what is wrong with it beside how it looks. */
const look = async (web: Web, path: string, view: Omit<View, 'path'>, { widths, schemes, out, isWhole, hasAxe, isWanted }: Wish): Promise<void> => {
  const page = await web.open(path, { token: view.isReading !== true });
  const remarks: string[] = [];
  const note = (what: string) => (cause: unknown) => {
    remarks.push(`${what}: ${cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : String(cause)}`);
  };
  page.setDefaultTimeout(15_000);
  await settled(page).catch(note('not settled'));
  await view.prepare?.(page).catch(note('not prepared'));
  await settled(page).catch(note('not settled'));
  for (const width of widths) {
    const wanted = schemes.map((scheme) => ({ scheme, file: `${view.name}-${width}-${scheme}.png` })).filter(({ file }) => isWanted(file));
    if (wanted.length === 0) continue;
    await page.setViewportSize({ width, height: HEIGHTS.get(width) ?? 900 });
    // Rows that are wider or narrower now are measured anew.
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 300)));
    for (const { scheme: colorScheme, file } of wanted) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      if (over > 0) remarks.push(`${over} px too wide at ${width}`);
      await page.screenshot({ path: join(out, file), fullPage: isWhole });
      const violations = hasAxe ? await web.axe(page) : [];
      for (const { id, help, nodes } of violations) remarks.push(`axe ${id} at ${width} ${colorScheme}: ${help}\n      ${nodes.join('\n      ')}`);
    }
  }
  await page.context().close();
  remarks.push(...web.complaints());
  console.log([view.name, ...new Set(remarks)].join('\n    '));
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    widths: { type: 'string', default: '360,1280,2560' },
    schemes: { type: 'string', default: 'light,dark' },
    out: { type: 'string', default: join(tmpdir(), 'look') },
    /** Takes again exactly the pictures that lie in this folder. */
    renew: { type: 'string' },
    page: { type: 'string' },
    full: { type: 'boolean', default: false },
    axe: { type: 'boolean', default: false },
    /** Without the demo set and the fixtures. */
    story: { type: 'boolean', default: false },
  },
});
const names = [...VIEWS, ...LEFT_VIEWS, ...EMPTY_VIEWS].map(({ name }) => name);
const unknown = positionals.filter((name) => !names.includes(name));
if (unknown.length > 0) throw new Error(`there is no view ${unknown.join(', ')}; there are ${names.join(', ')}`);
const executable = findChromium();
if (executable === null) throw new Error('found no Chromium; set CHROMIUM to its path');

const renewed = values.renew === undefined ? null : new Set(readdirSync(values.renew));
const isWanted = (file: string): boolean => renewed === null || renewed.has(file);

const wish: Wish = {
  widths: values.widths.split(',').map(Number),
  schemes: SCHEMES.filter((scheme) => values.schemes.split(',').includes(scheme)),
  out: values.renew ?? values.out,
  isWhole: values.full,
  hasAxe: values.axe,
  isWanted,
};
const isChosen = ({ name }: { readonly name: string }): boolean =>
  (positionals.length === 0 || positionals.includes(name)) &&
  wish.widths.some((width) => wish.schemes.some((scheme) => isWanted(`${name}-${width}-${scheme}.png`)));
const [full, left, empty] = [VIEWS.filter(isChosen), LEFT_VIEWS.filter(isChosen), EMPTY_VIEWS.filter(isChosen)];
mkdirSync(wish.out, { recursive: true });

/** One session of each. */
const OTHER_TOOLS = ['codex', 'opencode', 'gemini', 'qwen', 'pi', 'copilot'].map((tool) => join(DEMO, tool));

const options: WebOptions = { executable, ...(values.page === undefined ? {} : { pageFolder: values.page }) };
const folder = mkdtempSync(join(tmpdir(), 'yarnboard-look-'));
writeSessions(folder, Date.now());
const claude = { sdk: standInSdk(folder), config: join(folder, 'claude') };
mkdirSync(join(claude.config, 'projects'), { recursive: true });
try {
  if (full.length > 0) {
    const web = await serveWeb({
      ...options,
      claude,
      roots: [folder, join(claude.config, 'projects'), ...(values.story ? OTHER_TOOLS : [DEMO, FIXTURES])],
    });
    const story = await tellStory(web.ask);
    for (const view of full) await look(web, view.path(story), view, wish);
    await web.close();
  }
  if (left.length > 0) {
    const at = new Date(Date.now() - 40 * 60_000).toISOString();
    const say = (n: number, content: string) => queued(n, { type: 'chat.say', sidebar: 'SB-1', content }, `says: ${content}`, at);
    const home = await leftHome(mkdtempSync(join(folder, 'left-')), {
      at,
      notes: ['The database on db-1 stopped answering.'],
      spawn: async ({ url, token }) => {
        const body = JSON.stringify({ ['parent_id']: null, ['task_description']: 'Why do logins time out at noon?' });
        const answer = await fetch(`${url}/api/v1/sidebars`, { method: 'POST', headers: { authorization: `Bearer ${token}` }, body });
        if (!answer.ok) throw new Error(await answer.text());
      },
      pendingWrites: [
        say(1, 'What the pool is set to: five connections, and each login takes two.'),
        say(2, 'Then four people at once are one too many.'),
        queued(3, { type: 'finding.submit', sidebar: 'SB-1', content: 'The pool has five connections; a login takes two.' }, 'submits a finding', at),
      ],
    });
    const web = await serveWeb({ ...options, roots: [], home });
    for (const view of left) await look(web, view.path(), view, wish);
    await web.close();
  }
  if (empty.length > 0) {
    const web = await serveWeb({ ...options, roots: [] });
    for (const view of empty) await look(web, view.path(), view, wish);
    await web.close();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(`pictures are in ${wish.out}`);

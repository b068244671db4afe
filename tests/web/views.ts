import { tmpdir } from 'node:os';
import type { Page } from 'playwright-core';
import { STORY_SESSIONS } from './sessions.ts';
import type { Story } from './story.ts';

/** Everything there is to look at, each with its address and what has to be done there first. */
export type View = {
  readonly name: string;
  readonly path: (story: Story) => string;
  readonly prepare?: (page: Page) => Promise<void>;
  /** Read by somebody who has no token. */
  readonly isReading?: boolean;
};

const { login, branched, live } = STORY_SESSIONS;

/** A run of the stand-in for Claude Code, which does what the words of its prompt say. */
const startRun = async (page: Page, prompt: string): Promise<void> => {
  await page.getByRole('button', { name: 'New session' }).click();
  const dialog = page.getByRole('dialog', { name: 'New session' });
  await dialog.getByLabel('Directory').fill(tmpdir());
  await dialog.getByLabel('Prompt').fill(prompt);
  await dialog.getByRole('button', { name: 'Start session' }).click();
  await page.getByRole('button', { name: 'Stop', exact: true }).waitFor();
};

export const VIEWS: readonly View[] = [
  { name: 'home', path: () => '/' },
  { name: 'sessions', path: () => '/sessions' },
  { name: 'session', path: () => `/sessions/${login}` },
  { name: 'session-branch', path: () => `/sessions/${branched}` },
  { name: 'session-live', path: () => `/sessions/${live}` },
  {
    name: 'session-agents',
    path: () => `/sessions/${login}`,
    prepare: async (page) => {
      await page
        .getByRole('button', { name: /who holds connections/iu })
        .first()
        .click();
    },
  },
  { name: 'session-panel', path: ({ sidebars }) => `/sessions/${login}?panel=${sidebars.active}` },
  { name: 'session-panel-list', path: () => `/sessions/${login}?panel=all` },
  {
    name: 'session-outline',
    path: () => `/sessions/${login}`,
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Outline (o)' }).click();
      await page.getByRole('complementary', { name: 'Outline' }).getByRole('list', { name: 'Prompts' }).waitFor();
    },
  },
  {
    name: 'session-calls',
    path: () => `/sessions/${login}`,
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Outline (o)' }).click();
      await page.getByRole('complementary', { name: 'Outline' }).getByRole('radio', { name: 'Tool calls' }).click();
      await page.getByRole('list', { name: 'Tool calls' }).waitFor();
    },
  },
  {
    name: 'session-toolbar',
    path: () => `/sessions/${login}`,
    prepare: async (page) => {
      await page.locator('.flow-step').last().hover();
      await page.getByRole('toolbar').waitFor();
    },
  },
  {
    name: 'session-step-menu',
    path: () => `/sessions/${login}`,
    prepare: async (page) => {
      await page.locator('.flow-step').last().hover();
      await page.getByRole('toolbar').getByRole('button', { name: 'More' }).click();
      await page.getByRole('menuitem').first().waitFor();
    },
  },
  {
    name: 'session-menu',
    path: () => `/sessions/${login}`,
    prepare: async (page) => {
      await page.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem').first().waitFor();
    },
  },
  {
    name: 'session-rules',
    path: () => `/sessions/${login}`,
    prepare: async (page) => {
      await page.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem', { name: 'Always allowed…' }).click();
      await page.getByRole('dialog', { name: 'Always allowed' }).waitFor();
    },
  },
  {
    name: 'session-offer',
    path: () => `/sessions/${login}`,
    prepare: async (page) => {
      await page.getByRole('textbox', { name: 'Continue this session' }).pressSequentially('Go on as in MSG-');
      await page.getByRole('listbox', { name: 'References' }).waitFor();
    },
  },
  {
    name: 'sidebar-offer',
    path: ({ sidebars }) => `/sidebars/${sidebars.active}`,
    prepare: async (page) => {
      await page.getByRole('textbox', { name: /^Message SB-/u }).pressSequentially('See SCRATCH-');
      await page.getByRole('listbox', { name: 'References' }).waitFor();
    },
  },
  {
    name: 'session-branches',
    path: () => `/sessions/${branched}`,
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Branch 2 of 2' }).click();
      await page.getByRole('menuitem').first().waitFor();
    },
  },
  {
    name: 'session-labels',
    path: () => `/sessions/${login}`,
    prepare: async (page) => {
      await page.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem', { name: 'Name, tags and note…' }).click();
      await page.getByRole('dialog', { name: 'Name, tags and note' }).waitFor();
    },
  },
  {
    name: 'keys',
    path: () => '/sessions',
    prepare: async (page) => {
      await page.getByRole('heading', { name: 'Sessions' }).waitFor();
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    },
  },
  {
    name: 'session-export',
    path: () => `/sessions/${login}`,
    prepare: async (page) => {
      await page.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem', { name: 'Export…' }).click();
      await page.getByRole('dialog', { name: 'Export session' }).waitFor();
    },
  },
  {
    name: 'session-find',
    path: () => `/sessions/${login}`,
    prepare: async (page) => {
      await page.keyboard.press('f');
      await page.getByRole('searchbox', { name: 'Find in this session' }).fill('pool');
      await page.getByText(/^\d+ found$/u).waitFor();
    },
  },
  { name: 'session-changes', path: () => `/sessions/${login}/changes` },
  { name: 'file-history', path: () => '/files?path=%2Fhome%2Fdev%2Fshop%2Fsrc%2Fgateway%2Fpool.ts' },
  {
    name: 'session-context',
    path: () => `/sessions/${branched}`,
    prepare: async (page) => {
      await page.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem', { name: 'Show context window' }).click();
      await page.getByRole('region', { name: 'Context window' }).getByRole('img').waitFor();
    },
  },
  { name: 'usage', path: () => '/usage' },
  {
    name: 'new-session',
    path: () => '/sessions',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'New session' }).click();
      const dialog = page.getByRole('dialog', { name: 'New session' });
      await dialog.getByLabel('Prompt').fill('Find out why the nightly build takes an hour.');
      await dialog.getByLabel('Permissions').selectOption('bypassPermissions');
      await dialog.getByRole('checkbox').waitFor();
    },
  },
  {
    name: 'session-run',
    path: () => '/sessions',
    prepare: async (page) => {
      await startRun(page, 'text think pair:0 text hang');
      for (const words of ['Then run the tests.', 'And write down what you found, with the commands you used.']) {
        await page.getByRole('textbox', { name: 'Queue the next prompt' }).fill(words);
        await page.keyboard.press('Enter');
        await page.getByText(words).first().waitFor();
      }
    },
  },
  {
    name: 'session-asking',
    path: () => '/sessions',
    prepare: async (page) => {
      await startRun(page, 'Find out why the nightly build takes an hour.\n\ntext pair:0 text ask:0');
      await page.getByRole('article', { name: /^Permission/u }).waitFor();
    },
  },
  { name: 'runs', path: () => '/runs' },
  { name: 'graph', path: () => `/sessions/${login}/graph` },
  { name: 'graph-branch', path: () => `/sessions/${branched}/graph` },
  { name: 'search', path: () => '/search?q=pool%20exhausted' },
  { name: 'search-panel', path: ({ sidebars }) => `/search?q=pool%20exhausted&panel=${sidebars.active}` },
  { name: 'reference', path: ({ message }) => `/refs/${message}` },
  { name: 'trace', path: ({ sidebars }) => `/trace/${sidebars.merged.replace('SB-', 'SCRATCH-')}:FINDING-1` },
  { name: 'trace-sidebar', path: ({ sidebars }) => `/trace/${sidebars.active}` },
  { name: 'trace-session', path: () => `/trace/${login}` },
  { name: 'trace-ways', path: ({ message, sidebars }) => `/trace/${sidebars.merged}?ways=${message}+GOLD-1` },
  { name: 'sidebars', path: () => '/sidebars' },
  { name: 'sidebars-panel', path: ({ sidebars }) => `/sidebars?panel=${sidebars.active}%3Ftab%3Dscratchpad` },
  { name: 'sidebar', path: ({ sidebars }) => `/sidebars/${sidebars.active}` },
  {
    name: 'sidebar-moves',
    path: ({ sidebars }) => `/sidebars/${sidebars.active}`,
    prepare: async (page) => {
      await page
        .getByRole('group', { name: /^Actions for/u })
        .getByRole('button', { name: 'More' })
        .click();
      await page.getByRole('menuitem').first().waitFor();
    },
  },
  ...['scratchpad', 'claims', 'checkpoints', 'gold'].map((tab) => ({
    name: `sidebar-${tab}`,
    path: ({ sidebars }: Story) => `/sidebars/${sidebars.active}?tab=${tab}`,
  })),
  ...(['waiting', 'consolidating', 'merged', 'archived', 'test'] as const).map((state) => ({
    name: `sidebar-${state}`,
    path: ({ sidebars }: Story) => `/sidebars/${sidebars[state]}`,
  })),
  { name: 'archive', path: () => '/archive?q=rivrs&about=drawing%20the%20map&near=0' },
  { name: 'archive-episodes', path: () => '/archive?tab=episodes' },
  { name: 'gold', path: () => '/gold' },
  { name: 'agents', path: () => '/agents' },
  { name: 'settings', path: () => '/settings' },
  { name: 'recovery', path: () => '/recovery' },
  { name: 'health', path: () => '/health' },
  {
    name: 'palette',
    path: () => '/',
    prepare: async (page) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox').fill('pool');
      await page.getByRole('option').first().waitFor();
    },
  },
  { name: 'reading', path: ({ sidebars }) => `/sidebars/${sidebars.active}`, isReading: true },
];

/** On a board whose server was killed while something waited for its log. */
export const LEFT_VIEWS: readonly (Omit<View, 'path'> & { readonly path: () => string })[] = [
  {
    name: 'recovery-left',
    path: () => '/recovery',
    prepare: async (page) => {
      await page.getByText('What the pool is set to').first().waitFor();
    },
  },
];

/** The same on a board where nothing has happened yet. */
export const EMPTY_VIEWS: readonly (Omit<View, 'path'> & { readonly path: () => string })[] = [
  { name: 'empty-home', path: () => '/' },
  { name: 'empty-sessions', path: () => '/sessions' },
  { name: 'empty-search', path: () => '/search?q=nothing' },
  { name: 'empty-sidebars', path: () => '/sidebars' },
  { name: 'empty-archive', path: () => '/archive' },
  { name: 'empty-gold', path: () => '/gold' },
  { name: 'empty-usage', path: () => '/usage' },
  { name: 'empty-agents', path: () => '/agents' },
  { name: 'empty-health', path: () => '/health' },
];

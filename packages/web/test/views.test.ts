import { expect, test } from 'vitest';
import { createViews, partsOf, viewAt } from '../src/views.ts';

const views = createViews();

test.each([
  ['/', views.home, {}],
  ['/sessions', views.sessions, {}],
  ['/sessions/', views.sessions, {}],
  ['/sessions/0b1c', views.session, { id: '0b1c' }],
  ['/Sessions/0B1C', views.session, { id: '0B1C' }],
  ['/sessions/0b1c/graph', views.graph, { id: '0b1c' }],
  ['/sessions/0b1c/changes', views.changes, { id: '0b1c' }],
  ['/files', views.file, {}],
  ['/usage', views.usage, {}],
  ['/search', views.search, {}],
  ['/refs/MSG-1%232', views.reference, { ref: 'MSG-1#2' }],
  ['/refs/100%', views.reference, { ref: '100%' }],
  ['/sidebars', views.sidebars, {}],
  ['/sidebars/SB-3', views.sidebar, { id: 'SB-3' }],
  ['/archive', views.archive, {}],
  ['/gold', views.gold, {}],
  ['/agents', views.agents, {}],
  ['/runs', views.runs, {}],
  ['/settings', views.settings, {}],
  ['/health', views.health, {}],
])('[PAGE-121] %s is the address of one view, and tells it what to show', (address, view, parts) => {
  expect(viewAt(views, address)).toBe(view);
  expect(partsOf(view, address)).toEqual(parts);
  expect(Object.values(views).filter((one) => partsOf(one, address) !== null)).toEqual([view]);
});

test.each(['/nothing', '/sessions/a/b', '/sessions/a/graph/b', '/search/a', '/refs'])('[PAGE-121] nothing is loaded ahead for %s', (address) => {
  expect(viewAt(views, address)).toBeNull();
});

test('[PAGE-121] a view is loaded once, however often it is asked for', async () => {
  const { settings } = createViews();
  const first = settings.load();
  expect(settings.load()).toBe(first);
  expect(Object.keys(await first)).toContain('Settings');
});

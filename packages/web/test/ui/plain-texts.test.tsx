// @vitest-environment happy-dom
import { cleanup, render } from '@testing-library/react';
import { afterEach, describe, expect, test } from 'vitest';
import { Router } from 'wouter';
import { memoryLocation } from 'wouter/memory-location';
import { nameIn } from '../../src/features/citations/media-file.ts';
import { doingText, sessionTitle } from '../../src/shared/titles.ts';
import { inShort } from '../../src/shared/names.ts';
import { Badge } from '../../src/ui/badge.tsx';
import { Page } from '../../src/ui/page.tsx';
import { withReferences } from '../../src/ui/reference.tsx';
import { projectName } from '../../src/ui/wording.ts';

afterEach(cleanup);

/** Seems to end in .pdf where directions are obeyed. */
const TURNED = 'invoice\u202Efdp.exe\u001b[2J';
const TAME = 'invoice\uFFFDfdp.exe\u241B[2J';

describe('what others wrote, outside of Markdown', () => {
  test('[PAGE-2] titles, names and short texts have signs for what would control or turn them', () => {
    expect([sessionTitle(TURNED), doingText(TURNED), inShort(TURNED), projectName(`/home/${TURNED}`), nameIn(`../../${TURNED}`)]).toEqual([
      TAME,
      TAME,
      TAME,
      TAME,
      TAME,
    ]);
  });

  test('[PAGE-2] so have the head of a view, the tab of the browser, badges and texts with references', () => {
    const { container } = render(
      <Router hook={memoryLocation({ path: '/' }).hook}>
        <Page title={TURNED}>
          <Badge title={TURNED}>{TURNED}</Badge>
          <p>{withReferences(`${TURNED} MSG-12 ${TURNED}`)}</p>
        </Page>
      </Router>,
    );
    expect({
      head: container.querySelector('h1')?.textContent,
      tab: document.title,
      badge: container.querySelector('.badge')?.textContent,
      hint: container.querySelector('.badge')?.getAttribute('title'),
      text: container.querySelector('p')?.textContent,
      link: container.querySelector('p a')?.textContent,
    }).toEqual({ head: TAME, tab: `${TAME} · Yarnboard`, badge: TAME, hint: TAME, text: `${TAME} MSG-12 ${TAME}`, link: 'MSG-12' });
  });
});

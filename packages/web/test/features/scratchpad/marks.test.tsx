// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { EscalatedMark, JudgementMark, ProvisionalMark, SupersededMark, UnconfirmedMark } from '../../../src/ui/marks.tsx';

afterEach(cleanup);

test('[PAGE-100] marks say what they mean by a word and an icon, and why on hover', () => {
  render(
    <>
      <ProvisionalMark why="not merged yet" />
      <SupersededMark why="it was revised" />
      <EscalatedMark why="nobody knows" />
      <UnconfirmedMark />
      <JudgementMark status="pending" />
      <JudgementMark status="confirmed" />
      <JudgementMark status="rejected" />
    </>,
  );
  const marks = [...document.querySelectorAll('.badge')].map((mark) => [
    mark.textContent,
    mark.getAttribute('title'),
    mark.querySelectorAll('svg[aria-hidden]').length,
  ]);
  expect(marks).toEqual([
    ['provisional', 'not merged yet', 1],
    ['superseded', 'it was revised', 1],
    ['escalated', 'nobody knows', 1],
    ['sending', 'Not yet confirmed by the server.', 1],
    ['pending', null, 1],
    ['confirmed', null, 1],
    ['rejected', null, 1],
  ]);
  expect(screen.getByText('provisional')).toBeDefined();
});

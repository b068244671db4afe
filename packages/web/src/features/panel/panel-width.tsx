import { useState, type KeyboardEvent, type PointerEvent } from 'react';

/** PAGE-601: the panel's width, kept in this browser. */
export const usePanelWidth = (): readonly [number, (width: number) => void] => {
  const [width, setWidth] = useState(keptWidth);
  return [
    width,
    (wanted) => {
      const next = bounded(wanted);
      setWidth(next);
      localStorage.setItem(KEY, String(next));
    },
  ];
};

/** The edge that you drag, or move with the arrow keys. */
export const PanelEdge = ({ width, onChange }: { readonly width: number; readonly onChange: (width: number) => void }) => {
  const onPointerMove = ({ buttons, currentTarget, clientX }: PointerEvent<HTMLElement>): void => {
    if (buttons === 1 && currentTarget.parentElement !== null) onChange(currentTarget.parentElement.getBoundingClientRect().right - clientX);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = event.key === 'ArrowLeft' ? STEP : event.key === 'ArrowRight' ? -STEP : 0;
    if (by === 0) return;
    event.preventDefault();
    onChange(width + by);
  };
  return (
    <div
      className="panel-edge"
      // HTML has no native element for a splitter.
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="separator"
      aria-orientation="vertical"
      aria-label="Width of the panel"
      aria-valuenow={width}
      aria-valuemin={LEAST}
      aria-valuemax={MOST}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a splitter that is moved by keyboard takes the focus
      tabIndex={0}
      onPointerDown={({ currentTarget, pointerId }) => currentTarget.setPointerCapture(pointerId)}
      onPointerMove={onPointerMove}
      onKeyDown={onKeyDown}
    />
  );
};

const keptWidth = (): number => {
  const kept = Number(localStorage.getItem(KEY));
  return kept > 0 ? bounded(kept) : USUAL;
};

const bounded = (width: number): number => Math.round(Math.min(MOST, Math.max(LEAST, width)));

const KEY = 'yarnboard.panel';
const LEAST = 360;
const USUAL = 520;
const MOST = 1400;
const STEP = 24;

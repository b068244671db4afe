import { printable } from '@yarnboard/transcript';
import { cloneElement, useEffect, useId, useLayoutEffect, useRef, useState, type HTMLAttributes, type ReactElement } from 'react';
import { createPortal } from 'react-dom';
import './tooltip.css';

type Anchor = HTMLAttributes<HTMLElement>;

/** Adds an explanation to the wrapped element, on hover and on focus. */
export const Tooltip = ({ text, children }: { readonly text: string; readonly children: ReactElement<Anchor> }) => {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const timer = useTimer();
  const id = useId();
  const close = (): void => {
    timer.stop();
    setAnchor(null);
  };
  const { props } = children;
  const isName = props['aria-label'] === text;
  return (
    <>
      {cloneElement(children, {
        onPointerEnter: (event) => {
          props.onPointerEnter?.(event);
          const { currentTarget, pointerType } = event;
          // A scrolling finger isn't hovering.
          if (pointerType !== 'touch') timer.start(DELAY, () => setAnchor(currentTarget));
        },
        onPointerLeave: (event) => {
          props.onPointerLeave?.(event);
          timer.start(GRACE, () => setAnchor(null));
        },
        onPointerDown: (event) => {
          props.onPointerDown?.(event);
          close();
        },
        onFocus: (event) => {
          props.onFocus?.(event);
          if (event.currentTarget.matches(':focus-visible')) setAnchor(event.currentTarget);
        },
        onBlur: (event) => {
          props.onBlur?.(event);
          close();
        },
        // A screen reader should not announce the name twice.
        ...(anchor === null || isName ? {} : { 'aria-describedby': id }),
      })}
      {anchor === null ? null : <Bubble id={id} anchor={anchor} text={printable(text)} onEnter={timer.stop} onClose={close} />}
    </>
  );
};

type BubbleProps = {
  readonly id: string;
  readonly anchor: HTMLElement;
  readonly text: string;
  readonly onEnter: () => void;
  readonly onClose: () => void;
};

const Bubble = ({ id, anchor, text, onEnter, onClose }: BubbleProps) => {
  const bubble = useRef<HTMLDivElement>(null);
  const closing = useRef(onClose);
  useEffect(() => {
    closing.current = onClose;
  });
  useLayoutEffect(() => {
    if (bubble.current === null) return;
    const [around, own] = [anchor.getBoundingClientRect(), bubble.current.getBoundingClientRect()];
    const above = around.top - own.height - GAP;
    const left = around.left + (around.width - own.width) / 2;
    bubble.current.style.top = `${above < EDGE ? around.bottom + GAP : above}px`;
    bubble.current.style.left = `${Math.max(EDGE, Math.min(left, innerWidth - own.width - EDGE))}px`;
  }, [anchor, text]);
  useEffect(() => {
    const close = (): void => closing.current();
    const closeOnEscape = ({ key }: KeyboardEvent): void => {
      if (key === 'Escape') close();
    };
    addEventListener('keydown', closeOnEscape, true);
    addEventListener('scroll', close, true);
    return () => {
      removeEventListener('keydown', closeOnEscape, true);
      removeEventListener('scroll', close, true);
    };
  }, []);
  return createPortal(
    <div ref={bubble} id={id} className="tooltip" role="tooltip" onPointerEnter={onEnter} onPointerLeave={onClose}>
      {text}
    </div>,
    document.body,
  );
};

/** A single timer that never outlives its component. */
const useTimer = () => {
  const [timer] = useState(() => {
    let running: ReturnType<typeof setTimeout> | undefined;
    const stop = (): void => clearTimeout(running);
    const start = (ms: number, work: () => void): void => {
      stop();
      running = setTimeout(work, ms);
    };
    return { start, stop };
  });
  useEffect(() => timer.stop, [timer]);
  return timer;
};

const DELAY = 400;
/** Long enough for the pointer to reach the tooltip, where text may be read or selected. */
const GRACE = 120;
const GAP = 6;
const EDGE = 8;

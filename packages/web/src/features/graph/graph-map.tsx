import { useReactFlow, useStore } from '@xyflow/react';
import { useEffect, useRef, type PointerEvent } from 'react';
import type { Drawing } from './drawing.ts';
import './graph-map.css';
import type { DrawnItem } from './drawing-desk.ts';
import { CARD } from './layout.ts';

/** A minimap of the graph and the viewport. React Flow's own map renders an element per card, which is too slow for ten thousand; this one paints. */
export const GraphMap = ({ drawing, theme }: { readonly drawing: Drawing; readonly theme: string }) => {
  const flow = useReactFlow();
  const canvas = useRef<HTMLCanvasElement>(null);
  const { width, height } = drawing;
  const isTall = height > width * 1.5;
  useEffect(() => {
    // In the next frame: only then does the page have the theme's colours.
    const frame = requestAnimationFrame(() => {
      if (canvas.current !== null) paint(canvas.current, drawing);
    });
    return () => cancelAnimationFrame(frame);
  }, [drawing, theme, isTall]);

  const go = (event: PointerEvent<HTMLDivElement>): void => {
    if (event.type === 'pointermove' && event.buttons !== 1) return;
    const box = event.currentTarget.getBoundingClientRect();
    const [x, y] = [((event.clientX - box.left) / box.width) * width, ((event.clientY - box.top) / box.height) * height];
    void flow.setCenter(x, y, { zoom: flow.getZoom() });
  };
  return (
    <div className={`graph-map${isTall ? ' graph-map-tall' : ''}`} role="img" aria-label="Map of the graph" onPointerDown={go} onPointerMove={go}>
      <canvas ref={canvas} aria-hidden />
      <Here width={width} height={height} />
    </div>
  );
};

const Here = ({ width, height }: { readonly width: number; readonly height: number }) => {
  const place = useStore(({ transform: [x, y, zoom], width: seen, height: high }) => {
    const percent = (part: number, whole: number): number => Math.min(100, Math.max(0, (part / Math.max(1, whole)) * 100));
    const [left, top] = [percent(-x / zoom, width), percent(-y / zoom, height)];
    const [right, bottom] = [percent((seen - x) / zoom, width), percent((high - y) / zoom, height)];
    return `${left.toFixed(2)}% ${top.toFixed(2)}% ${(right - left).toFixed(2)}% ${(bottom - top).toFixed(2)}%`;
  });
  const [left = '', top = '', wide = '', high = ''] = place.split(' ');
  return <div className="graph-map-here" style={{ left, top, width: wide, height: high }} />;
};

const paint = (canvas: HTMLCanvasElement, { items, width, height }: Drawing): void => {
  const ratio = globalThis.devicePixelRatio;
  const [wide, high] = [canvas.clientWidth, canvas.clientHeight];
  canvas.width = wide * ratio;
  canvas.height = high * ratio;
  const context = canvas.getContext('2d');
  if (context === null) return;
  const colour = coloursOf(canvas);
  const [across, down] = [(wide * ratio) / Math.max(1, width), (high * ratio) / Math.max(1, height)];
  // Paints the active path last, so that nothing covers it.
  for (const isActive of [false, true]) {
    for (const item of items) {
      if (!item.isCard || item.isActive !== isActive) continue;
      context.fillStyle = colour(item);
      context.fillRect(item.x * across, item.y * down, Math.max(2, CARD.width * across), Math.max(1, CARD.height * down));
    }
  }
};

const coloursOf = (canvas: HTMLCanvasElement): ((item: DrawnItem) => string) => {
  const style = getComputedStyle(canvas);
  const token = (name: string): string => style.getPropertyValue(name).trim();
  const [plain, active, agent, compaction, bad] = [token('--line-strong'), token('--accent'), token('--violet'), token('--info'), token('--bad')];
  return ({ kind, isActive, errors }) => {
    if (kind === 'message' && errors > 0) return bad;
    if (kind === 'compaction') return compaction;
    return isActive ? active : kind === 'agent' ? agent : plain;
  };
};

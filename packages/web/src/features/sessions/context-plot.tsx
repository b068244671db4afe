import { CONTEXT_KINDS } from '@yarnboard/transcript';
import { useState, type PointerEvent } from 'react';
import { useLocation } from 'wouter';
import { countOf, shortCount } from '../../ui/wording.ts';
import type { ContextAnswer } from './context-answer.ts';
import { sessionPath } from './session-address.ts';

/** PAGE-560: one bar per response, one colour per kind. Its label sums it up; the table has every number, and links to the messages. */
export const ContextPlot = ({ context }: { readonly context: ContextAnswer }) => {
  const { sessionId, thread, points, compactions, window, peak } = context;
  const [, navigate] = useLocation();
  const [pointed, setPointed] = useState<number | null>(null);
  const top = Math.max(window === null || peak < window / LITTLE ? peak : window, 1);
  const nth = ({ clientX, currentTarget }: PointerEvent): number => {
    const { left, width } = currentTarget.getBoundingClientRect();
    return Math.min(points.length - 1, Math.max(0, Math.floor(((clientX - left) / width) * points.length)));
  };
  const point = pointed === null ? undefined : points[pointed];
  const cuts = compactions.map(({ uuid, index }) => ({ uuid, at: before(points, index) / points.length }));
  return (
    <div className="context-plot" role="img" aria-label={summary(context)}>
      <div className="context-axis numbers" aria-hidden>
        <span>{shortCount(top)}</span>
        <span>{shortCount(Math.round(top / 2))}</span>
        <span>0</span>
      </div>
      <div
        className="context-bars"
        onPointerMove={(event) => setPointed(nth(event))}
        onPointerLeave={() => setPointed(null)}
        onPointerUp={(event) => {
          const chosen = points[nth(event)];
          if (chosen !== undefined)
            navigate(sessionPath({ sessionId, at: chosen.ref ?? chosen.uuid, thread: thread === 'main' ? null : thread, through: null }));
        }}
      >
        <svg width="100%" height="100%" aria-hidden>
          {[0.5, 1].map((share) => (
            <line key={share} className="context-grid" x1="0" x2="100%" y1={percent(1 - share)} y2={percent(1 - share)} />
          ))}
          {points.map(({ uuid, fill }, n) => (
            <Bar key={uuid} fill={fill} top={top} x={n / points.length} width={1 / points.length} isPointed={n === pointed} />
          ))}
          {cuts.map(({ uuid, at }) => (
            <line key={uuid} className="context-cut" x1={percent(at)} x2={percent(at)} y1="0" y2="100%" />
          ))}
        </svg>
      </div>
      <p className="context-pointed numbers small">
        {point === undefined ? (
          <span className="faint">Point at a bar for its numbers; click it to go to its message. Dashed lines are compactions.</span>
        ) : (
          `${point.ref ?? `Response ${point.index + 1}`}: ${countOf(point.tokens)} tokens, answered with ${countOf(point.output)}`
        )}
      </p>
    </div>
  );
};

type BarProps = {
  readonly fill: ContextAnswer['points'][number]['fill'];
  readonly top: number;
  readonly x: number;
  readonly width: number;
  readonly isPointed: boolean;
};

const Bar = ({ fill, top, x, width, isPointed }: BarProps) => (
  <svg x={percent(x)} width={percent(width)} height="100%">
    {isPointed ? <rect className="context-highlight" width="100%" height="100%" /> : null}
    {layersOf(fill).map(({ kind, value, upTo }) => (
      <rect key={kind} className={`context-bar context-${kind}`} x="0" width="100%" y={percent(1 - upTo / top)} height={percent(value / top)} />
    ))}
  </svg>
);

/** The parts of a bar, stacked. */
const layersOf = (fill: BarProps['fill']) => {
  const layers: { readonly kind: (typeof CONTEXT_KINDS)[number]; readonly value: number; readonly upTo: number }[] = [];
  for (const kind of CONTEXT_KINDS) if (fill[kind] > 0) layers.push({ kind, value: fill[kind], upTo: (layers.at(-1)?.upTo ?? 0) + fill[kind] });
  return layers;
};

/** How many of the shown points come before the response with this index. */
const before = (points: ContextAnswer['points'], index: number): number => {
  const at = points.findIndex((one) => one.index >= index);
  return at === -1 ? points.length : at;
};

const summary = ({ points, window, peak, compactions }: ContextAnswer): string => {
  const last = points.at(-1);
  const now = last === undefined ? '' : `${countOf(last.tokens)} tokens at the latest response${window === null ? '' : ` of ${countOf(window)}`}, `;
  return `Context window: ${now}${countOf(peak)} at its peak, compacted ${compactions.length === 1 ? 'once' : `${countOf(compactions.length)} times`}. Choose “Table” for the numbers.`;
};

const percent = (share: number): string => `${share * 100}%`;

/** If the peak is less than this fraction of the window, the chart is scaled to the peak instead. */
const LITTLE = 8;

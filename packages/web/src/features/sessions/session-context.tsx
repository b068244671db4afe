import { CONTEXT_KINDS, printableLine } from '@yarnboard/transcript';
import { Table2, X } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { useAsk, useSessionNews } from '../../live/hooks.tsx';
import { modelName } from '../../shared/model-name.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Scroller } from '../../ui/scroller.tsx';
import { Skeleton } from '../../ui/state.tsx';
import { counted, countOf, shortCount } from '../../ui/wording.ts';
import type { ContextAnswer } from './context-answer.ts';
import { ContextPlot } from './context-plot.tsx';
import { sessionPath, type SessionAddress } from './session-address.ts';
import './session-context.css';

export type SessionContextProps = {
  readonly sessionId: string;
  /** The branch and the sub-agent on display. */
  readonly address: SessionAddress;
  readonly onClose: () => void;
};

/** PAGE-560: how full the context window was at each response, and what filled it. */
export const SessionContext = ({ sessionId, address: { thread, through }, onClose }: SessionContextProps) => {
  const { data, error, refetch } = useAsk(
    'context',
    { id: sessionId, ...(thread === null ? {} : { thread }), ...(through === null || thread !== null ? {} : { through }) },
    { keepsPrevious: true },
  );
  useSessionNews(sessionId, () => void refetch(), NEWS_MS);
  const [isTable, setIsTable] = useState(false);
  return (
    <section className="session-counts session-context" aria-labelledby="session-context-title">
      <header className="session-counts-head">
        <h2 id="session-context-title">Context window{thread === null ? '' : ' of the sub-agent'}</h2>
        <span className="session-context-actions">
          <Button size="small" variant="quiet" icon={Table2} aria-pressed={isTable} onClick={() => setIsTable(!isTable)}>
            Table
          </Button>
          <IconButton icon={X} label="Hide context window" size="small" onClick={onClose} />
        </span>
      </header>
      {data === undefined ? (
        error === null ? (
          <Skeleton lines={4} label="Loading context window" />
        ) : (
          <p className="step-refusal">{error.message}</p>
        )
      ) : data.points.length === 0 ? (
        <p className="soft small">No token counts yet. Some tools don’t record them.</p>
      ) : (
        <Known context={data} isTable={isTable} />
      )}
    </section>
  );
};

const Known = ({ context, isTable }: { readonly context: ContextAnswer; readonly isTable: boolean }) => {
  const { points, window, peak, compactions, tools, responses } = context;
  const last = points.at(-1);
  if (last === undefined) return null;
  const full = window === null ? '' : ` of ${shortCount(window)} (${Math.round((last.tokens / window) * 100)}%)`;
  return (
    <>
      <p className="small">
        <strong className="numbers">{shortCount(last.tokens)} tokens</strong>
        {full} at the latest response. Peak {shortCount(peak)}, {counted(responses, 'response')}, {counted(compactions.length, 'compaction')}.
      </p>
      {isTable ? <ContextTable context={context} /> : <ContextPlot context={context} />}
      <h3 className="small">What’s in it now</h3>
      <dl className="session-context-fill numbers">
        {CONTEXT_KINDS.filter((kind) => last.fill[kind] > 0).map((kind) => (
          <div key={kind}>
            <dt>
              <span className={`context-colour context-${kind}`} aria-hidden />
              {CONTEXT_WORDS[kind]}
            </dt>
            <dd>
              {shortCount(last.fill[kind])} <span className="faint">{Math.round((last.fill[kind] / last.tokens) * 100)}%</span>
            </dd>
          </div>
        ))}
      </dl>
      {tools.length === 0 ? null : (
        <p className="small soft">
          Tool results:{' '}
          {tools
            .slice(0, MOST_TOOLS)
            .map(({ name, tokens }) => `${printableLine(name)} ${shortCount(tokens)}`)
            .join(', ')}
        </p>
      )}
      <p className="small faint">Totals are counted by the API. The parts are estimates from the size of each message.</p>
    </>
  );
};

/** Every number of the chart, with links to the messages. */
const ContextTable = ({ context: { sessionId, thread, points, compactions } }: { readonly context: ContextAnswer }) => {
  const placeOf = (uuid: string, ref: string | null): string =>
    sessionPath({ sessionId, at: ref ?? uuid, thread: thread === 'main' ? null : thread, through: null });
  const rows = [
    ...points.map((point) => ({ kind: 'response' as const, order: point.index + 0.5, point })),
    ...compactions.map((compaction) => ({ kind: 'compaction' as const, order: compaction.index, compaction })),
  ].toSorted((a, b) => a.order - b.order);
  return (
    <Scroller label="Context window by response" className="session-context-table">
      <table className="context-table numbers">
        <caption className="visually-hidden">Context window by response</caption>
        <thead>
          <tr>
            <th scope="col">Message</th>
            <th scope="col">When</th>
            <th scope="col">Model</th>
            <th scope="col">Tokens</th>
            {CONTEXT_KINDS.map((kind) => (
              <th key={kind} scope="col">
                {CONTEXT_WORDS[kind]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) =>
            row.kind === 'compaction' ? (
              <tr key={`compaction ${row.compaction.uuid}`} className="context-compaction-row">
                <th scope="row">Compacted</th>
                <td>
                  <Moment at={row.compaction.at} />
                </td>
                <td colSpan={2 + CONTEXT_KINDS.length}>{compactionText(row.compaction)}</td>
              </tr>
            ) : (
              <tr key={row.point.uuid}>
                <th scope="row">
                  <Link href={placeOf(row.point.uuid, row.point.ref)}>{row.point.ref ?? `Response ${row.point.index + 1}`}</Link>
                </th>
                <td>
                  <Moment at={row.point.at} />
                </td>
                <td>{row.point.model === null ? '' : modelName(row.point.model)}</td>
                <td>{countOf(row.point.tokens)}</td>
                {CONTEXT_KINDS.map((kind) => (
                  <td key={kind}>{row.point.fill[kind] === 0 ? <span className="faint">–</span> : countOf(row.point.fill[kind])}</td>
                ))}
              </tr>
            ),
          )}
        </tbody>
      </table>
    </Scroller>
  );
};

const compactionText = ({ trigger, before, after }: ContextAnswer['compactions'][number]): string =>
  [
    ...(trigger === null ? [] : [printableLine(trigger)]),
    ...(before === null ? [] : [`${countOf(before)} tokens before`]),
    ...(after === null ? [] : [`${countOf(after)} after`]),
  ].join(', ');

/** The label of each kind. */
const CONTEXT_WORDS = {
  start: 'System and tools',
  prompts: 'Prompts',
  replies: 'Replies',
  results: 'Tool results',
  agents: 'Sub-agents',
  attachments: 'Attachments',
  summary: 'Summary',
  other: 'Other',
} as const satisfies Record<(typeof CONTEXT_KINDS)[number], string>;

const MOST_TOOLS = 8;
const NEWS_MS = 3000;

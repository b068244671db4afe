import { ListTree, Network } from 'lucide-react';
import { startTransition, useCallback, useEffect, useState } from 'react';
import { Link } from 'wouter';
import { useAsk } from '../../live/hooks.tsx';
import { IconButton } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { Empty, Failure } from '../../ui/state.tsx';
import { countOf, counted } from '../../ui/wording.ts';
import { SidebarsBeside } from '../sessions/session-beside.tsx';
import { SessionCrumbs, titleOf, type SessionDetail } from '../sessions/session-head.tsx';
import { startWorker, type Drawing, type StartDrawer } from './drawing.ts';
import { GraphCanvas } from './graph-canvas.tsx';
import './graph-page.css';
import { Outline } from './outline.tsx';
import { DETAILS, type Detail } from './picture.ts';
import { useGraph } from './use-graph.ts';

export type GraphPageProps = {
  readonly sessionId: string;
  /** Starts the drawer; the worker, except in tests. */
  readonly start?: StartDrawer;
};

/** A session's branches, turns and sub-agents on a canvas, with an outline beside it. */
export const GraphPage = ({ sessionId, start = startWorker }: GraphPageProps) => {
  const { data: session, error, refetch } = useAsk('session', { id: sessionId });
  if (error !== null && session === undefined) {
    return (
      <Page title="Graph">
        <Failure title="Couldn’t load this session" error={error} onRetry={() => void refetch()} />
      </Page>
    );
  }
  // The cards need not wait for the session's details.
  return <SessionGraph sessionId={session?.sessionId ?? sessionId} session={session} start={start} />;
};

type SessionGraphProps = { readonly sessionId: string; readonly session: SessionDetail | undefined; readonly start: StartDrawer };

const SessionGraph = ({ sessionId, session, start }: SessionGraphProps) => {
  const entries = session?.entries ?? null;
  const title = titleOf(session, sessionId);
  const graph = useGraph(sessionId, entries, start);
  const { drawing, reading, detail, choose, toggle } = graph;
  // A session that was not found is not a failed drawing.
  const failure = session === undefined ? null : graph.failure;
  const isWhole = drawing !== null && !drawing.isPart;
  // PAGE-700: the full drawing starts at the latest message, unless you are already using a partial one.
  const [isInUse, setIsInUse] = useState(false);
  const use = useCallback(() => setIsInUse(true), []);
  const [current, setCurrent] = useState<string | null>(null);
  const [visit, setVisit] = useState(0);
  const [isOutlined, setIsOutlined] = useState(() => matchMedia(WIDE).matches);
  const onVisit = useCallback((id: string) => {
    setCurrent(id);
    setVisit((n) => n + 1);
  }, []);
  return (
    <Page
      layout="fill"
      title={title}
      intro="graph"
      tabTitle={`Graph of ${title}`}
      above={
        <SessionCrumbs session={session}>
          <Link href={`/sessions/${encodeURIComponent(sessionId)}`}>Conversation</Link>
          <span aria-current="page">Graph</span>
        </SessionCrumbs>
      }
      subtitle={
        // Progress is visible on the page, so the final count is only for screen readers.
        <span className={isWhole ? 'visually-hidden' : 'numbers'} role="status">
          {isWhole
            ? summaryOf(drawing)
            : reading === null
              ? 'Drawing…'
              : `Loading… ${countOf(reading)}${entries === null ? '' : ` of ${countOf(entries)}`}`}
        </span>
      }
      actions={
        <>
          <SidebarsBeside sessionId={sessionId} />
          {detail === null ? null : <Segmented label="Level of detail" isLabelHidden segments={SEGMENTS} value={detail} onChange={choose} />}
          <IconButton icon={ListTree} label="Outline" isPressed={isOutlined} onClick={() => setIsOutlined((is) => !is)} />
        </>
      }
    >
      {failure === null ? null : <Failure title="Couldn’t draw the graph" error={failure} onRetry={graph.retry} />}
      {drawing === null ? (
        failure === null ? (
          <Reading read={reading} of={entries} />
        ) : null
      ) : drawing.items.length === 0 ? (
        <Empty icon={Network} title="No messages yet">
          The graph grows as the session does.
        </Empty>
      ) : (
        <GraphBody
          key={isWhole && !isInUse ? 'whole' : 'part'}
          onUse={isWhole ? null : use}
          {...{ sessionId, drawing, isOutlined, current, onCurrent: setCurrent, visit, onVisit, onToggle: toggle }}
        />
      )}
    </Page>
  );
};

type BodyProps = {
  readonly sessionId: string;
  readonly drawing: Drawing;
  readonly isOutlined: boolean;
  readonly current: string | null;
  readonly onCurrent: (id: string) => void;
  readonly visit: number;
  readonly onVisit: (id: string) => void;
  readonly onToggle: (id: string, isOpen: boolean) => void;
  /** Called on any interaction with the drawing. */
  readonly onUse: (() => void) | null;
};

const GraphBody = ({ sessionId, drawing, isOutlined, current, onCurrent, visit, onVisit, onToggle, onUse }: BodyProps) => {
  const stage = useStage();
  const uses = onUse === null ? {} : { onPointerDownCapture: onUse, onWheelCapture: onUse, onKeyDownCapture: onUse };
  return (
    <div className={`graph-body${isOutlined ? ' graph-body-outlined' : ''}`} {...uses}>
      {isOutlined ? (
        <section className="graph-side" aria-label="Outline">
          {stage < 2 ? null : <Outline {...{ sessionId, current, onVisit, onToggle }} items={drawing.items} />}
        </section>
      ) : null}
      <GraphCanvas {...{ sessionId, current, onCurrent, visit, onToggle }} drawing={stage === 0 ? NOTHING_DRAWN : drawing} />
    </div>
  );
};

/** Mounts the canvas, then its contents, then the outline: all at once would be one long task. */
const useStage = (): number => {
  const [stage, setStage] = useState(0);
  useEffect(() => {
    if (stage < 2) startTransition(() => setStage(stage + 1));
  }, [stage]);
  return stage;
};

const NOTHING_DRAWN: Drawing = { items: [], lines: [], detail: 'overview', leaf: -1, nodes: 0, width: 0, height: 0, isPart: true };

const summaryOf = ({ items }: { readonly items: readonly { readonly isCard: boolean }[] }): string =>
  `Graph with ${counted(items.filter(({ isCard }) => isCard).length, 'card')}`;

const Reading = ({ read, of }: { readonly read: number | null; readonly of: number | null }) => (
  <div className="graph-reading">
    <p className="soft">{read === null ? 'Drawing the graph…' : 'Loading session…'}</p>
    <progress aria-label="Loading session" max={Math.max(1, of ?? 1)} {...(read === null || of === null ? {} : { value: Math.min(read, of) })} />
  </div>
);

const LABELS = { overview: 'Overview', turns: 'Turns', messages: 'Messages' } as const satisfies Record<Detail, string>;
const SEGMENTS = DETAILS.map((value) => ({ value, label: LABELS[value] }));
const WIDE = '(min-width: 64rem)';

import { printableLine } from '@yarnboard/transcript';
import { useVirtualizer } from '@tanstack/react-virtual';
import { Ellipsis, GitFork } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { Badge } from '../../ui/badge.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Moment } from '../../ui/moment.tsx';
import { TurnMark } from '../../ui/turn-mark.tsx';
import { counted, countOf, projectName, usdText, type Turn } from '../../ui/wording.ts';
import type { ListedSession } from '../../shared/projects.ts';
import { sessionTitle } from '../../shared/titles.ts';
import { InToolMark } from '../../shared/in-tool.tsx';
import { UnaskedMark } from '../../shared/unasked-mark.tsx';
import { ToolSign } from '../../shared/tool-sign.tsx';
import { useScrolled } from './flow-sight.ts';
import { LabelMarks, useLabelling } from './session-labels.tsx';
import { keepPlace, keptPlace } from './history-place.ts';

type SessionRowsProps = {
  readonly sessions: readonly ListedSession[];
  readonly isWhole: boolean;
  readonly turns: ReadonlyMap<string, Turn>;
  /** Called when the end of the loaded rows is reached. */
  readonly onEnd: () => void;
};

/** Draws only the visible rows, however many there are. */
export const SessionRows = ({ sessions, isWhole, turns, onEnd }: SessionRowsProps) => {
  const place = useRef<HTMLDivElement>(null);
  const [scrolled] = useState(() => Number(keptPlace(PLACE) ?? 0));
  useScrolled(place, () => keepPlace(PLACE, Math.round(place.current?.scrollTop ?? 0)));
  const rows = useVirtualizer({
    count: sessions.length,
    getScrollElement: () => place.current,
    estimateSize: () => 60,
    overscan: 12,
    initialOffset: scrolled,
    getItemKey: (n) => sessions[n]?.sessionId ?? n,
  });
  const items = rows.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (!isWhole && last >= sessions.length - NEAR_END) onEnd();
  }, [last, sessions.length, isWhole, onEnd]);
  return (
    <div ref={place} className="session-list-place">
      <ul className="session-list" style={{ height: rows.getTotalSize() }}>
        {items.map(({ index, key, start }) => {
          const session = sessions[index];
          if (session === undefined) return null;
          return (
            <li
              key={key}
              ref={rows.measureElement}
              data-index={index}
              className="session-list-row"
              style={{ transform: `translateY(${start}px)` }}
              aria-posinset={index + 1}
              aria-setsize={isWhole ? sessions.length : -1}
            >
              <SessionRow session={session} turn={turns.get(session.sessionId) ?? 'quiet'} />
              <RowMenu session={session} />
            </li>
          );
        })}
      </ul>
    </div>
  );
};

const SessionRow = ({ session, turn }: { readonly session: ListedSession; readonly turn: Turn }) => (
  <Link href={`/sessions/${encodeURIComponent(session.sessionId)}`} className="session-list-link">
    <span className="session-list-words">
      <span className="session-list-title one-line">{sessionTitle(session.title)}</span>
      <span className="session-list-about">
        <span className="one-line" title={session.project === null ? undefined : printableLine(session.project)}>
          {projectName(session.project)}
        </span>
        <ToolSign tool={session.tool} />
        {session.sidechains === 0 ? null : <span>{counted(session.sidechains, 'sub-agent')}</span>}
        {session.continues === null ? null : (
          <span className="session-list-fork">
            <GitFork aria-hidden />
            {session.continues.by === 'fork' ? 'fork' : 'resumed'}
          </span>
        )}
        {session.errors === 0 ? null : <span>{counted(session.errors, 'error')}</span>}
        <UnaskedMark sessionId={session.sessionId} />
        <InToolMark tool={session.tool} inTool={session.inTool} />
        <LabelMarks labels={session.labels} />
      </span>
    </span>
    <span className="session-list-facts numbers">
      {turn === 'quiet' ? null : <TurnMark turn={turn} />}
      {session.state === 'pending' ? (
        <Badge tone="info">not yet imported</Badge>
      ) : (
        <span className="session-list-count">
          {countOf(session.messages)} <span className="faint">{session.messages === 1 ? 'message' : 'messages'}</span>
        </span>
      )}
      <span className="session-list-cost">{session.costUsd === 0 ? '' : usdText(session.costUsd)}</span>
      <span className="session-list-time">
        <Moment at={session.endedAt} />
      </span>
    </span>
  </Link>
);

/** A sibling of the link that the row is, not inside it. */
const RowMenu = ({ session }: { readonly session: ListedSession }) => {
  const { items, dialog } = useLabelling(session);
  return items.length === 0 ? null : (
    <span className="session-list-menu">
      <Menu items={items}>
        <button
          type="button"
          className="button button-quiet button-small button-icon"
          aria-label={`More for ${printableLine(sessionTitle(session.title))}`}
        >
          <Ellipsis aria-hidden />
        </button>
      </Menu>
      {dialog}
    </span>
  );
};

const NEAR_END = 30;
const PLACE = 'sessions';

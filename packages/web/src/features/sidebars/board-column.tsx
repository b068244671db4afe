import type { Sidebar, Status } from '@yarnboard/domain';
import { useId, useRef, type ReactNode } from 'react';
import { SidebarCard } from './sidebar-card.tsx';
import { STATUS_LOOKS } from '../../shared/status-badge.tsx';
import { useCardKeys } from './card-keys.ts';
import { useRows } from './virtual-rows.ts';

export type BoardColumnProps = {
  readonly status: Status;
  readonly sidebars: readonly Sidebar[];
  /** Rendered below the cards. */ readonly foot?: ReactNode;
};

/** One status and its sidebars. Renders only the visible cards, however many there are. */
export const BoardColumn = ({ status, sidebars, foot = null }: BoardColumnProps) => {
  const id = useId();
  const { word, icon: Icon, tone, says } = STATUS_LOOKS[status];
  const isEmpty = sidebars.length === 0 && foot === null;
  return (
    <section className={`board-column board-column-${tone}${isEmpty ? ' board-column-empty' : ''}`} aria-labelledby={id} data-status={status}>
      <h2 id={id} className="board-column-head" title={says}>
        <Icon aria-hidden />
        <span>{word}</span>
        <span className="board-column-count numbers">{sidebars.length}</span>
      </h2>
      {isEmpty ? null : <Cards sidebars={sidebars} label={word} foot={foot} />}
    </section>
  );
};

const Cards = ({ sidebars, label, foot }: { readonly sidebars: readonly Sidebar[]; readonly label: string; readonly foot: ReactNode }) => {
  const scroll = useRef<HTMLDivElement>(null);
  const rows = useRows({ count: sidebars.length, scroll, estimate: () => CARD_HEIGHT, keyOf: (n) => sidebars[n]?.id ?? n });
  useCardKeys(scroll, sidebars.length, rows);
  return (
    <div ref={scroll} className="board-column-cards" role="group" aria-label={`${label} sidebars`} tabIndex={-1}>
      <ul className="board-column-list" style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ key, index, start }) => {
          const sidebar = sidebars[index];
          return sidebar === undefined ? null : (
            <li
              key={key}
              ref={rows.measureElement}
              className="board-column-row"
              data-index={index}
              aria-setsize={sidebars.length}
              aria-posinset={index + 1}
              style={{ transform: `translateY(${start}px)` }}
            >
              <SidebarCard sidebar={sidebar} />
            </li>
          );
        })}
      </ul>
      {foot}
    </div>
  );
};

const CARD_HEIGHT = 112;

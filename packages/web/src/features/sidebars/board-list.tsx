import type { Sidebar, Status } from '@yarnboard/domain';
import { useMemo, useRef, type ReactNode } from 'react';
import type { Column } from './board-groups.ts';
import { SidebarCard } from './sidebar-card.tsx';
import { STATUS_LOOKS } from '../../shared/status-badge.tsx';
import { useRows } from './virtual-rows.ts';

type Row =
  | { readonly kind: 'status'; readonly status: Status; readonly count: number }
  | { readonly kind: 'sidebar'; readonly sidebar: Sidebar }
  | { readonly kind: 'empty'; readonly statuses: readonly Status[] }
  | { readonly kind: 'foot' };

/** The board on narrow screens: one list by status. The empty statuses share one line at its end. */
export const BoardList = ({ columns, foot = null }: { readonly columns: readonly Column[]; readonly foot?: ReactNode }) => {
  const hasFoot = foot !== null;
  const rows = useMemo(() => rowsIn(columns, hasFoot), [columns, hasFoot]);
  const scroll = useRef<HTMLDivElement>(null);
  const list = useRows({ count: rows.length, scroll, estimate: (n) => (rows[n]?.kind === 'sidebar' ? 110 : 40), keyOf: (n) => keyOf(rows[n]) });
  return (
    <div ref={scroll} className="board-list" role="group" aria-label="Sidebars by status" tabIndex={-1}>
      <div className="board-list-rows" style={{ height: list.getTotalSize() }}>
        {list.getVirtualItems().map(({ key, index, start }) => {
          const row = rows[index];
          return row === undefined ? null : (
            <div key={key} ref={list.measureElement} className="board-list-row" data-index={index} style={{ transform: `translateY(${start}px)` }}>
              {row.kind === 'foot' ? foot : <OneRow row={row} />}
            </div>
          );
        })}
      </div>
    </div>
  );
};

const OneRow = ({ row }: { readonly row: Exclude<Row, { kind: 'foot' }> }) => {
  if (row.kind === 'sidebar') return <SidebarCard sidebar={row.sidebar} />;
  if (row.kind === 'empty') {
    return <p className="board-list-empty">Nothing is {row.statuses.map((status) => STATUS_LOOKS[status].word.toLowerCase()).join(', ')}.</p>;
  }
  const { word, icon: Icon, tone } = STATUS_LOOKS[row.status];
  return (
    <h2 className={`board-column-head board-column-${tone}`}>
      <Icon aria-hidden />
      <span>{word}</span>
      <span className="board-column-count numbers">{row.count}</span>
    </h2>
  );
};

const rowsIn = (columns: readonly Column[], hasFoot: boolean): readonly Row[] => {
  const empty = columns.filter(({ sidebars }) => sidebars.length === 0).map(({ status }) => status);
  return [
    ...columns.flatMap(({ status, sidebars }): readonly Row[] =>
      sidebars.length === 0
        ? []
        : [{ kind: 'status', status, count: sidebars.length }, ...sidebars.map((sidebar) => ({ kind: 'sidebar', sidebar }) as const)],
    ),
    ...(hasFoot ? [{ kind: 'foot' } as const] : []),
    ...(empty.length === 0 ? [] : [{ kind: 'empty', statuses: empty } as const]),
  ];
};

const keyOf = (row: Row | undefined): string => {
  if (row === undefined) return '';
  return row.kind === 'sidebar' ? row.sidebar.id : row.kind === 'status' ? row.status : row.kind;
};

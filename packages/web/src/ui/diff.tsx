import { printable } from '@yarnboard/transcript';
import { memo, useMemo, useState } from 'react';
import { Button } from './button.tsx';
import './diff.css';
import { lineDiff, patchRows, type DiffRow, type Hunk } from './line-diff.ts';
import { Scroller } from './scroller.tsx';
import { countOf, counted } from './wording.ts';

export type DiffProps = {
  readonly before: string;
  readonly after: string;
  /** The file's line number of the first line; null if unknown: then lines have no numbers. */ readonly firstLine?: number | null;
};

/** A diff of a text: numbers, a sign and a background for each added or removed line. */
export const Diff = memo(({ before, after, firstLine = 1 }: DiffProps) => {
  const rows = useMemo(() => lineDiff(before, after, firstLine ?? 1), [before, after, firstLine]);
  return <DiffRows rows={rows} hasNumbers={firstLine !== null} />;
});

/** A patch with the line numbers of its file. */
export const PatchDiff = memo(({ hunks }: { readonly hunks: readonly Hunk[] }) => {
  const rows = useMemo(() => patchRows(hunks), [hunks]);
  return <DiffRows rows={rows} hasNumbers />;
});

const DiffRows = ({ rows, hasNumbers }: { readonly rows: readonly DiffRow[]; readonly hasNumbers: boolean }) => {
  const [isWhole, setIsWhole] = useState(false);
  if (rows.length === 0) return <p className="diff-none">No changes</p>;
  const shown = isWhole ? rows : rows.slice(0, MOST_SHOWN);
  const added = rows.filter(({ kind }) => kind === 'added').length;
  const removed = rows.filter(({ kind }) => kind === 'removed').length;
  return (
    <figure className="diff">
      <figcaption className="diff-head numbers">
        <span className="diff-count-added">+{countOf(added)}</span> <span className="diff-count-removed">−{countOf(removed)}</span>
        <span className="visually-hidden">
          {counted(added, 'line')} added, {counted(removed, 'line')} removed
        </span>
      </figcaption>
      <DiffTable rows={shown} hasNumbers={hasNumbers} />
      {shown.length < rows.length ? (
        <div className="diff-more">
          <Button size="small" variant="quiet" aria-expanded={false} onClick={() => setIsWhole(true)}>
            Show all {countOf(rows.length)} lines
          </Button>
        </div>
      ) : null}
    </figure>
  );
};

/** The lines of a diff, for components that show their number. */
export const DiffTable = memo(({ rows, hasNumbers }: { readonly rows: readonly DiffRow[]; readonly hasNumbers: boolean }) => (
  <Scroller className="diff-scroll" label="Changed lines">
    <table className="diff-table">
      <tbody>
        {rows.map((row, n) => (
          // Lines have no ids, and are never reordered.
          // oxlint-disable-next-line react/no-array-index-key
          <Row key={n} row={row} hasNumbers={hasNumbers} />
        ))}
      </tbody>
    </table>
  </Scroller>
));

const Row = ({ row, hasNumbers }: { readonly row: DiffRow; readonly hasNumbers: boolean }) =>
  row.kind === 'gap' ? (
    <tr className="diff-gap">
      <td colSpan={hasNumbers ? 4 : 2}>{counted(row.lines, 'line')} unchanged</td>
    </tr>
  ) : (
    <tr className={`diff-${row.kind}`}>
      {hasNumbers ? (
        <>
          <td className="diff-number">{row.kind === 'added' ? '' : row.before}</td>
          <td className="diff-number">{row.kind === 'removed' ? '' : row.after}</td>
        </>
      ) : null}
      <td className="diff-sign">{SIGNS[row.kind]}</td>
      <td className="diff-text">{printable(row.text)}</td>
    </tr>
  );

const SIGNS = { added: '+', removed: '−', same: '' } as const;

const MOST_SHOWN = 200;

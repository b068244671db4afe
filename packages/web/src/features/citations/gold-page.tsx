import { Sparkles } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'wouter';
import { useActor, useAsk, useBoard, usePending } from '../../live/hooks.tsx';
import { Button } from '../../ui/button.tsx';
import { Select, TextField } from '../../ui/field.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty, Failure, Skeleton } from '../../ui/state.tsx';
import { TextReadingProvider } from '../../ui/text-reading.tsx';
import { countOf } from '../../ui/wording.ts';
import { GoldCard, goldElementId } from './gold-card.tsx';
import { useGoldDesk } from './gold-desk.ts';
import { GoldDialog } from './gold-dialog.tsx';
import { GoldMatch } from './gold-match.tsx';
import './gold.css';
import { fitsGold, GOLD_FILTERS, toldRow, useGolds, type GoldFilter, type GoldRow } from './golds.ts';

/** Every waypoint on the board. */
export const GoldPage = () => (
  <TextReadingProvider>
    <AllGold />
  </TextReadingProvider>
);

const AllGold = () => {
  const [params, setParams] = useSearchParams();
  const show = params.get('show');
  const filter = GOLD_FILTERS.find((one) => one === params.get('status')) ?? 'all';
  const [text, setText] = useState('');
  const [isMarking, setIsMarking] = useState(false);
  const actor = useActor();
  const { rows, isLoading, error, isCut } = useGolds();
  const asked = useAskedFor(show, rows);
  const all = asked === null ? rows : [asked, ...rows];
  const chosen = all.filter((row) => isAskedFor(row, show) || fitsGold(row, filter, text));
  const chooseFilter = (next: string): void =>
    setParams((before) => {
      const after = new URLSearchParams(before);
      after.delete('show');
      if (next === 'all') after.delete('status');
      else after.set('status', next);
      return after;
    });
  return (
    <Page
      title="GOLD"
      layout="wide"
      subtitle={`Lessons that come back when the same symptoms appear. ${isCut ? 'Latest ' : ''}${countOf(all.length)} GOLD.`}
      actions={
        actor === null ? undefined : (
          <Button variant="primary" icon={Sparkles} onClick={() => setIsMarking(true)}>
            Mark as GOLD
          </Button>
        )
      }
    >
      <GoldMatch />
      <div className="gold-filter" role="search" aria-label="Filter GOLD">
        <TextField
          label="Filter"
          type="search"
          placeholder="Filter by insight, trigger or GOLD-3"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <Select label="Status" value={filter} choices={FILTER_CHOICES} onChange={(event) => chooseFilter(event.target.value)} />
      </div>
      {isLoading ? <Skeleton lines={8} /> : null}
      {error === null || error === undefined ? null : <Failure title="Couldn’t load all GOLD" error={error} />}
      <GoldList key={`${filter}|${show ?? ''}`} rows={chosen} show={show} />
      {isLoading || chosen.length > 0 ? null : <NoGold hasSome={all.length > 0} />}
      <GoldDialog isOpen={isMarking} onClose={() => setIsMarking(false)} sourceRefs={[]} />
    </Page>
  );
};

const GoldList = ({ rows, show }: { readonly rows: readonly GoldRow[]; readonly show: string | null }) => {
  const desk = useGoldDesk();
  const pending = usePending();
  const at = rows.findIndex((row) => isAskedFor(row, show));
  const [room, setRoom] = useState(AT_ONCE);
  const shown = rows.slice(0, Math.max(room, at + 1));
  const shownId = rows[at]?.gold.id;
  useEffect(() => {
    const row = rows.find(({ gold }) => gold.id === shownId);
    const element = row === undefined ? null : document.getElementById(goldElementId(row.gold));
    element?.scrollIntoView({ block: 'start' });
    element?.focus({ preventScroll: true });
    // Only when the address asks for another waypoint.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [shownId]);
  return (
    <>
      <div className="gold-cards">
        {shown.map((row) => (
          <GoldCard
            key={row.gold.id}
            row={row}
            desk={desk}
            isUnconfirmed={pending.has(row.gold.id) || desk.sending.has(row.gold.id)}
            isShown={row.gold.id === shownId}
          />
        ))}
      </div>
      {rows.length > shown.length ? (
        <Button onClick={() => setRoom(shown.length + AT_ONCE)}>{`Show ${countOf(Math.min(AT_ONCE, rows.length - shown.length))} more`}</Button>
      ) : null}
    </>
  );
};

const NoGold = ({ hasSome }: { readonly hasSome: boolean }) =>
  hasSome ? (
    <Empty icon={Sparkles} title="No matching GOLD">
      Try fewer words, or clear the filter.
    </Empty>
  ) : (
    <Empty icon={Sparkles} title="No GOLD yet">
      Mark a message or finding as GOLD to keep what you learned. Yarnboard shows it again when its triggers match.
    </Empty>
  );

/** The waypoint that the address asks for may be older than those listed. */
const useAskedFor = (show: string | null, rows: readonly GoldRow[]): GoldRow | null => {
  const isHere = show === null || rows.some((row) => isAskedFor(row, show));
  const { data } = useAsk('gold', { goldId: show ?? '' }, { isWanted: !isHere });
  return useBoard((board) => (isHere || data === undefined ? null : toldRow(board, data)), [isHere, data]);
};

const isAskedFor = ({ gold }: GoldRow, show: string | null): boolean => show !== null && (gold.ref === show.toUpperCase() || gold.id === show);

const FILTER_WORDS = {
  all: 'All',
  pending: 'To review',
  provisional: 'Provisional',
  confirmed: 'Confirmed',
  rejected: 'Rejected',
  superseded: 'Superseded',
} as const satisfies Record<GoldFilter, string>;

const FILTER_CHOICES = GOLD_FILTERS.map((value) => ({ value, label: FILTER_WORDS[value] }));

const AT_ONCE = 30;

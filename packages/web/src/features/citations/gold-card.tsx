import { isGoldResting, nameOfContext, sidebarIdOfContext, type Context, type Gold } from '@yarnboard/domain';
import { printable } from '@yarnboard/transcript';
import { Clock, Eye, Gavel, Link2, Sparkles, ThumbsUp } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useBoard, useCommand } from '../../live/hooks.tsx';
import { useVerdict } from '../../live/verdict.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { FoldedText } from '../../ui/folded-text.tsx';
import { Markdown } from '../../ui/markdown.tsx';
import { JudgementMark, ProvisionalMark, SupersededMark } from '../../ui/marks.tsx';
import { OnItsWayMark } from '../../shared/on-its-way-mark.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Reference, withReferences } from '../../ui/reference.tsx';
import { counted } from '../../ui/wording.ts';
import { ContextLink } from '../../shared/context-link.tsx';
import { EvidenceList } from '../../shared/evidence.tsx';
import { GoldAnswer } from '../../shared/gold-answer.tsx';
import '../scratchpad/judged-word.css';
import { Person } from '../../shared/people.tsx';
import { Refusal } from '../../shared/refusal.tsx';
import { TraceLink } from '../../shared/trace-link.tsx';
import type { GoldDesk } from './gold-desk.ts';
import { GoldJudgement } from './gold-judgement.tsx';
import { useGoldHome, type GoldRow } from './golds.ts';
import './gold.css';

export type GoldCardProps = {
  readonly row: GoldRow;
  readonly desk: GoldDesk;
  readonly isUnconfirmed: boolean;
  readonly isShown?: boolean;
};

/** PAGE-111: a waypoint: what was learned, how to reuse it, when to surface it, and how reliable it is. */
export const GoldCard = ({ row, desk, isUnconfirmed, isShown = false }: GoldCardProps) => {
  const { gold, foundIn } = row;
  const { id } = gold;
  useGoldHome(row);
  const verdict = useVerdict({ type: 'gold.validate', gold: id, status: 'pending', notes: '…' });
  const canJudge = verdict.refusal === null && !isUnconfirmed;
  const open = desk.open?.id === id ? desk.open : null;
  const refusal = desk.refusals.get(id) ?? null;
  const judge = (first: Gold['status']): void => desk.show({ id, status: first, seen: gold.status });
  const name = gold.ref === '' ? 'New GOLD' : gold.ref;
  return (
    <article id={goldElementId(gold)} className={`gold-card card${isShown ? ' gold-card-shown' : ''}`} aria-label={name} tabIndex={-1}>
      <header className="gold-head">
        <Sparkles className="gold-icon" aria-hidden />
        <span className="gold-name">{gold.ref === '' ? name : <Reference to={gold.ref} />}</span>
        {gold.ref === '' ? null : <CopyButton text={gold.ref} label={`Copy ${gold.ref}`} />}
        {gold.ref === '' ? null : <TraceLink to={gold.ref} />}
        <GoldMarks gold={gold} isUnconfirmed={isUnconfirmed} />
      </header>
      <div className="gold-insight">
        <FoldedText text={gold.keyInsight}>{(text) => <Markdown text={text} />}</FoldedText>
      </div>
      {gold.superseded === null ? null : <p className="gold-fallen">No longer valid: {withReferences(gold.superseded.why)}</p>}
      <Part title="How to reuse it">
        <FoldedText text={gold.reusePattern}>{(text) => <Markdown text={text} />}</FoldedText>
      </Part>
      <Part title="Triggers">
        <ul className="gold-conditions">
          {gold.triggerConditions.map((condition) => (
            <li key={condition}>{printable(condition)}</li>
          ))}
        </ul>
      </Part>
      <EvidenceList label="Evidence" refs={gold.sourceRefs} />
      <p className="gold-facts">
        <span>
          <Eye aria-hidden /> Shown {counted(gold.timesSurfaced, 'time')}
        </span>
        <span>
          <Link2 aria-hidden /> Cited {counted(gold.timesReferenced, 'time')}
        </span>
        {gold.timesUseful === 0 ? null : (
          <span>
            <ThumbsUp aria-hidden /> Useful {counted(gold.timesUseful, 'time')}
          </span>
        )}
        {gold.timesNotNow === 0 ? null : (
          <span>
            <Clock aria-hidden /> Not now {counted(gold.timesNotNow, 'time')}
          </span>
        )}
        {gold.confidence === null ? null : <span>{Math.round(gold.confidence * 100)}% confidence</span>}
      </p>
      <Resting gold={gold} />
      <Shown gold={gold} />
      <p className="byline">
        <Person id={gold.createdBy} isShort /> <Moment at={gold.createdAt} />
        <Home gold={gold} foundIn={foundIn} />
      </p>
      {gold.validatedBy === null ? null : (
        <div className="judged-word">
          {gold.validationNotes === null ? null : <FoldedText text={gold.validationNotes}>{(text) => <p>{withReferences(text)}</p>}</FoldedText>}
          <p className="byline">
            {WORDS[gold.status]} <Person id={gold.validatedBy} isShort /> <Moment at={gold.validatedAt} />
          </p>
        </div>
      )}
      {open === null ? (
        <>
          <Refusal text={refusal} />
          {canJudge ? (
            <div className="actions">
              <Button
                size="small"
                icon={Gavel}
                aria-label={`${gold.status === 'pending' ? 'Review' : 'Review again'} ${name}`}
                onClick={() => judge(gold.status === 'pending' ? 'confirmed' : gold.status)}
              >
                {gold.status === 'pending' ? 'Review' : 'Review again'}
              </Button>
            </div>
          ) : null}
        </>
      ) : (
        <GoldJudgement
          key={open.status}
          gold={gold}
          first={open.status}
          seen={open.seen}
          refusal={refusal}
          onCancel={() => desk.show(null)}
          onLook={judge}
          onJudge={(word) => desk.judge(gold, word)}
        />
      )}
    </article>
  );
};

export const goldElementId = ({ ref, id }: Pick<Gold, 'ref' | 'id'>): string => (ref === '' ? `gold-${id}` : ref);

export const GoldMarks = ({ gold, isUnconfirmed = false }: { readonly gold: Gold; readonly isUnconfirmed?: boolean }) => (
  <span className="gold-marks">
    {isUnconfirmed ? <OnItsWayMark id={gold.id} /> : null}
    {gold.superseded === null ? null : <SupersededMark why={gold.superseded.why} />}
    {gold.isProvisional ? <ProvisionalMark why="Becomes final once it’s confirmed and its sidebar has ended." /> : null}
    <JudgementMark status={gold.status} />
  </span>
);

/** PAGE-640: a waypoint that rests says so, and how to wake it. */
const Resting = ({ gold }: { readonly gold: Gold }) => {
  const { send, isSending, refusal } = useCommand('gold_answered');
  const useful = { type: 'gold.answer', gold: gold.id, answer: 'useful' } as const;
  const verdict = useVerdict(useful);
  if (!isGoldResting(gold)) return null;
  return (
    <div className="gold-resting">
      <p>Resting: “Not now” three times in a row. It no longer comes up.</p>
      {verdict.refusal === null ? (
        <Button
          size="small"
          isBusy={isSending}
          aria-label={`Bring back ${gold.ref}`}
          onClick={() => void send({ goldId: gold.ref, answer: 'useful' }, { proposal: useful })}
        >
          Bring back
        </Button>
      ) : null}
      <Refusal text={refusal} />
    </div>
  );
};

/** PAGE-640: the latest places where it surfaced and nobody has answered yet. */
const Shown = ({ gold }: { readonly gold: Gold }) => {
  const open = gold.shown.filter(({ answer }) => answer === null).slice(-MOST_ASKED);
  const places = useBoard((board) => open.map(({ contextId }) => nameOfContext(board, contextId)), [gold]);
  return open.length === 0 ? null : (
    <Part title="Did it help?">
      <ul className="gold-shown-in">
        {open.map(({ contextId, at }, n) => (
          <li key={contextId}>
            <ContextLink context={contextOf(contextId)} />
            <Moment at={at} />
            <GoldAnswer gold={gold} contextId={contextId} place={places[n] ?? contextId} />
          </li>
        ))}
      </ul>
    </Part>
  );
};

const contextOf = (contextId: string): Context => {
  const sidebarId = sidebarIdOfContext(contextId);
  return sidebarId === null ? { kind: 'session', sessionId: contextId } : { kind: 'sidebar', sidebarId };
};

const MOST_ASKED = 3;

const Part = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <div className="gold-part">
    <p className="gold-part-title">{title}</p>
    {children}
  </div>
);

const Home = ({ gold, foundIn }: GoldRow) => {
  if (/^SB-\d+$/u.test(foundIn)) {
    return (
      <span>
        in <Link href={`/sidebars/${foundIn}`}>{foundIn}</Link>
      </span>
    );
  }
  return sidebarIdOfContext(gold.createdIn) === null ? <span>on the board</span> : null;
};

const WORDS = { pending: 'Left pending by', confirmed: 'Confirmed by', rejected: 'Rejected by' } as const satisfies Record<Gold['status'], string>;

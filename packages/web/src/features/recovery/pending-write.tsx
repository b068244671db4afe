import { printable, printableLine } from '@yarnboard/transcript';
import { CircleCheck, GitCompareArrows, Trash2, type LucideIcon } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { Person } from '../../shared/people.tsx';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { FoldedText } from '../../ui/folded-text.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Reference, withReferences } from '../../ui/reference.tsx';
import { countOf } from '../../ui/wording.ts';
import { kindOf, type Write } from './recovery-words.ts';

export type PendingWriteProps = {
  readonly write: Write;
  readonly isSkipped: boolean;
  readonly canAct: boolean;
  readonly onReplay: () => void;
  readonly onSkip: () => void;
  readonly onDiscard: () => void;
};

/** PAGE-442: a queued item in readable form: who, when, where, its words, and what it would do now. */
export const PendingWrite = ({ write, isSkipped, canAct, onReplay, onSkip, onDiscard }: PendingWriteProps) => {
  const { n, sender, queuedAt, context, words, wouldDo } = write;
  const standing = standingOf(write);
  const name = `${kindOf(write)} ${n}`;
  const listen = (event: KeyboardEvent<HTMLLIElement>): void => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    const key = event.key.toLowerCase();
    if (key === 'arrowdown' || key === 'arrowup') {
      event.preventDefault();
      neighbour(event.currentTarget, key === 'arrowdown')?.focus();
    } else if (canAct && (key === 'y' || key === 'n')) {
      event.preventDefault();
      neighbour(event.currentTarget, true)?.focus();
      if (key === 'y') onReplay();
      else onSkip();
    }
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- its keys are shortcuts for the buttons in it
    <li
      className={`recovery-write${isSkipped ? ' recovery-write-skipped' : ''}`}
      aria-label={`${name} from ${printableLine(sender)}`}
      aria-keyshortcuts={canAct ? 'y n' : undefined}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- so that the keys reach it
      tabIndex={0}
      data-write={n}
      onKeyDown={listen}
    >
      <header className="recovery-write-head">
        <span className="recovery-write-kind">{name}</span>
        <Person id={sender} isShort />
        <span className="small soft">
          <Moment at={queuedAt} />
          {context === null ? '' : ' in '}
          {context === null ? null : <Reference to={context} />}
        </span>
        <Badge tone={standing.tone} {...(standing.icon === null ? {} : { icon: standing.icon })}>
          {isSkipped && canAct ? 'skipped' : standing.word}
        </Badge>
      </header>
      {standing.isConflict ? (
        <Compared write={write} />
      ) : (
        <>
          <Words text={words ?? wouldDo} />
          {standing.more === null ? null : <p className="small soft">{withReferences(standing.more)}</p>}
        </>
      )}
      {canAct ? (
        <div className="actions">
          <Button size="small" onClick={onReplay} aria-label={`Replay ${name}`}>
            {standing.isConflict ? 'Try again' : 'Replay'}
          </Button>
          <Button size="small" variant="quiet" aria-pressed={isSkipped} onClick={onSkip} aria-label={`${isSkipped ? 'Include' : 'Skip'} ${name}`}>
            {isSkipped ? 'Include' : 'Skip'}
          </Button>
          <Button size="small" variant="quiet" icon={Trash2} onClick={onDiscard} aria-label={`Discard ${name}`}>
            Discard…
          </Button>
        </div>
      ) : null}
    </li>
  );
};

/** PAGE-443: the queued item beside what conflicts with it now. */
const Compared = ({ write: { words, wouldDo, now, message, code, context } }: { readonly write: Write }) => (
  <div className="recovery-compared">
    <section aria-label="Queued">
      <h4>Queued</h4>
      <Words text={words ?? wouldDo} />
    </section>
    <section aria-label="Now">
      <h4>Now</h4>
      <p>{withReferences(now?.kind === 'conflict' ? now.message : (message ?? 'It can’t be saved as it is.'))}</p>
      <p className="small soft">
        {now?.code ?? code ?? ''}
        {context === null ? null : (
          <>
            {' · '}
            <Reference to={context}>Open {printableLine(context)}</Reference>
          </>
        )}
      </p>
    </section>
  </div>
);

const Words = ({ text }: { readonly text: string }) => (
  <div className="recovery-words">
    <FoldedText text={text} most={MOST_WORDS}>
      {(shown) => <p>{printable(shown)}</p>}
    </FoldedText>
  </div>
);

type Standing = {
  readonly word: string;
  readonly tone: Tone;
  readonly icon: LucideIcon | null;
  readonly more: string | null;
  readonly isConflict: boolean;
};

const standingOf = ({ outcome, now, refs, position }: Write): Standing => {
  const plain = { icon: null, more: null, isConflict: false };
  const at = position === null ? '' : `Entry ${countOf(position)}`;
  switch (outcome) {
    case 'replayed':
    case 'known':
      return { ...plain, word: 'on the log', tone: 'good', icon: CircleCheck, more: [at, ...refs].filter((part) => part !== '').join(', ') || null };
    case 'discarded':
      return { ...plain, word: 'discarded', tone: 'plain', icon: Trash2 };
    case 'pending':
    case 'conflict':
      break;
    default:
      return outcome;
  }
  if (now?.kind === 'known') return { ...plain, word: 'already on the log', tone: 'info', icon: CircleCheck, more: now.message };
  if (now?.kind === 'conflict' || (now === null && outcome === 'conflict'))
    return { ...plain, word: 'conflict', tone: 'bad', icon: GitCompareArrows, isConflict: true };
  return { ...plain, word: now === null ? 'queued' : 'can be saved', tone: 'info' };
};

const neighbour = (from: HTMLElement, isNext: boolean): HTMLElement | null => {
  const found = isNext ? from.nextElementSibling : from.previousElementSibling;
  return found instanceof HTMLElement ? found : null;
};

const MOST_WORDS = 600;

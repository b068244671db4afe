import { CornerDownRight, Quote, Reply, Sparkles } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import { IconButton } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Markdown } from '../../ui/markdown.tsx';
import { OnItsWayMark } from '../../shared/on-its-way-mark.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Reference } from '../../ui/reference.tsx';
import { nameOf } from '../../shared/names.ts';
import { RememberButton } from '../../shared/remember.tsx';
import { TraceLink } from '../../shared/trace-link.tsx';
import { useMarkAsGold } from '../citations/gold-marking.tsx';
import { FindingTitles, isFinding } from './finding-titles.tsx';
import type { Said } from './talk.ts';
import './talk-message.css';

export type TalkMessageProps = {
  readonly said: Said;
  readonly isMine: boolean;
  /** Null if the conversation is closed. */
  readonly onReply: ((said: Said) => void) | null;
  readonly onCite: ((ref: string) => void) | null;
  /** The sidebar to remember it for; by default the one it was said in. */
  readonly keptFor?: string;
  /** Additional content or actions. */
  readonly extra?: ReactNode;
};

/** One message of a conversation, with its actions. */
export const TalkMessage = memo(({ said, isMine, onReply, onCite, keptFor, extra }: TalkMessageProps) => {
  const { ref, sender, senderType, at, text, citations, inReplyTo, isOnItsWay } = said;
  const markAsGold = useMarkAsGold();
  const kind = senderType === 'human' || senderType === 'agent' ? senderType : 'system';
  const shown = text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
  const beyond = citations.filter((one) => !text.includes(one));
  return (
    <article
      className={`talk-message talk-message-${kind}${isMine ? ' talk-message-mine' : ''}${isOnItsWay ? ' talk-message-coming' : ''}`}
      id={ref ?? undefined}
    >
      <header className="talk-message-head">
        <span className="talk-message-sender one-line">{nameOf(sender)}</span>
        {ref === null ? null : <Reference to={ref} />}
        {inReplyTo === null ? null : (
          <span className="talk-message-reply">
            <CornerDownRight aria-hidden />
            <span className="visually-hidden">in reply to </span>
            <Reference to={inReplyTo} />
          </span>
        )}
        <span className="talk-message-when">{at === null ? null : <Moment at={at} />}</span>
        {isOnItsWay ? <OnItsWayMark id={said.key} /> : null}
        <span className="talk-message-deeds">
          {ref === null || onReply === null ? null : <IconButton icon={Reply} label={`Reply to ${ref}`} size="small" onClick={() => onReply(said)} />}
          {ref === null || onCite === null ? null : <IconButton icon={Quote} label={`Cite ${ref}`} size="small" onClick={() => onCite(ref)} />}
          {ref === null || onCite === null ? null : <RememberButton refText={ref} sidebarId={keptFor} />}
          {ref === null || onCite === null || markAsGold === null ? null : (
            <IconButton icon={Sparkles} label={`Mark ${ref} as GOLD`} size="small" onClick={() => markAsGold(ref)} />
          )}
          {ref === null ? null : <TraceLink to={ref} />}
          {ref === null ? null : <CopyButton text={ref} label={`Copy ${ref}`} />}
        </span>
      </header>
      <div className="talk-message-text">
        {text === '' ? (
          <p className="faint small">no text</p>
        ) : kind === 'system' && citations.some(isFinding) ? (
          <FindingTitles refs={citations}>
            <Markdown text={shown} />
          </FindingTitles>
        ) : (
          <Markdown text={shown} />
        )}
      </div>
      {beyond.length === 0 ? null : (
        <p className="talk-message-cites">
          <span>cites</span>
          {beyond.slice(0, MOST_CITED).map((one) => (
            <Reference key={one} to={one} />
          ))}
          {beyond.length > MOST_CITED ? <span>and {beyond.length - MOST_CITED} more</span> : null}
        </p>
      )}
      {extra}
    </article>
  );
});

const MOST_SHOWN = 20_000;
const MOST_CITED = 12;

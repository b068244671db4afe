import { printableLine } from '@yarnboard/transcript';
import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useAsk } from '../../live/hooks.tsx';
import { IconButton } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Moment } from '../../ui/moment.tsx';
import { countOf } from '../../ui/wording.ts';
import { Highlighted } from '../../shared/highlighted.tsx';
import { TYPING_MS, useSettled } from '../../shared/settled.ts';
import './find-bar.css';

type FindBarProps = {
  readonly sessionId: string;
  /** Goes to a hit; `words` are the words found there, in lower case. */
  readonly onGo: (ref: string, thread: string | null, words: readonly string[]) => void;
  readonly onClose: () => void;
};

/** PAGE-23: finds words in this session; each hit is a click or a key away. */
export const FindBar = ({ sessionId, onGo, onClose }: FindBarProps) => {
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const words = useSettled(text.trim(), TYPING_MS);
  // A choice among the hits for other words doesn't apply to these.
  const [choice, setChoice] = useState({ words, n: -1 });
  const chosen = choice.words === words ? choice.n : -1;
  const { data, error, isFetching } = useAsk(
    'search',
    { q: words, session: sessionId, limit: MOST },
    { isWanted: words.length >= 2, keepsPrevious: words.length >= 2, isGivenUp: true },
  );
  // In session order, not by relevance.
  const hits = useMemo(() => data?.items.toSorted((a, b) => a.position - b.position) ?? [], [data]);
  useEffect(() => input.current?.focus(), []);

  const go = (n: number): void => {
    const hit = hits[(n + hits.length) % Math.max(1, hits.length)];
    if (hit === undefined) return;
    setChoice({ words, n: (n + hits.length) % hits.length });
    const ref = hit.uuid ?? hit.ref;
    if (ref !== null) onGo(ref, hit.agentId, foundIn(hit));
  };

  const isEmpty = words.length < 2;
  const told = isEmpty
    ? ''
    : error !== null
      ? error.message
      : data === undefined || isFetching
        ? 'Searching'
        : foundText(hits.length, chosen, data.nextCursor !== null);
  return (
    <search className="find-bar">
      <div className="find-bar-line">
        <TextField
          ref={input}
          type="search"
          label="Find in this session"
          isLabelHidden
          placeholder="Find in this session"
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') go(event.shiftKey ? (chosen < 0 ? -1 : chosen - 1) : chosen + 1);
            if (event.key === 'Escape') {
              event.preventDefault();
              onClose();
            }
          }}
        />
        <span className="find-bar-count numbers" role="status">
          {told}
        </span>
        <IconButton
          icon={ChevronUp}
          label="Previous match"
          size="small"
          disabled={hits.length === 0}
          onClick={() => go(chosen < 0 ? -1 : chosen - 1)}
        />
        <IconButton icon={ChevronDown} label="Next match" size="small" disabled={hits.length === 0} onClick={() => go(chosen + 1)} />
        <IconButton icon={X} label="Close find" size="small" onClick={onClose} />
      </div>
      {isEmpty || hits.length === 0 ? null : (
        <ol className="find-bar-hits">
          {hits.map((hit, n) => (
            <li key={`${hit.position} ${hit.uuid ?? ''}`}>
              <button type="button" className="find-bar-hit" aria-current={n === chosen ? 'true' : undefined} onClick={() => go(n)}>
                <span className="find-bar-who numbers">
                  {hit.ref ?? printableLine(hit.type)}
                  {hit.agentId === null ? '' : ' · sub-agent'}
                </span>
                <span className="find-bar-text">
                  <Highlighted text={hit.snippet} places={hit.highlights} />
                </span>
                <span className="find-bar-when">
                  <Moment at={hit.timestamp} />
                </span>
              </button>
            </li>
          ))}
        </ol>
      )}
    </search>
  );
};

/** The distinct words that were found, in the form they have in the hit. */
const foundIn = ({
  snippet,
  highlights,
}: {
  readonly snippet: string;
  readonly highlights: readonly { readonly from: number; readonly to: number }[];
}) => [...new Set(highlights.map(({ from, to }) => snippet.slice(from, to).trim().toLowerCase()).filter((word) => word !== ''))];

const foundText = (count: number, chosen: number, hasMore: boolean): string => {
  if (count === 0) return 'No matches';
  const all = `${countOf(count)}${hasMore ? '+' : ''}`;
  return chosen < 0 ? `${all} found` : `${countOf(chosen + 1)} of ${all}`;
};

const MOST = 100;

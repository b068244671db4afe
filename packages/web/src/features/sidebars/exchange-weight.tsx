import { activeFocus, RELEVANCES, relevanceScores, type Sidebar } from '@yarnboard/domain';
import { Pin, PinOff, Scale } from 'lucide-react';
import { useActor, useCommand } from '../../live/hooks.tsx';
import { Badge } from '../../ui/badge.tsx';
import { IconButton } from '../../ui/button.tsx';
import './exchange-weight.css';
import { nameOf } from '../../shared/names.ts';
import { Refusal } from '../../shared/refusal.tsx';

const WORDS = ['HIGH', 'MEDIUM', 'LOW'] as const;
type Word = (typeof WORDS)[number];

const wordOf = (score: number): Word => (score >= 0.7 ? 'HIGH' : score <= 0.3 ? 'LOW' : 'MEDIUM');

/** How relevant an inherited exchange is: all ratings, your own, and whether it is in focus. */
export const ExchangeWeight = ({ sidebar, exchange, canAct }: { readonly sidebar: Sidebar; readonly exchange: string; readonly canAct: boolean }) => {
  const actor = useActor();
  const score = useCommand('relevance_score');
  const focus = useCommand('focus_set');
  const scores = sidebar.relevance[exchange] ?? {};
  const agreed = relevanceScores(sidebar)[exchange];
  const mine = actor === null ? undefined : scores[actor.id];
  const isInFocus = activeFocus(sidebar).includes(exchange);
  const isDisputed = sidebar.disputes.some((dispute) => dispute.exchange === exchange);
  const says = Object.entries(scores)
    .map(([agent, one]) => `${nameOf(agent)}: ${wordOf(one)}`)
    .join(', ');
  if (!canAct && agreed === undefined && !isInFocus) return null;

  const rate = (word: Word): void => {
    const proposal = { type: 'relevance.score', sidebar: sidebar.id, scores: { [exchange]: RELEVANCES[word] } } as const;
    void score.send({ sidebarId: sidebar.id, scores: { [exchange]: word } }, { proposal });
  };
  const pin = (): void => {
    const change = isInFocus ? { remove: [exchange] } : { add: [exchange] };
    void focus.send({ sidebarId: sidebar.id, ...change }, { proposal: { type: 'focus.change', sidebar: sidebar.id, ...change } });
  };
  return (
    <div className="exchange-weight">
      {agreed === undefined ? null : (
        <Badge tone={TONES[wordOf(agreed)]} icon={Scale} title={says}>
          {wordOf(agreed)} {agreed}
        </Badge>
      )}
      {isInFocus ? (
        <Badge tone="accent" icon={Pin} title="Everyone rated it HIGH, or someone pinned it">
          in focus
        </Badge>
      ) : null}
      {isDisputed ? (
        <Badge tone="warn" title={says}>
          disputed
        </Badge>
      ) : null}
      {canAct ? (
        <span className="exchange-weight-deeds">
          <span className="exchange-weight-words" role="group" aria-label={`Relevance of ${exchange}`}>
            {WORDS.map((word) => (
              <button
                key={word}
                type="button"
                className="exchange-weight-word"
                aria-pressed={mine !== undefined && wordOf(mine) === word}
                onClick={() => rate(word)}
              >
                {word}
              </button>
            ))}
          </span>
          <IconButton
            icon={isInFocus ? PinOff : Pin}
            label={isInFocus ? `Remove ${exchange} from focus` : `Add ${exchange} to focus`}
            size="small"
            onClick={pin}
          />
        </span>
      ) : null}
      <Refusal text={score.refusal ?? focus.refusal} />
    </div>
  );
};

const TONES = { HIGH: 'good', MEDIUM: 'info', LOW: 'plain' } as const;

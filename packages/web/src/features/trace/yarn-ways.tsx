import { wordOfString } from '@yarnboard/protocol';
import { ArrowRight, X } from 'lucide-react';
import { Fragment } from 'react';
import { IconButton } from '../../ui/button.tsx';
import { counted } from '../../ui/wording.ts';
import { nameOfCard } from './card-words.ts';
import type { YarnBoard } from './yarn-board.ts';

export type YarnWaysProps = {
  readonly board: YarnBoard;
  /** One or two cards. */
  readonly chosen: readonly string[];
  readonly ways: readonly (readonly string[])[] | null;
  readonly onVisit: (ref: string) => void;
  readonly onClear: () => void;
};

/** PAGE-239: the ways between two chosen cards. */
export const YarnWays = ({ board, chosen: [from = '', to], ways, onVisit, onClear }: YarnWaysProps) => {
  const nameFor = (ref: string): string => {
    const card = board.cards.get(ref);
    return card === undefined ? ref : nameOfCard(card.node);
  };
  return (
    <section className="yarn-ways" aria-label="Ways between two cards">
      <p role="status">
        {to === undefined
          ? `${nameFor(from)} is chosen. Choose another card to see the ways between them.`
          : ways === null
            ? `Looking for ways from ${nameFor(from)} to ${nameFor(to)}…`
            : ways.length === 0
              ? `No way from ${nameFor(from)} to ${nameFor(to)} within 12 steps.`
              : `${counted(ways.length, 'way')} from ${nameFor(from)} to ${nameFor(to)}`}
      </p>
      <IconButton icon={X} label="Clear choice" size="small" onClick={onClear} />
      {ways === null || ways.length === 0 ? null : (
        <ol>
          {ways.map((way) => (
            <li key={way.join(' ')}>
              {way.map((ref, n) => (
                <Fragment key={ref}>
                  {n === 0 ? null : (
                    <span className="soft">
                      {wordBetween(board, way[n - 1] ?? '', ref)} <ArrowRight aria-hidden />
                    </span>
                  )}
                  <button type="button" className="yarn-way-stop" onClick={() => onVisit(ref)}>
                    {nameFor(ref)}
                  </button>
                </Fragment>
              ))}
            </li>
          ))}
        </ol>
      )}
    </section>
  );
};

const wordBetween = ({ strings }: YarnBoard, a: string, b: string): string => {
  const string = strings.find(({ from, to }) => (from === a && to === b) || (from === b && to === a));
  return string === undefined ? '' : wordOfString(string, a);
};

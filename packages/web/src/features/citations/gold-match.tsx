import { Search } from 'lucide-react';
import { useState, type SyntheticEvent } from 'react';
import { useAsk, useBoard } from '../../live/hooks.tsx';
import { Button } from '../../ui/button.tsx';
import { TextArea } from '../../ui/field.tsx';
import { Reference } from '../../ui/reference.tsx';
import { Failure } from '../../ui/state.tsx';
import { GoldMarks } from './gold-card.tsx';
import './gold.css';
import { toldRow } from './golds.ts';
import { inShort } from '../../shared/reference-gist.tsx';

/** PAGE-113: which GOLD a text matches, with the score and the trigger. */
export const GoldMatch = () => {
  const [text, setText] = useState('');
  const [asked, setAsked] = useState('');
  const { data, error, isFetching, refetch } = useAsk('gold_match', { text: asked }, { isWanted: asked !== '' });
  const matches = useBoard(
    (board) => (data?.matches ?? []).map(({ gold, score, condition }) => ({ row: toldRow(board, gold), score, condition })),
    [data],
  );
  return (
    <details className="gold-match card">
      <summary>Test a text against GOLD</summary>
      <form
        className="gold-form"
        onSubmit={(event: SyntheticEvent) => {
          event.preventDefault();
          if (text.trim() === asked) void refetch();
          else setAsked(text.trim());
        }}
      >
        <TextArea
          label="Message, error or log line"
          required
          rows={3}
          maxLength={8000}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <div className="actions">
          <Button type="submit" variant="primary" size="small" icon={Search} isBusy={isFetching}>
            Test
          </Button>
        </div>
      </form>
      <div role="status">
        {error === null ? null : <Failure title="Couldn’t test" error={error} />}
        {asked !== '' && data !== undefined && matches.length === 0 ? (
          <p className="small soft">No matches. GOLD matches on its triggers, not its topic.</p>
        ) : null}
        {matches.length === 0 ? null : (
          <ol className="gold-matches" aria-label="Matching GOLD">
            {matches.map(({ row: { gold }, score, condition }) => (
              <li key={gold.id}>
                <div className="gold-match-head">
                  <Reference to={gold.ref} />
                  <GoldMarks gold={gold} />
                  <span className="gold-score">
                    <meter min={0} max={1} value={score} aria-label={`Score of ${gold.ref}`} />
                    <span className="numbers">{Math.round(score * 100)}%</span>
                  </span>
                </div>
                <p>{inShort(gold.keyInsight, 200)}</p>
                <p className="small soft">
                  Matched trigger: <q>{condition}</q>
                </p>
              </li>
            ))}
          </ol>
        )}
      </div>
    </details>
  );
};

import type { Sidebar } from '@yarnboard/domain';
import { isEnded, scratchpadRefOf } from '@yarnboard/domain';
import { CircleAlert, CircleCheck } from 'lucide-react';
import { useBoard } from '../../live/hooks.tsx';
import { useVerdict } from '../../live/verdict.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Reference, withReferences } from '../../ui/reference.tsx';
import { stepsOf } from './readiness.ts';

/** PAGE-106: what is still missing before the sidebar can be merged. */
export const ReadinessCard = ({ sidebar }: { readonly sidebar: Sidebar }) => {
  const steps = useBoard((board) => stepsOf(board, sidebar), [sidebar]);
  const { refusal } = useVerdict({ type: 'sidebar.consolidate', sidebar: sidebar.id });
  if (isEnded(sidebar.status)) return <Ended sidebar={sidebar} />;
  // The list already names the findings to review.
  const why = steps.some(({ id, isDone }) => id === 'judged' && !isDone) ? 'Review them to continue.' : (refusal ?? '');
  const isUnderway = sidebar.status === 'CONSOLIDATING';
  return (
    <section className="scratchpad-about card" aria-labelledby="scratchpad-readiness">
      <Head sidebar={sidebar} id="scratchpad-readiness" title="Before merging" />
      <ul className="readiness">
        {steps.map(({ id, isDone, text, refs }) => (
          <li key={id} className={isDone ? 'readiness-done' : 'readiness-open'}>
            {isDone ? <CircleCheck aria-label="done" /> : <CircleAlert aria-label="missing" />}
            <span>
              {text}
              {refs.length === 0 ? null : (
                <span className="readiness-refs">
                  {refs.slice(0, MOST_NAMED).map((ref) => (
                    <Reference key={ref} to={ref} />
                  ))}
                  {refs.length > MOST_NAMED ? <span className="faint">and {refs.length - MOST_NAMED} more</span> : null}
                </span>
              )}
            </span>
          </li>
        ))}
      </ul>
      <p className="small soft">{isUnderway ? 'Merge in preparation.' : refusal === null ? 'Ready to merge.' : withReferences(why)}</p>
    </section>
  );
};

const Ended = ({ sidebar }: { readonly sidebar: Sidebar }) => (
  <section className="scratchpad-about card" aria-labelledby="scratchpad-summary">
    <Head sidebar={sidebar} id="scratchpad-summary" title="Outcome" />
    <p>{withReferences(sidebar.scratchpad.finalSummary ?? sidebar.archive?.summary ?? 'Ended without a summary.')}</p>
  </section>
);

const Head = ({ sidebar, id, title }: { readonly sidebar: Sidebar; readonly id: string; readonly title: string }) => {
  const ref = scratchpadRefOf(sidebar.ref);
  return (
    <header className="finding-head">
      <h2 id={id}>{title}</h2>
      <span className="scratchpad-ref tiny faint numbers">{ref}</span>
      <CopyButton text={ref} label={`Copy ${ref}`} />
    </header>
  );
};

const MOST_NAMED = 5;

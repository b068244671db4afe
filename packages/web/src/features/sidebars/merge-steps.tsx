import { Check } from 'lucide-react';
import './merge-steps.css';

const STEPS = ['Prepare', 'Review', 'Approve and merge'] as const;

/** PAGE-181: the steps of a merge, with the current one marked. */
export const MergeSteps = ({ at }: { readonly at: 1 | 2 | 3 }) => (
  <ol className="merge-steps" aria-label="Steps of a merge">
    {STEPS.map((word, n) => {
      const isDone = n + 1 < at;
      const isNow = n + 1 === at;
      return (
        <li key={word} className={isDone ? 'merge-step-done' : isNow ? 'merge-step-now' : ''} aria-current={isNow ? 'step' : undefined}>
          <span className="merge-step-mark" aria-hidden>
            {isDone ? <Check /> : n + 1}
          </span>
          {word}
          {isDone ? <span className="visually-hidden">, done</span> : null}
        </li>
      );
    })}
  </ol>
);

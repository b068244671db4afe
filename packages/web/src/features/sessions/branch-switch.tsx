import { ChevronLeft, ChevronRight, GitFork } from 'lucide-react';
import { IconButton } from '../../ui/button.tsx';
import { useFlowDeeds } from './flow-context.ts';
import type { Step } from './flow-pages.ts';

/** PAGE-22: here the conversation went more than one way; the others are a click away. */
export const BranchSwitch = ({ branch }: { readonly branch: NonNullable<Step['branch']> }) => {
  const { takeBranch } = useFlowDeeds();
  const { at, of, choices } = branch;
  const before = choices[at - 2];
  const next = choices[at];
  return (
    <div className="step-branch" role="group" aria-label="Branches">
      <IconButton
        icon={ChevronLeft}
        label="Previous branch"
        size="small"
        disabled={before === undefined}
        onClick={() => (before === undefined ? undefined : takeBranch(before))}
      />
      <span className="step-branch-text numbers">
        <GitFork aria-hidden />
        {at} of {of}
      </span>
      <IconButton
        icon={ChevronRight}
        label="Next branch"
        size="small"
        disabled={next === undefined}
        onClick={() => (next === undefined ? undefined : takeBranch(next))}
      />
    </div>
  );
};

import type { UseQueryResult } from '@tanstack/react-query';
import { useId, type ReactNode } from 'react';
import { Count } from '../ui/badge.tsx';
import { Failure, Skeleton } from '../ui/state.tsx';
import './section.css';

type SectionProps = {
  readonly title: string;
  /** The count, beside the title. */
  readonly count?: number | undefined;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
};

/** A part of a view with a heading of its own. */
export const Section = ({ title, count, actions, children }: SectionProps) => {
  const id = useId();
  return (
    <section className="section" aria-labelledby={id}>
      <header className="section-head">
        <h2 className="section-title">
          <span id={id}>{title}</span>
          {count === undefined || count === 0 ? null : <Count of={count} />}
        </h2>
        {actions === undefined ? null : <div className="section-actions">{actions}</div>}
      </header>
      {children}
    </section>
  );
};

/** An answer once it is there; until then a placeholder, or the reason why there is none. If a repeated query fails, the previous answer stays. */
export const Answered = <T,>({
  query,
  what,
  lines = 3,
  children,
}: {
  readonly query: UseQueryResult<T>;
  /** "The sessions", at the start of a sentence. */
  readonly what: string;
  readonly lines?: number;
  readonly children: (data: T) => ReactNode;
}) => {
  if (query.data !== undefined) return children(query.data);
  if (query.error !== null) return <Failure title={`Couldn’t load ${what}`} error={query.error} onRetry={() => void query.refetch()} />;
  return <Skeleton lines={lines} label={`Loading ${what}`} />;
};

import { printable, printableLine } from '@yarnboard/transcript';
import { CircleAlert, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import './state.css';

/** An empty state, with the next step. */
export const Empty = ({
  icon: Icon,
  title,
  children,
  action,
}: {
  readonly icon: LucideIcon;
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}) => (
  <div className="state">
    <Icon className="state-icon" aria-hidden />
    <p className="state-title">{printableLine(title)}</p>
    {children === undefined ? null : <div className="state-text">{children}</div>}
    {action}
  </div>
);

/** A failure: what went wrong, and a way to retry. */
export const Failure = ({ title, error, onRetry }: { readonly title: string; readonly error: unknown; readonly onRetry?: () => void }) => (
  <div className="state state-bad" role="alert">
    <CircleAlert className="state-icon" aria-hidden />
    <p className="state-title">{printableLine(title)}</p>
    <p className="state-text">{printable(error instanceof Error ? error.message : String(error))}</p>
    {onRetry === undefined ? null : <Button onClick={onRetry}>Try again</Button>}
  </div>
);

/** A placeholder in the shape of the content to come. */
export const Skeleton = ({ lines = 3, label = 'Loading' }: { readonly lines?: number; readonly label?: string }) => (
  <div className="skeleton" role="status">
    <span className="visually-hidden">{printableLine(label)}</span>
    {Array.from({ length: lines }, (_, n) => (
      <span key={n} className="skeleton-line" style={{ width: `${[92, 78, 85, 60, 88, 70][n % 6] ?? 80}%` }} aria-hidden />
    ))}
  </div>
);

import { printableLine } from '@yarnboard/transcript';
import { useId, type ReactNode } from 'react';
import './sidebar-details.css';

/** One section of a sidebar's details. */
export const DetailsSection = ({
  title,
  action,
  children,
}: {
  readonly title: string;
  readonly action?: ReactNode;
  readonly children: ReactNode;
}) => {
  const id = useId();
  return (
    <section className="details-section" aria-labelledby={id}>
      <header className="details-head">
        <h2 id={id} className="details-title">
          {printableLine(title)}
        </h2>
        {action}
      </header>
      {children}
    </section>
  );
};

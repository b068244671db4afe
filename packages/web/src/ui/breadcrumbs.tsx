import { ChevronRight } from 'lucide-react';
import { Children, type ReactNode } from 'react';
import './breadcrumbs.css';

/** The path to the current place: each child is a step, outermost first. */
export const Breadcrumbs = ({ label = 'Breadcrumbs', children }: { readonly label?: string; readonly children: ReactNode }) => (
  <nav aria-label={label}>
    <ol className="breadcrumbs">
      {Children.toArray(children).map((crumb, n) => (
        // Their order is fixed, and they have no other ids.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={n}>
          {n === 0 ? null : <ChevronRight aria-hidden />}
          {crumb}
        </li>
      ))}
    </ol>
  </nav>
);

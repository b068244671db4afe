import { ChevronRight } from 'lucide-react';
import { Children, type ReactNode } from 'react';
import './breadcrumbs.css';

/** The way to where one is: each child is a step of it, the first one the outermost. */
export const Breadcrumbs = ({ label = 'Breadcrumbs', children }: { readonly label?: string; readonly children: ReactNode }) => (
  <nav aria-label={label}>
    <ol className="breadcrumbs">
      {Children.toArray(children).map((crumb, n) => (
        // They stand in the order they are in, and have nothing else to be told apart by.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={n}>
          {n === 0 ? null : <ChevronRight aria-hidden />}
          {crumb}
        </li>
      ))}
    </ol>
  </nav>
);

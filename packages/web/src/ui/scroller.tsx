import type { ReactNode } from 'react';

/** A place that scrolls inside; whoever has no mouse reaches it, too. */
export const Scroller = ({ label, className, children }: { readonly label: string; readonly className: string; readonly children: ReactNode }) => (
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must take the focus
  <div className={className} role="group" aria-label={label} tabIndex={0}>
    {children}
  </div>
);

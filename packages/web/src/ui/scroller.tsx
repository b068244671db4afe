import type { ReactNode } from 'react';

/** A scrolling area that the keyboard can reach. */
export const Scroller = ({ label, className, children }: { readonly label: string; readonly className: string; readonly children: ReactNode }) => (
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must take the focus
  <div className={className} role="group" aria-label={label} tabIndex={0}>
    {children}
  </div>
);

import type { ReactNode } from 'react';
import './facts.css';

/** Names and values, one below the other. */
export const Facts = ({ children }: { readonly children: ReactNode }) => <dl className="facts">{children}</dl>;

export const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div className="fact">
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

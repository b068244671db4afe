import { printable, printableLine } from '@yarnboard/transcript';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import './badge.css';
import { countOf } from './wording.ts';

export const TONES = ['plain', 'accent', 'good', 'warn', 'bad', 'info', 'gold', 'violet'] as const;
export type Tone = (typeof TONES)[number];

/** A word for a status; never by its colour alone. */
export const Badge = ({
  tone = 'plain',
  icon: Icon,
  children,
  title,
}: {
  readonly tone?: Tone;
  readonly icon?: LucideIcon;
  readonly children: ReactNode;
  readonly title?: string;
}) => (
  <span className={`badge badge-${tone}`} title={title === undefined ? undefined : printable(title)}>
    {Icon === undefined ? null : <Icon aria-hidden />}
    {typeof children === 'string' ? printableLine(children) : children}
  </span>
);

/** A count, beside what it counts. */
export const Count = ({ of }: { readonly of: number }) => <span className="count numbers">{countOf(of)}</span>;

/** Something is happening here right now. */
export const LiveDot = ({ label }: { readonly label: string }) => (
  <span className="live-dot">
    <span className="live-dot-light" aria-hidden />
    {label}
  </span>
);

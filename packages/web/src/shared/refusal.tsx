import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { withReferences } from '../ui/reference.tsx';
import './refusal.css';

/** Why something failed, shown where it was tried, and what helps. */
export const Refusal = ({ text, remedy }: { readonly text: string | null; readonly remedy?: ReactNode }) =>
  text === null ? null : (
    <div className="refusal" role="alert">
      <CircleAlert aria-hidden />
      <span>{withReferences(text)}</span>
      {remedy}
    </div>
  );

import { CircleAlert } from 'lucide-react';
import './refusal.css';

/** Why something was not done, where it was tried. */
export const Refusal = ({ text }: { readonly text: string | null }) =>
  text === null ? null : (
    <p className="refusal" role="alert">
      <CircleAlert aria-hidden />
      <span>{text}</span>
    </p>
  );

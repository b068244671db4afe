import { CircleCheck } from 'lucide-react';
import './health.css';

export const Good = ({ text }: { readonly text: string }) => (
  <p className="health-line health-good">
    <CircleCheck aria-hidden />
    <span>{text}</span>
  </p>
);

import { cutText } from '@yarnboard/domain';
import { useState, type ReactNode } from 'react';
import { Button } from './button.tsx';
import { countOf } from './wording.ts';

/** The beginning of a text, and all of it on demand: a very long one must not hide what is below it. */
export const FoldedText = ({
  text,
  most = MOST_SHOWN,
  children,
}: {
  readonly text: string;
  readonly most?: number;
  /** How the text is shown. */
  readonly children: (text: string) => ReactNode;
}) => {
  const [isOpen, setIsOpen] = useState(false);
  // A few more words are better than a button.
  if (text.length <= most * 1.2) return children(text);
  return (
    <div>
      {children(isOpen ? text : `${cutText(text, most).trimEnd()} …`)}
      <Button variant="quiet" size="small" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        {isOpen ? 'Show less' : `Show all ${countOf(text.length)} characters`}
      </Button>
    </div>
  );
};

const MOST_SHOWN = 1500;

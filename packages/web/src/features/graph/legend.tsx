import { Bot, CircleAlert, FoldVertical, GitBranch, Info, Layers, MessageSquare, Unlink, type LucideIcon } from 'lucide-react';
import './legend.css';

/** What the cards and lines mean. */
export const Legend = () => (
  <details className="graph-legend">
    <summary>
      <Info aria-hidden />
      Legend
    </summary>
    <ul>
      {CARDS.map(({ icon: Icon, text, tone }) => (
        <li key={text}>
          <Icon className={`graph-legend-${tone}`} aria-hidden />
          {text}
        </li>
      ))}
      {LINES.map(({ kind, text }) => (
        <li key={kind}>
          <span className={`graph-legend-line graph-legend-line-${kind}`} aria-hidden />
          {text}
        </li>
      ))}
    </ul>
    <p className="tiny faint">
      A click or <kbd>Enter</kbd> goes to the message, <kbd>Space</kbd> opens and folds, arrows go from card to card.
    </p>
  </details>
);

const CARDS: readonly { readonly icon: LucideIcon; readonly text: string; readonly tone: string }[] = [
  { icon: MessageSquare, text: 'A turn: a prompt and all that followed', tone: 'plain' },
  { icon: Layers, text: 'Turns in a row, folded', tone: 'plain' },
  { icon: GitBranch, text: 'Another branch', tone: 'violet' },
  { icon: Bot, text: 'A sub-agent', tone: 'violet' },
  { icon: FoldVertical, text: 'A compaction', tone: 'info' },
  { icon: CircleAlert, text: 'Something failed', tone: 'bad' },
  { icon: Unlink, text: 'What came before it is missing', tone: 'warn' },
];

const LINES = [
  { kind: 'active', text: 'The active path' },
  { kind: 'next', text: 'Goes on, on another branch' },
  { kind: 'order', text: 'Goes on by its place in the file' },
  { kind: 'call', text: 'Calls a sub-agent' },
] as const;

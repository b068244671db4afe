import { Bot, CircleAlert, FoldVertical, GitBranch, Info, Layers, MessageSquare, Unlink, type LucideIcon } from 'lucide-react';
import './legend.css';

/** Explains the cards and lines. */
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
      Click or press <kbd>Enter</kbd> to open a message, <kbd>Space</kbd> to expand or collapse, arrows to move.
    </p>
  </details>
);

const CARDS: readonly { readonly icon: LucideIcon; readonly text: string; readonly tone: string }[] = [
  { icon: MessageSquare, text: 'Turn: a prompt and its replies', tone: 'plain' },
  { icon: Layers, text: 'Several turns, collapsed', tone: 'plain' },
  { icon: GitBranch, text: 'Other branch', tone: 'violet' },
  { icon: Bot, text: 'A sub-agent', tone: 'violet' },
  { icon: FoldVertical, text: 'Compaction', tone: 'info' },
  { icon: CircleAlert, text: 'Error', tone: 'bad' },
  { icon: Unlink, text: 'Parent missing', tone: 'warn' },
];

const LINES = [
  { kind: 'active', text: 'Current branch' },
  { kind: 'next', text: 'Other branch' },
  { kind: 'order', text: 'Parent guessed from file order' },
  { kind: 'call', text: 'Sub-agent call' },
] as const;

import { Lightbulb } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from './button.tsx';
import './intro.css';

/** PAGE-630: the purpose of each view. */
const INTROS = {
  home: 'See what needs you, what is running and what it costs, and pick up where you left off.',
  sessions: 'Every session of your coding agents on this machine, updated as they work.',
  session: 'Read the conversation, start a sidebar from any message, and continue at the end.',
  graph: 'See how a session branched: open a card for more, or go from it to its message.',
  changes: 'Every file this session changed, with each edit as a diff.',
  file: 'Every edit of this file in all sessions, latest first.',
  runs: 'Sessions that Yarnboard runs for you: prompt them, answer their requests, or stop them.',
  search: 'Find anything that was said in a session or a sidebar, by words or by meaning.',
  sidebars: 'Take a question aside with people and agents, then merge what you found.',
  sidebar: 'Talk here, collect findings in the scratchpad, and merge them when they are reviewed.',
  trace: 'See what this comes from and what came of it. Open a card’s strings to follow them.',
  usage: 'See which tokens were used, what they cost, and when, over any period.',
  settings: 'Choose how the page looks, what it tells you, and what Yarnboard may do by itself.',
  health: 'Check that the log is intact, and see what doesn’t work and what to do about it.',
} as const;

export type IntroName = keyof typeof INTROS;

/** One sentence on the first visit to a view; it disappears once dismissed, or from the next visit on. */
export const Intro = ({ of }: { readonly of: IntroName }) => {
  const [isShown, setIsShown] = useState(() => !known().has(of));
  useEffect(() => keep(of), [of]);
  if (!isShown) return null;
  return (
    <p className="page-intro">
      <Lightbulb aria-hidden />
      <span>{INTROS[of]}</span>
      <Button variant="quiet" size="small" onClick={() => setIsShown(false)}>
        Got it
      </Button>
    </p>
  );
};

const known = (): ReadonlySet<string> => new Set((localStorage.getItem(KEY) ?? '').split(' '));

const keep = (name: IntroName): void => {
  const all = known();
  if (!all.has(name)) localStorage.setItem(KEY, [...all, name].join(' ').trim());
};

const KEY = 'yarnboard.visited';

import { printableLine } from '@yarnboard/transcript';
import { useEffect, type ReactNode } from 'react';
import { useIsInPanel } from './in-panel.ts';
import { Intro, type IntroName } from './intro.tsx';
import './page.css';
import { useTabCount, useTabStanding } from './tab-count.tsx';

export type PageProps = {
  readonly title: string;
  /** The title of the browser's tab, if it should say more than the heading. */
  readonly tabTitle?: string;
  readonly above?: ReactNode;
  readonly subtitle?: ReactNode;
  readonly actions?: ReactNode;
  /** Its purpose, shown on the first visit. */
  readonly intro?: IntroName;
  /** `fill`: it scrolls inside; otherwise the page does. */
  readonly layout?: 'flow' | 'wide' | 'fill';
  readonly children: ReactNode;
};

/** The frame of every view: a heading, a description, actions. */
export const Page = ({ title: written, tabTitle: writtenInTab = written, above, subtitle, actions, intro, layout = 'flow', children }: PageProps) => {
  // PAGE-2: the names of sessions and sidebars come from others.
  const [title, tabTitle] = [printableLine(written), printableLine(writtenInTab)];
  const waiting = useTabCount();
  const standing = useTabStanding();
  // PAGE-600: a view in the panel doesn't set the tab's title.
  const isInPanel = useIsInPanel();
  const Heading = isInPanel ? 'h2' : 'h1';
  useEffect(() => {
    if (isInPanel) return;
    document.title = `${standing === null ? '' : `${standing} · `}${waiting === 0 ? '' : `(${waiting}) `}${tabTitle} · Yarnboard`;
  }, [tabTitle, waiting, standing, isInPanel]);
  return (
    <div className={`page page-${layout}`}>
      <header className="page-head">
        <div className="page-words">
          {above === undefined ? null : <div className="page-above">{above}</div>}
          <Heading className="page-title">{title}</Heading>
          {subtitle === undefined ? null : <div className="page-subtitle">{subtitle}</div>}
        </div>
        {actions === undefined ? null : <div className="page-actions">{actions}</div>}
        {intro === undefined || isInPanel ? null : <Intro of={intro} />}
      </header>
      {children}
    </div>
  );
};

import { useRef } from 'react';
import { Link, useSearchParams } from 'wouter';
import { Page } from '../../ui/page.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { TextReadingProvider } from '../../ui/text-reading.tsx';
import './archive-page.css';
import { ArchivedSidebars } from './archived-sidebars.tsx';
import { KeptEpisodes } from './kept-episodes.tsx';

/** PAGE-500: closed sidebars, and what was kept of them. */
export const ArchivePage = () => {
  const [params, setParams] = useSearchParams();
  const tab = params.get('tab') === 'episodes' ? 'episodes' : 'sidebars';
  // Remembers each tab's filters, so that switching back restores them.
  const left = useRef(new Map<string, URLSearchParams>());
  const choose = (next: string): void => {
    left.current.set(tab, params);
    setParams(left.current.get(next) ?? (next === 'episodes' ? { tab: 'episodes' } : {}), { replace: true });
  };
  return (
    <Page
      title="Archive"
      tabTitle={tab === 'episodes' ? 'Episodes · Archive' : 'Archive'}
      subtitle={
        <>
          Sidebars that were closed, and what was kept. Open ones are on the <Link href="/sidebars">board</Link>.
        </>
      }
    >
      <TextReadingProvider>
        <Tabs
          label="Archive"
          value={tab}
          onChange={choose}
          tabs={[
            { id: 'sidebars', label: 'Sidebars', content: <ArchivedSidebars /> },
            { id: 'episodes', label: 'Episodes', content: <KeptEpisodes /> },
          ]}
        />
      </TextReadingProvider>
    </Page>
  );
};

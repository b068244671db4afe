import { printable, printableLine } from '@yarnboard/transcript';
import { Download } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useLive } from '../../live/hooks.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Moment } from '../../ui/moment.tsx';
import { useToast } from '../../ui/toast.tsx';
import { counted } from '../../ui/wording.ts';
import { PLACES } from '../../shared/standing.ts';
import { CacheReview } from './cache-review.tsx';
import { DiscardDialog } from './discard-dialog.tsx';
import { ResolveDialog } from './resolve-dialog.tsx';
import { countsText, openCount, reasonText, SERVICE_WORDS, type CacheRow } from './recovery-words.ts';
import { saveText } from './save-text.ts';

/** PAGE-440: one outage: its cause and start, what is queued, where it is stored, and what you can do with it. */
export const CacheCard = ({ cache, isFirst }: { readonly cache: CacheRow; readonly isFirst: boolean }) => {
  const { cacheId, reason, createdAt, host, own, servicesDown, foundIn, recoveryNotes, resolvedAt, resolutionNotes, sidebars } = cache;
  const isOpen = resolvedAt === null;
  const [isReviewing, setIsReviewing] = useState(isFirst && isOpen);
  const [dialog, setDialog] = useState<'discard' | 'resolve' | null>(null);
  const copies = foundIn.filter(({ agrees }) => agrees).length;
  return (
    <article className="card recovery-card" aria-labelledby={`cache-${cacheId}`}>
      <header className="recovery-head">
        <h3 id={`cache-${cacheId}`} className="recovery-title">
          {reasonText(reason)}
        </h3>
        {own ? null : <Badge tone="info">another home</Badge>}
        {isOpen ? <Badge tone={openCount(cache) === 0 ? 'plain' : 'warn'}>{countsText(cache)}</Badge> : <Badge tone="good">resolved</Badge>}
      </header>
      <dl className="recovery-facts">
        <Fact name="Began">
          <Moment at={createdAt} /> on {printableLine(host)}
        </Fact>
        <Fact name="Unavailable">{servicesDown.map((service) => SERVICE_WORDS.get(service) ?? service).join(', ') || 'nothing'}</Fact>
        <Fact name="Sidebars">{sidebars === 0 ? 'none active' : counted(sidebars, 'active sidebar')}</Fact>
        <Fact name="Found in">
          {foundIn.map(({ place, agrees }) => `${PLACES.get(place) ?? place}${agrees ? '' : ' (an older copy)'}`).join(', ') || 'no place'}
          {foundIn.length < 2 ? null : copies === foundIn.length ? '. All copies agree.' : '. The newest copy of each item is used; nothing is lost.'}
        </Fact>
        {isOpen ? null : (
          <Fact name="Resolved">
            <Moment at={resolvedAt} />
            {resolutionNotes === null ? '' : `: ${printableLine(resolutionNotes)}`}
          </Fact>
        )}
        <Fact name="ID">
          <code>{cacheId}</code>
        </Fact>
      </dl>
      {recoveryNotes.length === 0 ? null : (
        <ul className="recovery-notes" aria-label="Notes">
          {recoveryNotes.slice(0, MOST_NOTES).map((note) => (
            <li key={note}>{printable(note)}</li>
          ))}
          {recoveryNotes.length > MOST_NOTES ? <li>and {recoveryNotes.length - MOST_NOTES} more</li> : null}
        </ul>
      )}
      <div className="actions">
        <Button variant={isOpen && !isReviewing ? 'primary' : 'plain'} aria-expanded={isReviewing} onClick={() => setIsReviewing(!isReviewing)}>
          {isReviewing ? 'Hide items' : isOpen ? 'Review' : 'Show items'}
        </Button>
        <ExportButton cacheId={cacheId} />
        {isOpen ? (
          <>
            <Button onClick={() => setDialog('resolve')}>Mark resolved…</Button>
            {openCount(cache) === 0 ? null : (
              <Button variant="danger" onClick={() => setDialog('discard')}>
                Discard all…
              </Button>
            )}
          </>
        ) : null}
      </div>
      {isReviewing ? <CacheReview cacheId={cacheId} /> : null}
      {dialog === 'discard' ? <DiscardDialog cacheId={cacheId} writes={null} count={openCount(cache)} onClose={() => setDialog(null)} /> : null}
      {dialog === 'resolve' ? <ResolveDialog cacheId={cacheId} left={openCount(cache)} onClose={() => setDialog(null)} /> : null}
    </article>
  );
};

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

/** PAGE-447: exports a file to keep or read elsewhere, with secrets masked. It changes nothing. */
const ExportButton = ({ cacheId }: { readonly cacheId: string }) => {
  const { ask } = useLive();
  const tell = useToast();
  const [isBusy, setIsBusy] = useState(false);
  const save = async (kind: 'json' | 'markdown'): Promise<void> => {
    setIsBusy(true);
    try {
      const exported = await ask('recovery_export', { cacheId });
      saveText(`${cacheId}.${kind === 'json' ? 'json' : 'md'}`, exported[kind]);
    } catch (error) {
      tell({ tone: 'bad', title: 'Couldn’t export', text: error instanceof Error ? error.message : String(error) });
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <>
      <Button icon={Download} isBusy={isBusy} onClick={() => void save('markdown')}>
        Export Markdown
      </Button>
      <Button icon={Download} isBusy={isBusy} onClick={() => void save('json')}>
        Export JSON
      </Button>
    </>
  );
};

const MOST_NOTES = 20;

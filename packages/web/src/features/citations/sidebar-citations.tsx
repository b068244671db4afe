import type { Sidebar } from '@yarnboard/domain';
import { FilePlus2, Image, Quote, Sparkles } from 'lucide-react';
import { useId, useState, type ReactNode } from 'react';
import { useBoard, usePending } from '../../live/hooks.tsx';
import { useVerdict } from '../../live/verdict.ts';
import { Count } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { withReferences } from '../../ui/reference.tsx';
import { Empty } from '../../ui/state.tsx';
import { CitationCard } from './citation-card.tsx';
import { CitationForm } from './citation-form.tsx';
import './citations.css';
import { GoldCard } from './gold-card.tsx';
import { useGoldDesk } from './gold-desk.ts';
import { GoldDialog } from './gold-dialog.tsx';
import { MediaCard } from './media-card.tsx';
import { MediaForm } from './media-form.tsx';

/** A sidebar's citations, attachments and GOLD. */
export const SidebarCitations = ({ sidebar }: { readonly sidebar: Sidebar }) => {
  const { citations, media, golds } = useBoard(
    (board) => ({
      citations: sidebar.citations.flatMap((id) => board.citations.get(id) ?? []).toReversed(),
      media: sidebar.media.flatMap((id) => board.media.get(id) ?? []).toReversed(),
      golds: sidebar.golds.flatMap((id) => board.golds.get(id) ?? []).toReversed(),
    }),
    [sidebar],
  );
  const pending = usePending();
  const desk = useGoldDesk();
  const working = useVerdict({ type: 'checkpoint.create', sidebar: sidebar.id, summary: '…' });
  const canWork = working.refusal === null;
  const [isCiting, setIsCiting] = useState(false);
  const [isMarking, setIsMarking] = useState(false);
  return (
    <div className="citations">
      {working.refusal === null ? null : <Notice>{withReferences(working.refusal)}</Notice>}
      <Part
        title="GOLD"
        count={golds.length}
        action={
          canWork ? (
            <Button icon={Sparkles} size="small" onClick={() => setIsMarking(true)}>
              Mark as GOLD
            </Button>
          ) : null
        }
      >
        {golds.length === 0 ? (
          <Empty icon={Sparkles} title="No GOLD here yet">
            Mark what you’ll need again. It comes back when its triggers match.
          </Empty>
        ) : (
          <div className="gold-cards">
            {golds.map((gold) => (
              <GoldCard
                key={gold.id}
                row={{ gold, foundIn: sidebar.ref }}
                desk={desk}
                isUnconfirmed={pending.has(gold.id) || desk.sending.has(gold.id)}
              />
            ))}
          </div>
        )}
      </Part>
      <Part
        title="Citations"
        count={citations.length}
        action={
          canWork && !isCiting ? (
            <Button icon={FilePlus2} size="small" onClick={() => setIsCiting(true)}>
              Add citation
            </Button>
          ) : null
        }
      >
        {isCiting && canWork ? <CitationForm sidebar={sidebar} onClose={() => setIsCiting(false)} /> : null}
        {citations.length === 0 && !isCiting ? (
          <Empty icon={Quote} title="No citations yet">
            Cite a message, lines of a file or a web page to use it as evidence.
          </Empty>
        ) : (
          <ul className="citation-cards">
            {citations.map((citation) => (
              <CitationCard key={citation.id} citation={citation} isUnconfirmed={pending.has(citation.id)} />
            ))}
          </ul>
        )}
      </Part>
      <Part title="Attachments" count={media.length} action={canWork ? <MediaForm sidebar={sidebar} /> : null}>
        {media.length === 0 ? (
          <Empty icon={Image} title="No attachments yet">
            Attach a screenshot, log or recording.
          </Empty>
        ) : (
          <ul className="media-cards">
            {media.map((one) => (
              <MediaCard key={one.id} media={one} isUnconfirmed={pending.has(one.id)} />
            ))}
          </ul>
        )}
      </Part>
      <GoldDialog isOpen={isMarking} onClose={() => setIsMarking(false)} sourceRefs={[]} sidebarId={sidebar.id} />
    </div>
  );
};

const Part = ({
  title,
  count,
  action,
  children,
}: {
  readonly title: string;
  readonly count: number;
  readonly action: ReactNode;
  readonly children: ReactNode;
}) => {
  const id = useId();
  return (
    <section className="citations-part" aria-labelledby={id}>
      <header className="citations-head">
        <h2 id={id}>
          {title} <Count of={count} />
        </h2>
        {action}
      </header>
      {children}
    </section>
  );
};

import type { Media } from '@yarnboard/domain';
import { printable } from '@yarnboard/transcript';
import { Download, FileAudio, FileCode, FileText, FileVideo, Image, type LucideIcon } from 'lucide-react';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { useAsk, useLive } from '../../live/hooks.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { OnItsWayMark } from '../../shared/on-its-way-mark.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Reference } from '../../ui/reference.tsx';
import { bytesText } from '../../ui/wording.ts';
import { Person } from '../../shared/people.tsx';
import { Refusal } from '../../shared/refusal.tsx';
import { TraceLink } from '../../shared/trace-link.tsx';
import { download, downloadFrom, isShownAsImage, nameIn } from './media-file.ts';

const ICONS = { image: Image, video: FileVideo, audio: FileAudio, code: FileCode, document: FileText } as const satisfies Record<
  Media['mediaType'],
  LucideIcon
>;

/** PAGE-110: shows images of known types; everything else is only a download. */
export const MediaCard = ({ media, isUnconfirmed }: { readonly media: Media; readonly isUnconfirmed: boolean }) => {
  const Icon = ICONS[media.mediaType];
  const isReady = media.state === 'complete' && media.ref !== '';
  return (
    <li className="media-card card">
      {isReady && isShownAsImage(media.mime) ? <Picture media={media} /> : <Icon className="media-icon" aria-hidden />}
      <div className="media-words">
        <p className="media-name" title={printable(media.filePath)}>
          {nameIn(media.filePath)}
        </p>
        <p className="media-facts">
          {media.ref === '' ? null : <Reference to={media.ref} />}
          {media.ref === '' ? null : <TraceLink to={media.ref} />}
          <span>{bytesText(media.fileSize)}</span>
          {media.mime === null ? null : <span>{media.mime}</span>}
          {isUnconfirmed ? <OnItsWayMark id={media.id} /> : null}
          {media.state === 'failed' ? <Badge tone="bad">unreadable</Badge> : null}
        </p>
        {media.why === null ? null : <p className="small soft">{media.why}</p>}
        {media.inResponseTo === null ? null : (
          <p className="small soft">
            in answer to <Reference to={media.inResponseTo} />
          </p>
        )}
        <p className="byline">
          <Person id={media.uploadedBy} isShort /> <Moment at={media.uploadedAt} />
        </p>
        {media.ref === '' ? null : <Hand media={media} />}
      </div>
    </li>
  );
};

/** Fetched when it scrolls into view. */
const Picture = ({ media }: { readonly media: Media }) => {
  const place = useRef<HTMLDivElement>(null);
  const isSeen = useSeen(place);
  const { data, error } = useAsk('media', { mediaId: media.ref, content: 'true' }, { isWanted: isSeen, staleMs: Infinity });
  const source = data?.content == null ? (data?.download ?? null) : `data:${media.mime ?? ''};base64,${data.content}`;
  return (
    <div className="media-picture" ref={place}>
      {source === null ? (
        <span className="tiny faint">{error === null ? 'Loading' : error.message}</span>
      ) : (
        <img src={source} alt={nameIn(media.filePath)} />
      )}
    </div>
  );
};

const Hand = ({ media }: { readonly media: Media }) => {
  const { ask } = useLive();
  const [state, setState] = useState<{ readonly isAsking: boolean; readonly error: string | null }>({ isAsking: false, error: null });
  const fetchIt = async (): Promise<void> => {
    setState({ isAsking: true, error: null });
    try {
      const { content, download: address } = await ask('media', { mediaId: media.ref, content: 'true' });
      setState({ isAsking: false, error: content === null && address === null ? 'This file is no longer available.' : null });
      if (content !== null) download(media.filePath, content);
      else if (address !== null) downloadFrom(media.filePath, address);
    } catch (error) {
      setState({ isAsking: false, error: error instanceof Error ? error.message : String(error) });
    }
  };
  return (
    <>
      <div className="actions">
        <Button
          size="small"
          variant="quiet"
          icon={Download}
          isBusy={state.isAsking}
          aria-label={`Download ${nameIn(media.filePath)}`}
          onClick={() => void fetchIt()}
        >
          Download
        </Button>
      </div>
      <Refusal text={state.error} />
    </>
  );
};

/** Whether it has scrolled into view. */
const useSeen = (place: RefObject<HTMLElement | null>): boolean => {
  const [isSeen, setIsSeen] = useState(false);
  useEffect(() => {
    const element = place.current;
    if (element === null || isSeen) return undefined;
    const observer = new IntersectionObserver((seen) => {
      if (seen.some(({ isIntersecting }) => isIntersecting)) setIsSeen(true);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [place, isSeen]);
  return isSeen;
};

import { ChevronsUp } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Button } from '../../ui/button.tsx';

export type EarlierProps = {
  readonly label: string;
  readonly isLoading: boolean;
  readonly onLoad: () => void;
  /** Changes with every page, so that the marker fires again if it is still visible after a page was added. */
  readonly page: number;
};

/** Loads earlier messages when it scrolls into view, or on request. */
export const Earlier = ({ label, isLoading, onLoad, page }: EarlierProps) => {
  const place = useRef<HTMLDivElement>(null);
  const load = useRef(onLoad);
  useEffect(() => {
    load.current = onLoad;
  });
  useEffect(() => {
    const element = place.current;
    if (element === null || isLoading) return undefined;
    const sight = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) load.current();
      },
      { root: element.closest('.talk-scroll'), rootMargin: '200px 0px 0px' },
    );
    sight.observe(element);
    return () => sight.disconnect();
  }, [isLoading, page]);
  return (
    <div ref={place} className="talk-earlier">
      <Button variant="quiet" size="small" icon={ChevronsUp} isBusy={isLoading} onClick={onLoad}>
        {label}
      </Button>
    </div>
  );
};

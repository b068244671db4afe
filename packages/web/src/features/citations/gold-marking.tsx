import { createContext, useContext, useState, type ReactNode } from 'react';
import { useActor } from '../../live/hooks.tsx';
import { GoldDialog } from './gold-dialog.tsx';

type MarkAsGold = (ref: string) => void;

const MarkingContext = createContext<MarkAsGold | null>(null);

/** PAGE-506: what marks a message of this conversation as GOLD; null for whoever only reads. */
export const useMarkAsGold = (): MarkAsGold | null => useContext(MarkingContext);

export type GoldMarkingProps = {
  /** Where the GOLD is found; the board, unless given. */
  readonly sidebarId?: string;
  readonly children: ReactNode;
};

/** Holds the dialog around a conversation: the buttons of a message are gone as soon as nobody points at it. */
export const GoldMarking = ({ sidebarId, children }: GoldMarkingProps) => {
  const [source, setSource] = useState<string | null>(null);
  const isHere = useActor() !== null;
  return (
    <MarkingContext value={isHere ? setSource : null}>
      {children}
      {source === null ? null : (
        <GoldDialog isOpen onClose={() => setSource(null)} sourceRefs={[source]} {...(sidebarId === undefined ? {} : { sidebarId })} />
      )}
    </MarkingContext>
  );
};

import { createContext, useContext, useState, type ReactNode } from 'react';
import { useActor } from '../../live/hooks.tsx';
import { GoldDialog } from './gold-dialog.tsx';

type MarkAsGold = (ref: string) => void;

const MarkingContext = createContext<MarkAsGold | null>(null);

/** PAGE-506: the callback that marks a message of this conversation as GOLD; null for read-only visitors. */
export const useMarkAsGold = (): MarkAsGold | null => useContext(MarkingContext);

export type GoldMarkingProps = {
  /** The sidebar to save the GOLD in; the board, unless given. */
  readonly sidebarId?: string;
  readonly children: ReactNode;
};

/** Keeps the dialog outside the conversation: the buttons of a message unmount as soon as the pointer leaves it. */
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

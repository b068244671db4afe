import { memo } from 'react';
import { isAlike } from '../../live/likeness.ts';
import { TalkMessage, type TalkMessageProps } from './talk-message.tsx';
import type { Said } from './talk.ts';

export type TalkListProps = Pick<TalkMessageProps, 'onReply' | 'onCite'> & { readonly said: readonly Said[]; readonly actorId: string | null };

/** What was said, in order. PAGE-145: what is added at an end is drawn, and nothing else is gone through. */
export const TalkList = memo(({ said, ...rest }: TalkListProps) => (
  <div className="talk-list" role="list" aria-label="Messages in this sidebar">
    {blocksOf(said).map(({ id, messages }) => (
      <TalkBlock key={id} said={messages} {...rest} />
    ))}
  </div>
));

const TalkBlock = memo(
  ({ said, actorId, onReply, onCite }: TalkListProps) => (
    <div className="talk-block" role="presentation" style={{ containIntrinsicBlockSize: `auto ${said.length * USUAL_HEIGHT}rem` }}>
      {said.map((one) => (
        <div key={one.key} role="listitem">
          <TalkMessage said={one} isMine={one.sender === actorId} onReply={onReply} onCite={onCite} />
        </div>
      ))}
    </div>
  ),
  (a, b) => isAlike(a, b),
);

type Block = { readonly id: number; readonly messages: readonly Said[] };

/** By places on the log: whatever is put in before or behind it, a message stays in its block. */
const blocksOf = (said: readonly Said[]): readonly Block[] => {
  const blocks: { readonly id: number; readonly messages: Said[] }[] = [];
  for (const one of said) {
    const id = Math.floor(one.seq / PLACES);
    const last = blocks.at(-1);
    if (last?.id === id) last.messages.push(one);
    else blocks.push({ id, messages: [one] });
  }
  return blocks;
};

const PLACES = 64;
/** Of a message that was not laid out yet. */
const USUAL_HEIGHT = 6;

import { memo } from 'react';
import { isAlike } from '../../live/likeness.ts';
import { TalkMessage, type TalkMessageProps } from './talk-message.tsx';
import type { Said } from './talk.ts';

export type TalkListProps = Pick<TalkMessageProps, 'onReply' | 'onCite'> & { readonly said: readonly Said[]; readonly actorId: string | null };

/** The messages in order. PAGE-145: adding messages at either end draws only the new ones and leaves the rest alone. */
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

/** Blocks are ranges of log positions, so that a message stays in its block whatever is added before or after it. */
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
/** The assumed height of a message that hasn't been laid out yet. */
const USUAL_HEIGHT = 6;

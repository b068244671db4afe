import type { Sidebar } from '@yarnboard/domain';
import { useMemo } from 'react';
import { ExchangeMark } from '../claims/exchange-mark.tsx';
import { UNMARKED, type Marked } from '../claims/marked.ts';
import { RememberButton } from '../../shared/remember.tsx';
import { ExchangeWeight } from './exchange-weight.tsx';
import { TalkMessage } from './talk-message.tsx';
import type { Said } from './talk.ts';

export type InheritedMemoryProps = {
  readonly sidebar: Sidebar;
  readonly said: readonly Said[];
  readonly canAct: boolean;
  readonly onCite: ((ref: string) => void) | null;
};

type Exchange = { readonly name: string | null; readonly said: readonly Said[] };

/** The messages from before the sidebar branched off, by exchange; each exchange can be rated. */
export const InheritedMemory = ({ sidebar, said, canAct, onCite }: InheritedMemoryProps) => {
  const exchanges = useMemo(() => exchangesIn(said), [said]);
  return (
    <ol className="talk-list talk-inherited" aria-label="Inherited messages">
      {exchanges.map(({ name, said: messages }) => (
        <li key={messages.at(-1)?.key} className="talk-exchange">
          {messages.map((one, n) => (
            <TalkMessage
              key={one.key}
              said={one}
              isMine={false}
              onReply={null}
              onCite={onCite}
              keptFor={sidebar.ref}
              extra={
                n === messages.length - 1 && name !== null ? (
                  <>
                    <ExchangeMark sidebar={sidebar} exchange={name} marked={markedIn(messages)} canAct={canAct} />
                    <ExchangeWeight sidebar={sidebar} exchange={name} canAct={canAct} />
                    {canAct ? <RememberButton refText={name} sidebarId={sidebar.ref} /> : null}
                  </>
                ) : null
              }
            />
          ))}
        </li>
      ))}
    </ol>
  );
};

/** The exchange takes the marks of its first message that has a confidence. */
const markedIn = (said: readonly Said[]): Marked => {
  const known = said.flatMap(({ marked }) => marked ?? []);
  return known.find(({ originalConfidence }) => originalConfidence !== null) ?? known[0] ?? UNMARKED;
};

const exchangesIn = (said: readonly Said[]): readonly Exchange[] => {
  const exchanges: { readonly name: string | null; readonly said: Said[] }[] = [];
  for (const one of said) {
    const last = exchanges.at(-1);
    if (last !== undefined && last.name === one.exchange && one.exchange !== null) last.said.push(one);
    else exchanges.push({ name: one.exchange, said: [one] });
  }
  return exchanges;
};

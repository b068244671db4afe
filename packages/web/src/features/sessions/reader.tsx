import { Eye } from 'lucide-react';
import { createContext, useContext, useMemo, useState, type ReactNode } from 'react';
import { CheckMenu } from '../../ui/check-menu.tsx';

const WISHES = ['no-thinking', 'no-tools', 'failed-tools', 'expanded'] as const;
type Wish = (typeof WISHES)[number];

type Reader = { readonly wishes: ReadonlySet<Wish>; readonly choose: (wishes: readonly Wish[]) => void };

const NOTHING: ReadonlySet<Wish> = new Set();
const ReaderContext = createContext<Reader>({ wishes: NOTHING, choose: () => {} });

/** PAGE-614: which parts of conversations to show, kept in the browser. */
export const ReaderProvider = ({ children }: { readonly children: ReactNode }) => {
  const [wishes, setWishes] = useState(keptWishes);
  const reader = useMemo(
    (): Reader => ({
      wishes,
      choose: (next) => {
        // The two exclude each other: the latest choice wins.
        const isBoth = next.includes('no-tools') && next.includes('failed-tools');
        const other = wishes.has('no-tools') ? 'no-tools' : 'failed-tools';
        const chosen = isBoth ? next.filter((one) => one !== other) : next;
        localStorage.setItem(KEY, JSON.stringify(chosen));
        setWishes(new Set(chosen));
      },
    }),
    [wishes],
  );
  return <ReaderContext value={reader}>{children}</ReaderContext>;
};

export const useReaderWishes = (): ReadonlySet<Wish> => useContext(ReaderContext).wishes;

export const ReaderMenu = () => {
  const { wishes, choose } = useContext(ReaderContext);
  return <CheckMenu label="View" icon={Eye} choices={CHOICES} value={[...wishes]} onChange={choose} />;
};

const CHOICES: readonly { readonly value: Wish; readonly label: string }[] = [
  { value: 'no-thinking', label: 'Hide thinking' },
  { value: 'no-tools', label: 'Hide tool calls' },
  { value: 'failed-tools', label: 'Only failed tool calls' },
  { value: 'expanded', label: 'Expand everything' },
];

const keptWishes = (): ReadonlySet<Wish> => {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(kept) ? new Set(WISHES.filter((one) => kept.includes(one))) : NOTHING;
  } catch {
    return NOTHING; // not written by us
  }
};

const KEY = 'yarnboard.reader';

import { useQueries } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight, GitFork } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { useState } from 'react';
import { useLive } from '../../live/hooks.tsx';
import { IconButton } from '../../ui/button.tsx';
import { inShort } from '../../shared/names.ts';
import '../../ui/menu.css';
import { useFlowDeeds } from './flow-context.ts';
import type { Step } from './flow-pages.ts';
import { textsIn } from './whole-text.ts';

type Branch = NonNullable<Step['branch']>;

/** PAGE-22: the conversation branched here; each other branch is a click away, shown with its first words. */
export const BranchSwitch = ({ branch }: { readonly branch: Branch }) => {
  const { takeBranch } = useFlowDeeds();
  const { at, of } = branch;
  const before = branchBy(branch, -1);
  const next = branchBy(branch, 1);
  return (
    <div className="step-branch" role="group" aria-label="Branches">
      <IconButton
        icon={ChevronLeft}
        label="Previous branch"
        aria-keyshortcuts="<"
        size="small"
        disabled={before === null}
        onClick={() => (before === null ? undefined : takeBranch(before))}
      />
      <BranchMenu branch={branch} label={`Branch ${at} of ${of}`} />
      <IconButton
        icon={ChevronRight}
        label="Next branch"
        aria-keyshortcuts=">"
        size="small"
        disabled={next === null}
        onClick={() => (next === null ? undefined : takeBranch(next))}
      />
    </div>
  );
};

/** The branch next to the current one; null if there is none. */
export const branchBy = ({ at, choices }: Branch, by: 1 | -1): string | null => choices[at - 1 + by] ?? null;

const BranchMenu = ({ branch: { at, of, choices }, label }: { readonly branch: Branch; readonly label: string }) => {
  const { takeBranch } = useFlowDeeds();
  const [isOpen, setIsOpen] = useState(false);
  const shown = choices.slice(0, MOST_NAMED);
  const words = useFirstWords(shown, isOpen);
  return (
    <DropdownMenu.Root modal={false} open={isOpen} onOpenChange={setIsOpen}>
      <DropdownMenu.Trigger asChild>
        <button type="button" className="step-branch-text numbers" aria-label={label}>
          <GitFork aria-hidden />
          {at} of {of}
        </button>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align="start" sideOffset={4} collisionPadding={8}>
          {shown.map((uuid, n) => (
            <DropdownMenu.Item
              key={uuid}
              className="menu-item"
              aria-current={n === at - 1 ? 'true' : undefined}
              onSelect={() => (n === at - 1 ? undefined : takeBranch(uuid))}
            >
              <span className="menu-words">
                <span className="step-branch-words">{words[n] ?? '…'}</span>
                <span className="menu-says">
                  Branch {n + 1}
                  {n === at - 1 ? ', shown now' : ''}
                </span>
              </span>
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
};

/** The first words of each branch, loaded when somebody opens the list. */
const useFirstWords = (uuids: readonly string[], isWanted: boolean): readonly (string | undefined)[] => {
  const { ask } = useLive();
  const { sessionId } = useFlowDeeds();
  return useQueries({
    queries: uuids.map((uuid) => ({
      queryKey: ['message', 'first words', sessionId, uuid],
      queryFn: async (): Promise<string> => {
        const { messageData, role } = await ask('message', { ref: uuid, session: sessionId });
        const words = inShort(textsIn(messageData, role, 'text').join(' '), LONGEST);
        return words === '' ? 'Without words' : words;
      },
      enabled: isWanted,
      staleTime: Infinity,
      gcTime: 60_000,
    })),
  }).map(({ data, error }) => (error === null ? data : 'Couldn’t load its words'));
};

const MOST_NAMED = 12;
const LONGEST = 90;

import { isEnded, OPERATOR, type Sidebar } from '@yarnboard/domain';
import { ArrowDown, GitBranch, MessageSquareDashed } from 'lucide-react';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useSearchParams } from 'wouter';
import { useActor } from '../../live/hooks.tsx';
import { Button } from '../../ui/button.tsx';
import { useKeptFocus } from '../../ui/kept-focus.ts';
import { Moment } from '../../ui/moment.tsx';
import { Empty, Failure, Skeleton } from '../../ui/state.tsx';
import { GoldMarking } from '../citations/gold-marking.tsx';
import { worksIn } from './board-groups.ts';
import { ChatBox, type ChatBoxHandle } from './chat-box.tsx';
import { useChat } from './chat.ts';
import { ChatClosed } from './chat-closed.tsx';
import './conversation-tab.css';
import { Earlier } from './earlier.tsx';
import { InheritedMemory } from './inherited-memory.tsx';
import { SaidNews } from './said-news.tsx';
import { TalkList } from './talk-list.tsx';
import { useTalkScroll } from './talk-scroll.ts';
import { together, useMemoryPages, useNews, useSaid, type Said } from './talk.ts';

/** PAGE-85: the inherited messages, a dividing line, the messages of this sidebar, and a box to write more. */
export const ConversationTab = ({ sidebar }: { readonly sidebar: Sidebar }) => {
  const actor = useActor();
  const box = useRef<ChatBoxHandle>(null);
  const foot = useKeptFocus();
  const chat = useChat(sidebar);
  const news = useNews(sidebar.id);
  const local = useMemoryPages(sidebar.id, 'local', true);
  const hasOrigin = sidebar.origin.kind !== 'none';
  const isAtLine = local.data !== undefined && !local.hasNextPage;
  // Inherited messages come before the sidebar's own, and load only when somebody scrolls up to them.
  const [isOpened, setIsOpened] = useState(false);
  const inherited = useMemoryPages(sidebar.id, 'inherited', hasOrigin && isOpened);
  const known = useSaid(local.data);
  const said = useMemo(() => together(known, news), [known, news]);
  const before = useSaid(inherited.data);
  const { scroll, content, hasNews, toEnd } = useTalkScroll(before[0]?.key ?? said[0]?.key, said.at(-1)?.key);
  useScrollTo(said.length, local.hasNextPage && !local.isFetching ? () => void local.fetchNextPage() : null);
  const canAct = actor !== null && !isEnded(sidebar.status);
  const cite = useCallback((ref: string) => box.current?.cite(ref), []);
  const reply = useCallback((one: Said) => (one.ref === null ? undefined : box.current?.replyTo(one.ref)), []);

  return (
    <GoldMarking sidebarId={sidebar.id}>
      <div className="talk">
        {/* Makes it focusable, so that people without a mouse can scroll it with the keys. */}
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
        <div ref={scroll} className="talk-scroll" role="region" aria-label={`Conversation of ${sidebar.ref}`} tabIndex={0}>
          <div ref={content} className="talk-content">
            {local.isError ? <Failure title="Couldn’t load the conversation" error={local.error} onRetry={() => void local.refetch()} /> : null}
            {local.isPending ? <Skeleton lines={5} label="Loading conversation" /> : null}
            {local.hasNextPage ? (
              <Earlier
                label="Earlier messages"
                isLoading={local.isFetchingNextPage}
                onLoad={() => void local.fetchNextPage()}
                page={local.data?.pages.length ?? 0}
              />
            ) : null}
            {isAtLine && hasOrigin ? (
              <>
                {inherited.isError ? (
                  <Failure title="Couldn’t load inherited messages" error={inherited.error} onRetry={() => void inherited.refetch()} />
                ) : null}
                {inherited.data === undefined && !inherited.isError ? (
                  <Earlier label="Show inherited messages" isLoading={inherited.isFetching} onLoad={() => setIsOpened(true)} page={0} />
                ) : null}
                {inherited.hasNextPage ? (
                  <Earlier
                    label="Earlier inherited messages"
                    isLoading={inherited.isFetchingNextPage}
                    onLoad={() => void inherited.fetchNextPage()}
                    page={inherited.data?.pages.length ?? 0}
                  />
                ) : null}
                <InheritedMemory sidebar={sidebar} said={before} canAct={canAct} onCite={canAct ? cite : null} />
              </>
            ) : null}
            {isAtLine ? <BranchLine sidebar={sidebar} /> : null}
            {said.length === 0 && local.data !== undefined ? (
              <Empty icon={MessageSquareDashed} title={isEnded(sidebar.status) ? 'No messages' : 'No messages yet'} />
            ) : (
              <TalkList said={said} actorId={actor?.id ?? null} onReply={canAct ? reply : null} onCite={canAct ? cite : null} />
            )}
          </div>
        </div>
        <SaidNews said={said} isReady={local.isFetchedAfterMount} actorId={actor?.id ?? null} />
        <div ref={foot} className="talk-foot">
          {hasNews ? (
            <div className="talk-news">
              <Button variant="primary" size="small" icon={ArrowDown} onClick={toEnd}>
                New messages
              </Button>
            </div>
          ) : null}
          {canAct && (worksIn(sidebar, actor.id) || actor.id === OPERATOR.id) ? (
            <ChatBox sidebar={sidebar} chat={chat} handle={box} onSaid={toEnd} />
          ) : (
            <ChatClosed sidebar={sidebar} chat={chat} />
          )}
        </div>
      </div>
    </GoldMarking>
  );
};

/** Everything above it is inherited and never changes; everything below it happens here. */
const BranchLine = ({ sidebar: { ref, origin, createdAt } }: { readonly sidebar: Sidebar }) => {
  const words = { none: 'starts here', fork: 'forked here', session: 'starts here', sidebar: 'starts here' }[origin.kind];
  return (
    <div className="talk-line" role="separator" aria-label={`${ref} ${words}`}>
      <span>
        <GitBranch aria-hidden />
        {ref} {words} · <Moment at={createdAt} />
      </span>
    </div>
  );
};

/** `?at=MSG-12` scrolls to that message, loading earlier pages until it is there. */
const useScrollTo = (shown: number, loadMore: (() => void) | null): void => {
  const [params] = useSearchParams();
  const at = params.get('at');
  const done = useRef<string | null>(null);
  useEffect(() => {
    if (at === null || done.current === at) return;
    const element = document.getElementById(at.toUpperCase());
    if (element === null) {
      loadMore?.();
      return;
    }
    done.current = at;
    element.scrollIntoView({ block: 'center' });
    element.dataset['sought'] = 'true';
    // Searches again only when there are more messages, not on any other change.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [at, shown, loadMore === null]);
};

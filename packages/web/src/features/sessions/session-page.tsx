import { lazy, Suspense, useCallback, useEffect, useMemo, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { useAsk, useSessionNews } from '../../live/hooks.tsx';
import { AskRefused } from '../../live/refusal.ts';
import { useNow } from '../../ui/now.tsx';
import { Page } from '../../ui/page.tsx';
import { Failure } from '../../ui/state.tsx';
import { TextReadingProvider } from '../../ui/text-reading.tsx';
import { counted } from '../../ui/wording.ts';
import { turnsIn } from '../../shared/activity.ts';
import { doingText } from '../../shared/titles.ts';
import { AnsweredPermission, PermissionRequests } from '../permissions/permission-requests.tsx';
import { isOpen, usePermissions } from '../permissions/permissions.ts';
import { AgentPanel } from './agent-panel.tsx';
import { ExportDialog } from './export-dialog.tsx';
import { FindBar } from './find-bar.tsx';
import { FlowDeedsProvider, OpenAgentProvider, OpenedProvider, SubAgentsProvider, type FlowDeeds } from './flow-context.ts';
import type { Step } from './flow-pages.ts';
import { FlowView } from './flow-view.tsx';
import { keepPlace, keptPlace } from './history-place.ts';
import { useLatest } from './latest.ts';
import { useNarrow } from './narrow.ts';
import { ReaderProvider } from './reader.tsx';
import { SessionActions } from './session-actions.tsx';
import { sessionAddress, sessionPath, type SessionAddress } from './session-address.ts';
import { SessionCounts } from './session-counts.tsx';
import { SessionCrumbs, SessionFacts, titleOf, type Doing, type SessionDetail } from './session-head.tsx';
import './session-page.css';
import { SessionSidebarsProvider } from './session-sidebars-context.tsx';
import { ForkProvider } from '../runs/fork-provider.tsx';
import { SubAgentList } from './sub-agent-list.tsx';
import { useSubAgents } from './sub-agents.ts';

const SessionContext = lazy(async () => ({ default: (await import('./session-context.tsx')).SessionContext }));
const SessionOutline = lazy(async () => ({ default: (await import('./session-outline.tsx')).SessionOutline }));
const Composer = lazy(async () => ({ default: (await import('../runs/composer.tsx')).Composer }));
const StartingSession = lazy(async () => ({ default: (await import('../runs/starting-session.tsx')).StartingSession }));
const SpawnDialog = lazy(async () => ({ default: (await import('../sidebars/spawn-dialog.tsx')).SpawnDialog }));

/** PAGE-310: the permission requests of this session. */
const SessionPermissions = ({ sessionId }: { readonly sessionId: string }) => {
  const asked = (usePermissions().data?.items ?? []).filter((one) => one.sessionId === sessionId);
  const isAsked = asked.some(isOpen);
  const [hasAsked, setHasAsked] = useState(isAsked);
  if (isAsked && !hasAsked) setHasAsked(true);
  // PAGE-312: the last answer takes the place of its request.
  const last = hasAsked ? asked.findLast((one) => !isOpen(one)) : undefined;
  if (!isAsked && last === undefined) return null;
  return (
    <div className="session-permissions">
      {isAsked ? <PermissionRequests requests={asked} /> : last === undefined ? null : <AnsweredPermission request={last} />}
    </div>
  );
};

/** A session: its conversation, a sub-agent's next to it, and the actions on both. */
export const SessionPage = ({ sessionId }: { readonly sessionId: string }) => (
  <SessionSidebarsProvider sessionId={sessionId}>
    <ReaderProvider>
      <SessionView sessionId={sessionId} />
    </ReaderProvider>
  </SessionSidebarsProvider>
);

const SessionView = ({ sessionId }: { readonly sessionId: string }) => {
  const search = useSearch();
  const [, navigate] = useLocation();
  const address = useMemo(() => sessionAddress(sessionId, new URLSearchParams(search)), [sessionId, search]);
  const go = useCallback(
    (change: Partial<SessionAddress>, isReplacing = false) => navigate(sessionPath({ ...address, ...change }), { replace: isReplacing }),
    [navigate, address],
  );
  const { data: session, error, refetch } = useAsk('session', { id: sessionId });
  useSessionNews(session?.sessionId ?? null, () => void refetch(), 3000);
  // A URL may hold just the first characters of an id. Events carry the whole id, so use that from here on.
  const wholeId = session?.sessionId ?? sessionId;
  useEffect(() => {
    if (wholeId !== sessionId) go({ sessionId: wholeId }, true);
  }, [wholeId, sessionId, go]);
  const doing = useDoing(session);
  const agents = useSubAgents(wholeId, session !== undefined && session.sidechains > 0);
  const [isFinding, setIsFinding] = useState(false);
  const [found, setFound] = useState<Found>(NOTHING_FOUND);
  const words = isFinding && found.at === address.at ? found.words : NOTHING_FOUND.words;
  const [isShowingContext, setIsShowingContext] = useState(false);
  const [isCounting, setIsCounting] = useState(false);
  const [isExporting, setIsExporting] = useState(false);
  const [isOutlined, setIsOutlined] = useState(false);
  const [branching, setBranching] = useState<{ readonly parentId: string; readonly about: string } | null>(null);
  const isNarrow = useNarrow();
  const title = titleOf(session, sessionId);

  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      const isTyping =
        event.target instanceof HTMLElement && event.target.closest('input, textarea, select, [contenteditable], [role=dialog]') !== null;
      if (event.defaultPrevented || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === 'f') {
        event.preventDefault();
        setIsFinding(true);
      } else if (event.key === 'o') {
        event.preventDefault();
        setIsOutlined((is) => !is);
      } else if (event.key === 'Escape' && isFinding) setIsFinding(false);
      else if (event.key === 'Escape' && address.thread !== null) go({ thread: null, at: null });
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, [isFinding, address.thread, go]);

  const branchOff = useCallback(
    (step: Step) => setBranching({ parentId: step.ref ?? '', about: `${step.ref ?? 'a message'} of “${title}”` }),
    [title],
  );

  const askAgain = useCallback(() => void refetch(), [refetch]);
  // A refetch clears the error, so keep it.
  const [unknown, setUnknown] = useState<Error | null>(null);
  if (error !== null && error !== unknown && isUnknown(error)) setUnknown(error);
  const failed = error ?? unknown;
  if (failed !== null && session === undefined) {
    const above = <SessionCrumbs session={undefined} />;
    const failure = (
      <Page title={`Session ${sessionId.slice(0, 8)}`} above={above}>
        <Failure title="Couldn’t load this session" error={failed} onRetry={() => void refetch()} />
      </Page>
    );
    if (!isUnknown(failed)) return failure;
    return (
      <Suspense fallback={failure}>
        <StartingSession sessionId={sessionId} above={above} otherwise={failure} onSaid={askAgain} />
      </Suspense>
    );
  }
  return (
    <Page
      layout="fill"
      title={title}
      intro="session"
      above={<SessionCrumbs session={session} />}
      subtitle={
        session === undefined ? (
          <span className="session-facts">Loading session</span>
        ) : (
          <SessionFacts
            session={session}
            doing={doing}
            agents={<SubAgentList count={session.sidechains} agents={agents} openId={address.thread} onOpen={(thread) => go({ thread, at: null })} />}
          />
        )
      }
      actions={
        <SessionActions
          sessionId={wholeId}
          tool={session?.tool ?? null}
          project={session?.project ?? null}
          isFinding={isFinding}
          onFind={() => setIsFinding(!isFinding)}
          isShowingContext={isShowingContext}
          onContext={() => setIsShowingContext(!isShowingContext)}
          isCounting={isCounting}
          onCount={() => setIsCounting(!isCounting)}
          onBranch={() => setBranching({ parentId: wholeId, about: `the latest message of “${title}”` })}
          onExport={() => setIsExporting(true)}
          session={session}
          isOutlined={isOutlined}
          onOutline={() => setIsOutlined(!isOutlined)}
        />
      }
    >
      <ForkProvider sessionId={wholeId} tool={session?.tool ?? null}>
        <TextReadingProvider isSoon>
          {isFinding ? (
            <FindBar
              sessionId={wholeId}
              onGo={(at, thread, terms) => {
                setFound({ at, words: terms });
                go({ at, thread, through: null });
              }}
              onClose={() => setIsFinding(false)}
            />
          ) : null}
          <SessionPermissions sessionId={wholeId} />
          {isShowingContext ? (
            <Suspense fallback={null}>
              <SessionContext sessionId={wholeId} address={address} onClose={() => setIsShowingContext(false)} />
            </Suspense>
          ) : null}
          {isCounting && session !== undefined ? <SessionCounts session={session} onClose={() => setIsCounting(false)} /> : null}
          <SubAgentsProvider value={agents}>
            <OpenAgentProvider value={address.thread}>
              <div className="session-body">
                {isOutlined ? (
                  <Suspense fallback={null}>
                    <SessionOutline
                      address={{ sessionId: wholeId, thread: address.thread ?? 'main', through: address.thread === null ? address.through : null }}
                      at={address.at}
                      onGo={(ref) => {
                        if (isNarrow) setIsOutlined(false);
                        go({ at: ref });
                      }}
                      onClose={() => setIsOutlined(false)}
                    />
                  </Suspense>
                ) : null}
                <div className="session-main" inert={isNarrow && (isOutlined || address.thread !== null)}>
                  <Conversation
                    address={address}
                    thread="main"
                    words={words}
                    go={go}
                    branchOff={branchOff}
                    label={`Conversation of ${title}`}
                    emptiness={emptinessOf(session)}
                  />
                </div>
                {address.thread === null ? null : (
                  <AgentPanel
                    sessionId={wholeId}
                    agentId={address.thread}
                    agents={agents}
                    onClose={() => go({ thread: null, at: null })}
                    onOpen={(thread) => go({ thread, at: null })}
                  >
                    <Conversation
                      key={address.thread}
                      address={address}
                      thread={address.thread}
                      words={words}
                      go={go}
                      branchOff={branchOff}
                      label="Conversation of the sub-agent"
                      emptiness="This sub-agent has no messages."
                    />
                  </AgentPanel>
                )}
              </div>
            </OpenAgentProvider>
          </SubAgentsProvider>
          <Suspense fallback={null}>
            <Composer sessionId={wholeId} />
          </Suspense>
        </TextReadingProvider>
      </ForkProvider>
      <ExportDialog isOpen={isExporting} onClose={() => setIsExporting(false)} sessionId={wholeId} through={address.through} />
      {branching === null ? null : (
        <Suspense fallback={null}>
          <SpawnDialog isOpen onClose={() => setBranching(null)} parentId={branching.parentId} about={branching.about} />
        </Suspense>
      )}
    </Page>
  );
};

/** The latest search hit. */
type Found = { readonly at: string | null; readonly words: readonly string[] };

const NOTHING_FOUND: Found = { at: null, words: [] };

type ConversationProps = {
  readonly address: SessionAddress;
  readonly thread: string;
  readonly words: readonly string[];
  readonly go: (change: Partial<SessionAddress>, isReplacing?: boolean) => void;
  readonly branchOff: (step: Step) => void;
  readonly label: string;
  readonly emptiness: string;
};

/** One of the conversations, with its actions. */
const Conversation = ({ address, thread, words, go, branchOff, label, emptiness }: ConversationProps) => {
  const { sessionId } = address;
  const isMain = thread === 'main';
  // The requested message belongs to the conversation in front.
  const isFront = isMain === (address.thread === null);
  const at = isFront ? address.at : null;
  const place = `step in ${thread}`;
  // PAGE-160: a returning reader is back where they were, until they go elsewhere.
  const [resumed, setResumed] = useState(() => {
    const kept = keptPlace(place);
    return typeof kept === 'string' ? { uuid: kept, at } : null;
  });
  if (resumed !== null && resumed.at !== at) setResumed(null);
  const through = isMain ? address.through : null;
  const [opened] = useState(() => new Map<string, boolean>());
  const latest = useLatest(go);
  const deeds = useMemo(
    (): FlowDeeds => ({
      sessionId,
      thread,
      openAgent: (agentId) => latest.current({ thread: agentId, at: null }),
      show: (ref) => latest.current({ at: ref, thread: isMain ? null : thread }),
      takeBranch: (uuid) => latest.current({ through: uuid, at: uuid, thread: null }),
      branchOff,
      pathOf: ({ ref, uuid }) => sessionPath({ sessionId, at: ref ?? uuid, thread: isMain ? null : thread, through: null }),
    }),
    [sessionId, thread, isMain, branchOff, latest],
  );
  const onElsewhere = useCallback((other: string) => latest.current({ thread: other === 'main' ? null : other }, true), [latest]);
  return (
    <FlowDeedsProvider value={deeds}>
      <OpenedProvider value={opened}>
        <FlowView
          address={{ sessionId, thread, through }}
          at={resumed?.uuid ?? at}
          isResumed={resumed !== null}
          words={isFront ? words : NOTHING_FOUND.words}
          isFront={isFront}
          label={label}
          emptiness={emptiness}
          onElsewhere={onElsewhere}
          onForget={() => {
            setResumed(null);
            go({ at: null });
          }}
          onActive={() => go({ through: null, at: null })}
          onPlace={(uuid) => keepPlace(place, uuid)}
        />
      </OpenedProvider>
    </FlowDeedsProvider>
  );
};

/** What the session is doing, while it is being written to. */
const useDoing = (session: SessionDetail | undefined): Doing | null => {
  const now = useNow();
  const isRecent = session?.endedAt != null && now - Date.parse(session.endedAt) < RECENT_MS;
  const { data, refetch } = useAsk('activity', {}, { isWanted: isRecent, everyMs: 15_000 });
  // PAGE-152: updates with every new entry, not only with the next poll of all sessions.
  useSessionNews(isRecent ? session.sessionId : null, () => void refetch(), 1000);
  const active = isRecent ? data?.sessions.find((one) => one.sessionId === session.sessionId) : undefined;
  if (data === undefined || active === undefined) return null;
  return { turn: turnsIn(data).get(active.sessionId) ?? 'quiet', what: active.doing === null ? null : doingText(active.doing) };
};

/** Unknown to the server so far: the session may be about to begin. */
const isUnknown = (error: Error): boolean => error instanceof AskRefused && error.code === 'not-found';

const RECENT_MS = 15 * 60_000;

/** PAGE-26: why the conversation is empty. */
const emptinessOf = (session: SessionDetail | undefined): string => {
  if (session === undefined) return 'No messages yet.';
  if (session.entries === 0) return 'The session file has no readable lines.';
  const lines = `The session file has ${counted(session.entries, 'record')}`;
  if (session.sidechains > 0 && session.messages === 0) return `${lines}, all from sub-agents. The main conversation is missing.`;
  return session.quarantined > 0
    ? `${lines} but no messages; ${counted(session.quarantined, 'line')} couldn’t be read.`
    : `${lines} but no messages. It was opened and closed again.`;
};

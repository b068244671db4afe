import { CircleAlert, History, Info, Lock, PlugZap, RefreshCw } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { useEffect, useState, type ReactNode } from 'react';
import { useActor, useAsk, useConnection, useRestores, useServerNotice } from '../live/hooks.tsx';
import { readOnlyReason } from '../live/live.ts';
import { Button } from '../ui/button.tsx';
import './banners.css';
import { RefusedCommands } from './refused-commands.tsx';
import { UnsavedItems } from './unsaved-items.tsx';

type BannerProps = { readonly tone: 'info' | 'warn' | 'bad'; readonly icon: LucideIcon; readonly children: ReactNode; readonly action?: ReactNode };

const Banner = ({ tone, icon: Icon, children, action }: BannerProps) => (
  <div className={`banner banner-${tone}`} role={tone === 'bad' ? 'alert' : 'status'}>
    <Icon aria-hidden />
    <div className="banner-text">{children}</div>
    {action}
  </div>
);

/** Messages for the whole page: connection lost, sign-in failed, server stopping, board read-only, new version, commands refused unseen. */
export const Banners = ({ entranceTrouble, onLeave }: { readonly entranceTrouble: string | null; readonly onLeave: () => void }) => {
  const state = useConnection();
  const actor = useActor();
  const notice = useServerNotice();
  return (
    <>
      {state.kind === 'waiting' || state.kind === 'connecting' ? <Lost why={state.kind === 'waiting' ? state.why : null} /> : null}
      {state.kind === 'refused' ? (
        <Banner tone="bad" icon={CircleAlert} action={<Button onClick={onLeave}>Continue read-only</Button>}>
          The server refused the connection: {state.why}.
        </Banner>
      ) : null}
      {notice?.type === 'system_shutdown' && notice.cancelled !== true ? (
        <Banner tone="warn" icon={PlugZap}>
          {notice.message} (in {notice.countdownSeconds} s)
        </Banner>
      ) : null}
      {entranceTrouble !== null && actor === null ? (
        <Banner tone="warn" icon={Info}>
          {entranceTrouble}
        </Banner>
      ) : null}
      <Restored />
      <RefusedCommands />
      <UnsavedItems />
      <ReadOnlyBoard />
      <OtherVersion />
    </>
  );
};

/** Only after a moment: a connection that returns at once is not worth a message. Each retry belongs to the same loss. */
const Lost = ({ why }: { readonly why: string | null }) => {
  const [isShown, setIsShown] = useState(false);
  const [known, setKnown] = useState(why);
  if (why !== null && why !== known) setKnown(why);
  useEffect(() => {
    const timer = setTimeout(() => setIsShown(true), 1500);
    return () => clearTimeout(timer);
  }, []);
  return isShown ? (
    <Banner tone="warn" icon={PlugZap}>
      {known === null ? 'Connecting to the server…' : 'Connection lost. Reconnecting…'} Anything you send will be delivered.
    </Banner>
  ) : null;
};

/** WIRE-41: the page reloads its data by itself, but what users remember from before may be gone. */
const Restored = () => {
  const restores = useRestores();
  const [read, setRead] = useState(0);
  return restores <= read ? null : (
    <Banner tone="warn" icon={History} action={<Button onClick={() => setRead(restores)}>Dismiss</Button>}>
      An older copy of this board was restored. The page now shows that copy; newer messages and numbers may be gone or reused.
    </Banner>
  );
};

/** PAGE-198 */
const ReadOnlyBoard = () => {
  const { data } = useAsk('status', {}, { staleMs: 60_000 });
  const why = data === undefined ? null : readOnlyReason(data);
  return why === null ? null : (
    <Banner tone="warn" icon={Lock}>
      {why}
    </Banner>
  );
};

const OtherVersion = () => {
  const { data } = useAsk('status', {}, { staleMs: 60_000 });
  const [first, setFirst] = useState<string | null>(null);
  const version = data?.version ?? null;
  if (first === null && version !== null) setFirst(version);
  if (first === null || version === null || first === version) return null;
  return (
    <Banner
      tone="info"
      icon={RefreshCw}
      action={
        <Button variant="primary" onClick={() => location.reload()}>
          Reload
        </Button>
      }
    >
      Yarnboard was updated to {version}. Reload to use it (this page is {first}).
    </Banner>
  );
};

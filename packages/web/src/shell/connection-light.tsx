import { Eye, LoaderCircle, Unplug, UserRound } from 'lucide-react';
import { Link } from 'wouter';
import { useActor, useConnection } from '../live/hooks.tsx';
import './connection-light.css';
import { Tooltip } from '../ui/tooltip.tsx';

/** Whether the page is connected, and as whom. */
export const ConnectionLight = () => {
  const state = useConnection();
  const actor = useActor();
  const { kind, icon: Icon, text, more } = lightOf(state.kind, actor?.id ?? null);
  return (
    <Tooltip text={more}>
      <Link href="/settings" className={`connection-light connection-light-${kind}`}>
        <Icon aria-hidden />
        <span className="connection-light-text" role="status">
          {text}
        </span>
      </Link>
    </Tooltip>
  );
};

const lightOf = (kind: ReturnType<typeof useConnection>['kind'], actor: string | null) => {
  if (kind === 'open') {
    return actor === null
      ? {
          kind: 'reading',
          icon: Eye,
          text: 'Read-only',
          more: 'You can read everything. Run `yarnboard open` to sign in and make changes.',
        }
      : { kind: 'open', icon: UserRound, text: 'Connected', more: `Signed in as ${actor}` };
  }
  if (kind === 'connecting' || kind === 'waiting') {
    return {
      kind: 'lost',
      icon: LoaderCircle,
      text: 'Connecting…',
      more: 'Reconnecting to the server. Nothing you send is lost.',
    };
  }
  return { kind: 'gone', icon: Unplug, text: 'Offline', more: 'The server refused the connection. Reload the page.' };
};

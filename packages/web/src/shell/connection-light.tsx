import { Eye, LoaderCircle, Unplug, UserRound } from 'lucide-react';
import { Link } from 'wouter';
import { useActor, useConnection } from '../live/hooks.tsx';
import './connection-light.css';
import { Tooltip } from '../ui/tooltip.tsx';

/** Whether the page hears the server, and as whom it speaks. */
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
          text: 'Reading',
          more: 'Connected without a token: everything can be read, nothing done. `yarnboard open` gives you a link that lets you act.',
        }
      : { kind: 'open', icon: UserRound, text: 'Live', more: `Connected as ${actor}` };
  }
  if (kind === 'connecting' || kind === 'waiting') {
    return {
      kind: 'lost',
      icon: LoaderCircle,
      text: 'Connecting',
      more: 'The server does not answer; it is tried again, and nothing you send is lost',
    };
  }
  return { kind: 'gone', icon: Unplug, text: 'Not connected', more: 'The server refused the connection; reload the page' };
};

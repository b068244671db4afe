import { Switch } from '../../ui/field.tsx';
import { useNotifications, type NotificationState } from './notifications.ts';

/** PAGE-46: asks the browser for permission when switched on, never by itself. */
export const NotificationSwitch = () => {
  const { kind, choose } = useNotifications();
  return (
    <Switch
      label="Browser notifications"
      hint={HINTS[kind]}
      isOn={kind === 'on'}
      isDisabled={kind === 'missing' || kind === 'blocked'}
      onChange={(isOn) => void choose(isOn)}
    />
  );
};

const HINTS = {
  on: 'You get a notification when an agent finishes or needs you, or the server is in trouble, while this tab is in the background.',
  off: 'Get a browser notification when an agent finishes or needs you, or the server is in trouble, while this tab is in the background.',
  blocked: 'Your browser blocks notifications from this page. Allow them in its site settings.',
  missing: 'This browser doesn’t support notifications.',
} as const satisfies Record<NotificationState['kind'], string>;

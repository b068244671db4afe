import { Switch } from '../../ui/field.tsx';
import { useNotifications, type NotificationState } from './notifications.ts';

/** PAGE-46: asks the browser for leave when it is switched on, never by itself. */
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
  on: 'The browser tells you what waits for you and which turns are done, while this page is out of sight.',
  off: 'Be told by the browser what waits for you and which turns are done, while this page is out of sight.',
  blocked: 'The browser does not let this page notify you; its settings for this site can change that.',
  missing: 'This browser has no notifications.',
} as const satisfies Record<NotificationState['kind'], string>;

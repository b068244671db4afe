import { useCallback, useEffect, useState } from 'react';

export type NotificationState = {
  /** `blocked`: the browser denies permission. `missing`: it has no notifications. */
  readonly kind: 'on' | 'off' | 'blocked' | 'missing';
  /** Asks the browser for permission if necessary; only call it on a click. */
  readonly choose: (isOn: boolean) => Promise<void>;
};

/** PAGE-46: whether the user wants to be notified; kept in this browser. */
export const useNotifications = (): NotificationState => {
  const [kind, setKind] = useState(kindNow);
  useEffect(() => {
    // Another tab may have changed the setting.
    const listen = (): void => setKind(kindNow());
    addEventListener('storage', listen);
    addEventListener(CHANGED, listen);
    return () => {
      removeEventListener('storage', listen);
      removeEventListener(CHANGED, listen);
    };
  }, []);
  const choose = useCallback(async (isOn: boolean) => {
    if (isOn && 'Notification' in globalThis && Notification.permission === 'default') await Notification.requestPermission();
    localStorage.setItem(KEY, isOn ? 'on' : 'off');
    dispatchEvent(new Event(CHANGED));
  }, []);
  return { kind, choose };
};

const kindNow = (): NotificationState['kind'] => {
  if (!('Notification' in globalThis)) return 'missing';
  if (Notification.permission === 'denied') return 'blocked';
  return Notification.permission === 'granted' && localStorage.getItem(KEY) === 'on' ? 'on' : 'off';
};

const KEY = 'yarnboard.notifications';
/** Several parts of the page show the same switch. */
const CHANGED = 'yarnboard:notifications';

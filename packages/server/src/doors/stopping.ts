import type { ClientCounts } from './client-counts.ts';

export type StopWish = {
  readonly countdownSeconds: number;
  readonly message: string | null;
  /** Whether the countdown applies only if somebody is connected. */
  readonly ifConnected: boolean;
};

export type StopAnswer = { readonly stopping: boolean; readonly countdownSeconds: number; readonly connected: number };

/** SRV-22: an announced stop. A new one replaces it, and it can be cancelled. */
export type Stopping = { readonly stop: (wish: StopWish) => StopAnswer; readonly callOff: () => StopAnswer };

type Heard = { readonly counts: () => ClientCounts; readonly warn: (message: string, seconds: number) => void; readonly callOff: () => void };

export const createStopping = (hub: () => Heard | null, onStop: () => void): Stopping => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const connected = (): number => hub()?.counts().clients ?? 0;
  return {
    stop: ({ countdownSeconds: wished, message, ifConnected }) => {
      clearTimeout(timer);
      const countdownSeconds = ifConnected && connected() === 0 ? 0 : wished;
      const answer = { stopping: true, countdownSeconds, connected: connected() };
      if (countdownSeconds === 0) {
        onStop();
        return answer;
      }
      hub()?.warn(message ?? 'the server stops', countdownSeconds);
      // Anything else that ends the process doesn't wait for it.
      timer = setTimeout(onStop, countdownSeconds * 1000).unref();
      return answer;
    },
    callOff: () => {
      clearTimeout(timer);
      timer = undefined;
      hub()?.callOff();
      return { stopping: false, countdownSeconds: 0, connected: connected() };
    },
  };
};

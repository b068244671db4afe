import type { BoardServers } from './board-servers.ts';
import { failedTask, liveStateOf, type BoardState } from './board-state.ts';
import type { Hub } from './doors/ws/hub.ts';
import type { Runner } from './followers/runner.ts';
import type { TurnKeeper } from './followers/turns.ts';
import type { Progress } from './ingest/ingest.ts';
import type { LiveState } from './ingest/live.ts';
import type { Indexer } from './threads/indexer.ts';
import type { WriterEvent } from './threads/writer.ts';

/** What events of the writer wake up. These parts appear one after the other while a board is opened. */
export type Woken = {
  indexer: Indexer;
  hub: Hub | null;
  keeper: TurnKeeper | null;
  symptoms: Runner | null;
  neighbours: Pick<BoardServers, 'committed' | 'isGone'> | null;
};

type Options = {
  readonly now: BoardState;
  readonly woken: Woken;
  readonly onProgress: (progress: Progress) => void;
  readonly onState: (state: LiveState) => void;
  readonly onFault: (cause: unknown) => void;
};

export type BoardEvents = {
  readonly onEvent: (event: WriterEvent) => void;
  /** Resolves when the latest drops are out of the index. */
  readonly dropped: () => Promise<void>;
};

/** The consequences of the writer's events. */
export const createBoardEvents = ({ now, woken, onProgress, onState, onFault }: Options): BoardEvents => {
  let dropping: Promise<void> = Promise.resolve();
  const onEvent = (event: WriterEvent): void => {
    switch (event.kind) {
      case 'committed':
        woken.indexer.wake().catch(() => {}); // a thread that ended has reported it
        woken.hub?.wake(event.position);
        woken.neighbours?.committed(event.position);
        // Imported messages are old: nobody waits for their turns.
        if (now.live.kind !== 'importing' && !event.isDecided) {
          woken.keeper?.wake();
          woken.symptoms?.wake();
        }
        break;
      case 'progress':
        now.progress = event.progress;
        onProgress(event.progress);
        break;
      case 'pending':
        now.pending = event.sessions;
        break;
      case 'state':
        now.live = event.state;
        onState(event.state);
        break;
      case 'dropped':
        woken.hub?.forget();
        dropping = woken.indexer.drop(event.positions);
        dropping.then(
          () => now.tasks.delete('forgetting'),
          (cause: unknown) => {
            now.tasks.set('forgetting', failedTask('forgetting', cause, Date.now()));
            onFault(cause);
          },
        );
        break;
      case 'task':
        now.tasks.set(event.state.name, event.state);
        if (event.state.name === 'writing') onState(liveStateOf(now));
        break;
    }
  };
  return { onEvent, dropped: () => dropping };
};

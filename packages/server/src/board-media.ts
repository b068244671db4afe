import type { Store, SweptMedia } from '@yarnboard/store';
import type { MediaDoor } from './doors/http/app.ts';
import type { Engine } from './engine/engine.ts';
import { mediaSweep, NOTHING_SWEPT } from './followers/media-sweep.ts';
import type { Followers } from './followers/runner.ts';
import { keptMedia, openMedia, takeUpload } from './operations/board/media.ts';
import type { Writer } from './threads/writer.ts';

export type BoardMedia = { readonly door: MediaDoor; readonly swept: () => SweptMedia };

type Parts = {
  readonly writer: Writer;
  readonly store: Store;
  readonly engine: Engine;
};

/**
 * The media of an open board: how their bytes come and go, and who removes unreferenced ones. A command that opens a board leaves that to a server.
 */
export const createBoardMedia = ({ writer, store, engine }: Parts, followers: Followers | null): BoardMedia => {
  let swept = NOTHING_SWEPT;
  followers
    ?.add(
      mediaSweep({
        sweep: writer.sweepMedia,
        kept: () => keptMedia(engine.board()),
        now: () => Date.now(),
        onSwept: ({ uploads, files, bytes }) => {
          swept = { uploads: swept.uploads + uploads, files: swept.files + files, bytes: swept.bytes + bytes };
        },
      }),
    )
    .wake();
  return {
    door: {
      take: (asker, bytes, announced) => takeUpload(writer, asker, bytes, announced),
      open: (id, isRevealed) => openMedia({ store, engine }, id, isRevealed),
    },
    swept: () => swept,
  };
};

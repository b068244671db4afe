import type { Store } from '@yarnboard/store';
import type { MediaDoor } from './doors/http/app.ts';
import type { Engine } from './engine/engine.ts';
import { NOTHING_SWEPT, startMediaSweep, type MediaSweep } from './followers/media-sweep.ts';
import { keptMedia, openMedia, takeUpload } from './operations/board/media.ts';
import type { Writer } from './threads/writer.ts';

export type BoardMedia = { readonly door: MediaDoor; readonly swept: MediaSweep['swept'] };

type Parts = {
  readonly writer: Writer;
  readonly store: Store;
  readonly engine: Engine;
  readonly onFault: (cause: unknown) => void;
};

/**
 * The media of an open board: how their bytes come and go, and who takes away what nobody refers to. Whoever opens a board for one command leaves that to
 * a server.
 */
export const createBoardMedia = (
  { writer, store, engine, onFault }: Parts,
  isSweeping: boolean,
  closeAlso: (close: () => Promise<void>) => void,
): BoardMedia => {
  const sweep = isSweeping
    ? startMediaSweep({ sweep: writer.sweepMedia, kept: () => keptMedia(engine.board()), now: () => Date.now(), onFault })
    : null;
  if (sweep !== null) closeAlso(sweep.close);
  return {
    door: {
      take: (asker, bytes, announced) => takeUpload(writer, asker, bytes, announced),
      open: (id, isRevealed) => openMedia({ store, engine }, id, isRevealed),
    },
    swept: () => sweep?.swept() ?? NOTHING_SWEPT,
  };
};

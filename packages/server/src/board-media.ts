import type { Store } from '@yarnboard/store';
import type { MediaDoor } from './doors/http/app.ts';
import type { Engine } from './engine/engine.ts';
import { NOTHING_SWEPT, startMediaSweep, type MediaSweep } from './followers/media-sweep.ts';
import { keptMedia, openMedia, takeUpload } from './operations/board/media.ts';
import type { Writer } from './threads/writer.ts';

export type BoardMedia = { readonly door: MediaDoor } & MediaSweep;

type Options = {
  readonly writer: Writer;
  readonly store: Store;
  readonly engine: Engine;
  /** Whoever opens a board for one command leaves what is left over to a server. */
  readonly isSweeping: boolean;
  readonly onFault: (cause: unknown) => void;
};

/** The media of an open board: how their bytes come and go, and who takes away what nobody refers to. */
export const createBoardMedia = ({ writer, store, engine, isSweeping, onFault }: Options): BoardMedia => {
  const sweep = isSweeping
    ? startMediaSweep({ sweep: writer.sweepMedia, kept: () => keptMedia(engine.board()), now: () => Date.now(), onFault })
    : { swept: () => NOTHING_SWEPT, close: async () => {} };
  return {
    door: {
      take: (asker, bytes, announced) => takeUpload(writer, asker, bytes, announced),
      open: (id) => openMedia({ store, engine }, id),
    },
    ...sweep,
  };
};

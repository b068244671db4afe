import { newToken, tokenHashOf } from '../home/token.ts';
import type { SeatPlace } from './port.ts';

/** RT-19: the seats' tokens. Only their hashes are kept, in memory, so a token dies with its seat or with the server. */
export type InstanceTokens = {
  readonly give: (place: SeatPlace) => string;
  readonly take: (place: SeatPlace) => void;
  /** The seat whose token has this hash. */
  readonly seatWith: (tokenHash: string) => SeatPlace | null;
};

export const createInstanceTokens = (): InstanceTokens => {
  const places = new Map<string, SeatPlace>();
  const take = ({ agent, sidebarId }: SeatPlace): void => {
    for (const [hash, place] of places) if (place.agent === agent && place.sidebarId === sidebarId) places.delete(hash);
  };
  return {
    give: (place) => {
      take(place);
      const token = newToken();
      places.set(tokenHashOf(token), place);
      return token;
    },
    take,
    seatWith: (tokenHash) => places.get(tokenHash) ?? null,
  };
};

import { lineOfAddition, textOfDocument, uniteCopies, withAdditions, type EmergencyAddition, type EmergencyDocument } from '@yarnboard/domain';
import { sha256 } from '../hash.ts';
import type { Copy, EmergencyCache, EmergencyPlace, Found, Kept, PlaceState } from './port.ts';

export type CacheOptions = {
  readonly places: readonly EmergencyPlace[];
  /** How long a place may take, in milliseconds. After that it counts as failed, and nobody waits for it. */
  readonly patience: number;
  /** The same for a place on another machine. */
  readonly farPatience?: number;
  readonly onFault: (cause: unknown) => void;
};

type Attempt = { readonly place: string; readonly isLocal: boolean; readonly why: string | null };

/** A document as this process knows it: what it last wrote, and what was added since. */
type Current = { document: EmergencyDocument; additions: EmergencyAddition[]; writes: number; bytes: number };

/** Additions to one document that go to the places together. */
type Group = { readonly cacheId: string; readonly isTrue: boolean; readonly additions: EmergencyAddition[]; readonly kept: Promise<Kept> };

type Standing = {
  failures: number;
  failing: string | null;
  turn: Promise<unknown>;
  /** A request to it is still unanswered: more requests would only pile up. */
  isHung: boolean;
  /** Documents of which it missed something: the next write replaces them as a whole. */
  readonly behind: Set<string>;
};

/** REC-5: everything goes to every place. A failing place is reported while the others carry on; it catches up once it is back. */
export const createEmergencyCache = ({ places, patience, farPatience = 1000, onFault }: CacheOptions): EmergencyCache => {
  const standings = new Map<string, Standing>(
    places.map(({ name }) => [name, { failures: 0, failing: null, turn: Promise.resolve(), isHung: false, behind: new Set() }]),
  );
  const current = new Map<string, Current>();
  const waiting: Group[] = [];
  let adding: Promise<unknown> = Promise.resolve();

  const standingOf = ({ name }: EmergencyPlace): Standing => {
    const standing = standings.get(name);
    if (standing === undefined) throw new Error(`there is no place ${name}`);
    return standing;
  };

  /** Operations in a place run one at a time: an addition must not overtake its document. */
  const inTurn = async <T>(place: EmergencyPlace, work: () => Promise<T>): Promise<T> => {
    const standing = standingOf(place);
    if (standing.isHung) throw new Error(`${place.name} has not answered yet`);
    const mine = standing.turn.then(work);
    standing.turn = mine.catch(() => {}); // reported to the caller
    const limit = place.isLocal ? patience : farPatience;
    return within(limit, mine, () => {
      standing.isHung = true;
      void standing.turn.then(() => {
        standing.isHung = false;
      });
      return new Error(`${place.name} did not answer within ${limit / 1000} s`);
    });
  };

  const attempt = async (place: EmergencyPlace, work: () => Promise<void>): Promise<Attempt> => {
    const { name, isLocal } = place;
    const standing = standingOf(place);
    try {
      await inTurn(place, work);
      standing.failing = null;
      return { place: name, isLocal, why: null };
    } catch (cause) {
      const why = whyOf(cause);
      const isNew = standing.failing !== why;
      standing.failures += 1;
      standing.failing = why;
      if (isNew) onFault(new Error(`the emergency cache could not be kept in ${name}: ${why}`, { cause }));
      return { place: name, isLocal, why };
    }
  };

  /** `isTrue`: it has happened, whatever becomes of it here. A command that is still queued has not, if it is refused. */
  const everywhere = async (cacheId: string, isTrue: boolean, work: (place: EmergencyPlace) => Promise<void>): Promise<Kept> => {
    const tried = async (place: EmergencyPlace): Promise<Attempt> => {
      const { behind } = standingOf(place);
      const done = await attempt(place, async () => {
        await (behind.has(cacheId) ? place.write(wholeOf(cacheId)) : work(place));
        behind.delete(cacheId);
      });
      if (done.why !== null) behind.add(cacheId);
      return done;
    };
    const local = await Promise.all(places.filter(({ isLocal }) => isLocal).map(tried));
    const durableIn = local.flatMap(({ place, why }) => (why === null ? [place] : []));
    // A remote place is an extra copy, and nobody waits for a network. If no local disk took it and it is refused, it must not be found remotely
    // either.
    if (isTrue || durableIn.length > 0) for (const place of places.filter(({ isLocal }) => !isLocal)) void tried(place);
    return {
      durableIn,
      failures: local.flatMap(({ place, why }) => (why === null ? [] : [{ place, why }])),
    };
  };

  const wholeOf = (cacheId: string): EmergencyDocument => {
    const known = current.get(cacheId);
    if (known === undefined) throw new Error(`nothing is known of ${cacheId}`);
    return withAdditions(known.document, known.additions);
  };

  /** REC-52: what no place took is refused, and a place that comes back must not learn of it. An outcome is true wherever it is kept. */
  const takeBack = (known: Current, additions: readonly EmergencyAddition[]): void => {
    const refused = new Set(additions.filter(({ kind }) => kind !== 'outcome'));
    known.additions = known.additions.filter((one) => !refused.has(one));
    known.writes -= refused.size;
    for (const one of refused) known.bytes -= lineOfAddition(one, sha256).length;
  };

  /** REC-6: what came while the places were busy is synced at once: many at a time cost as few syncs as one after the other. */
  const addTogether = async (group: Group): Promise<Kept> => {
    waiting.splice(waiting.indexOf(group), 1);
    const { cacheId, additions, isTrue } = group;
    const known = current.get(cacheId);
    if (known === undefined) throw new Error(`${cacheId} was removed before this could be added to it`);
    known.additions.push(...additions);
    known.writes += additions.filter(({ kind }) => kind !== 'outcome').length;
    known.bytes += additions.reduce((sum, one) => sum + lineOfAddition(one, sha256).length, 0);
    const kept = await everywhere(cacheId, isTrue, (place) => place.add(cacheId, additions));
    if (kept.durableIn.length === 0) takeBack(known, additions);
    return kept;
  };

  const findIn = async (place: EmergencyPlace): Promise<Found> => {
    try {
      return await inTurn(place, place.find);
    } catch (cause) {
      return { documents: [], doubtful: [{ kind: 'unreachable', why: whyOf(cause), place: place.name, where: place.name }] };
    }
  };

  return {
    prepare: async () => {
      await Promise.all(places.map((place) => attempt(place, place.prepare)));
    },
    write: (document) => {
      const known = current.get(document.cacheId);
      const whole = known === undefined ? document : withAdditions(document, known.additions);
      // Of a large board it takes a while, and no place should make it again.
      const text = textOfDocument(whole, sha256);
      current.set(document.cacheId, {
        document: whole,
        additions: [],
        writes: whole.pendingWrites.length + whole.pendingArchives.length,
        bytes: text.length,
      });
      return everywhere(document.cacheId, whole.resolvedAt !== null, (place) => place.write(whole, text));
    },
    add: async (cacheId, additions) => {
      if (additions.length === 0) return { durableIn: [], failures: [] };
      if (!current.has(cacheId)) throw new Error(`nothing is known of ${cacheId}; its document is written first`);
      const isTrue = additions.every(({ kind }) => kind === 'outcome');
      const last = waiting.at(-1);
      if (last?.cacheId === cacheId && last.isTrue === isTrue) {
        last.additions.push(...additions);
        return last.kept;
      }
      const group: Group = { cacheId, isTrue, additions: [...additions], kept: adding.then(() => addTogether(group)) };
      waiting.push(group);
      adding = group.kept.catch(() => {}); // reported to the callers
      return group.kept;
    },
    find: async () => {
      const found = await Promise.all(places.map(findIn));
      const documents = unite(found.flatMap((one) => one.documents));
      const copies = new Map(documents.map((document) => [document.cacheId, copiesOf(document, places, found)]));
      return { documents, doubtful: found.flatMap(({ doubtful }) => doubtful), copies };
    },
    remove: async (cacheId) => {
      current.delete(cacheId);
      await Promise.all(places.map((place) => attempt(place, () => place.remove(cacheId))));
    },
    used: (cacheId) => {
      const { writes = 0, bytes = 0 } = current.get(cacheId) ?? {};
      return { writes, bytes };
    },
    rooms: async () => {
      const rooms = places.map(async (place) => [place.name, await inTurn(place, place.room).catch(() => null)] as const); // `places` reports failures
      return new Map(await Promise.all(rooms));
    },
    sharing: async () => {
      const devices = places.flatMap((place) =>
        // `places` reports failures.
        place.isLocal && place.device !== undefined ? [{ name: place.name, on: inTurn(place, place.device).catch(() => null) }] : [],
      );
      const known = await Promise.all(devices.map(async ({ name, on }) => ({ name, on: await on })));
      return new Map(
        known.map(({ name, on }) => [
          name,
          on === null ? [] : known.filter((other) => other.name !== name && other.on === on).map((one) => one.name),
        ]),
      );
    },
    places: () =>
      places.map((place): PlaceState => {
        const { failures, failing } = standingOf(place);
        return { name: place.name, survives: place.survives, isLocal: place.isLocal, failures, failing };
      }),
    close: async () => {
      await adding;
      for (const place of places) {
        const limit = place.isLocal ? patience : farPatience;
        const late = (): Error => new Error(`${place.name} did not answer within ${limit / 1000} s`);
        await within(limit, standingOf(place).turn.then(place.close), late).catch(onFault);
      }
    },
  };
};

const copiesOf = (document: EmergencyDocument, places: readonly EmergencyPlace[], found: readonly Found[]): readonly Copy[] =>
  found.flatMap(({ documents }, i) =>
    documents.flatMap((copy) =>
      copy.cacheId === document.cacheId
        ? [{ place: places[i]?.name ?? '', agrees: JSON.stringify(copy) === JSON.stringify(document), updatedAt: copy.updatedAt }]
        : [],
    ),
  );

const unite = (documents: readonly EmergencyDocument[]): readonly EmergencyDocument[] => {
  const copies = new Map<string, EmergencyDocument[]>();
  for (const document of documents) copies.set(document.cacheId, [...(copies.get(document.cacheId) ?? []), document]);
  return [...copies.values()].flatMap((all) => uniteCopies(all) ?? []).toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
};

const whyOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));

const within = async <T>(limit: number, work: Promise<T>, late: () => Error): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(late());
    }, limit);
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
  }
};

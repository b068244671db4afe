import { randomUUID } from 'node:crypto';
import { rmSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { fileURLToPath } from 'node:url';
import { maskSecrets } from '@yarnboard/domain';
import { createLanguage, createTriggerIndex, createWeigher } from '@yarnboard/language';
import { createEmbedding, type Store } from '@yarnboard/store';
import { NOBODY_WATCHES, refusingIndexer } from './threads/read-only.ts';
import { withoutPassword } from './home/running-server.ts';
import { lockHome } from './threads/lock.ts';
import { verifierOf, type ThreadTask } from './threads/threads.ts';
import { counterOn, startCounter } from './threads/counter.ts';
import { mediaBesideLog } from './operations/board/media.ts';
import type { Writer } from './threads/writer.ts';
import type { Indexer } from './threads/indexer.ts';
import { releaseReserve } from './home/reserve.ts';
import { attending, memberOf, revokeTokens } from './doors/ws/presence.ts';
import { createEngine, type Engine } from './engine/engine.ts';
import { createKeeper, dutiesOf } from './followers/duties.ts';
import { crashDuties } from './followers/crash-duties.ts';
import { permissionDuties } from './followers/permission-duties.ts';
import { openDutyClock, sinceStart } from './followers/duty-clock.ts';
import { indexLag } from './followers/index-lag.ts';
import { snapshots } from './followers/snapshots.ts';
import { othersDecisions, othersRuns } from './followers/others.ts';
import { createFollowers, type FollowerState } from './followers/runner.ts';
import { snapshotIn, tellingSnapshot } from './engine/snapshot.ts';
import { createFailings } from './threads/failings.ts';
import { watchSymptoms } from './followers/symptoms.ts';
import { createApp, type App } from './doors/http/app.ts';
import { downloadSession } from './operations/download.ts';
import { epochOf, firstEpoch } from './threads/epoch.ts';
import { createBoardChecks } from './board-checks.ts';
import { createBoardMedia } from './board-media.ts';
import { createBoardRecovery, heldBy, keepStopMark } from './board-recovery.ts';
import { openBoardOutage } from './board-outage.ts';
import { openBoardRedis, openBoardServers } from './board-servers.ts';
import type { BoardOptions } from './board-options.ts';
import { after, createBoardSeats, type BoardSeats } from './board-seats.ts';
import { createEnvelopeSource } from './operations/envelopes.ts';
import { createMeters } from './doors/http/metrics.ts';
import { createPerform } from './operations/perform.ts';
import { createBoardEvents, type Woken } from './board-events.ts';
import { liveStateOf, type BoardState } from './board-state.ts';
import { openBoardStore } from './board-store.ts';
import { createClosers } from './closers.ts';
import { NO_CLIENTS } from './doors/client-counts.ts';
import { createStopping } from './doors/stopping.ts';
import { createHub, HUB_LIMITS, type Hub } from './doors/ws/hub.ts';
import { createMapperStates } from './sessions/envelopes/mapper-states.ts';
import type { OperationsNeeds } from './operations/handlers.ts';
import { Refused } from './operations/request/refusal.ts';
import type { Door } from './doors/identity.ts';
import { createPeers } from './doors/peer.ts';
import { knownToken, newToken, operatorToken } from './home/token.ts';
import { loadPage } from './doors/http/page.ts';
import { createPageLinks, type PageLink } from './operations/page-links.ts';
import { createCount, createShared } from './operations/request/questions.ts';
import { createStorage } from './operations/storage.ts';
import { createLaunches, LAUNCH_SWEEP, type Launches } from './launches/launches.ts';
import { homeIdIn, isOwnerGone, noOwner, ownerIn } from './launches/run-owner.ts';
import { createRuns, type Runs } from './launches/runs.ts';
import { loadSdk } from './launches/sdk.ts';
import { launchFolderOf } from './launches/spool.ts';
import { createTurnKeeper, type TurnKeeper } from './followers/turns.ts';
import { isExcludedBy, isExcludedFolder } from './home/settings.ts';
import { tellSettled } from './doors/ws/outage-news.ts';
import { refuseLost } from './recovery/last-known.ts';
import { openEmergencyCache } from './recovery/places.ts';
import type { Recovery } from './recovery/recovery.ts';
import { createKeptHeads, headsOf, warmHeads } from './sessions/kept-heads.ts';
import { createSessionLoader } from './sessions/session-loader.ts';

export type { BoardOptions };

/** A board that is open in this process, with its HTTP interface but without a port. */
export type OpenBoard = {
  readonly app: App;
  readonly token: string;
  readonly writer: Writer;
  readonly indexer: Indexer;
  readonly store: Store;
  /** Resolves when the store is open: at once, unless it was away at the start. */
  readonly opened: Promise<void>;
  /** Why it was away, and since when what is known of it is old; null where it was there. */
  readonly away: { readonly why: string; readonly knownAt: number } | null;
  readonly launches: Launches;
  readonly runs: Runs;
  /** Who decides what people and agents do in sidebars. */
  readonly engine: Engine;
  /** Who acts by itself. */
  readonly seats: BoardSeats;
  /** Who listens on /ws. */
  readonly hub: Hub;
  /** What the last session left behind. */
  readonly recovery: Recovery;
  /** Closes turns that nobody else closes; null when the board is only read. */
  readonly keeper: TurnKeeper | null;
  /** Makes a link that lets one browser in as the operator. */
  readonly pageLink: () => PageLink;
  /** Which port the interface believes it is reached at. */
  readonly setPort: (port: number) => void;
  /** Makes what takes long to make of the newest sessions, before somebody asks. */
  readonly warm: () => Promise<void>;
  readonly closeAlso: (close: () => Promise<void> | void) => void;
  readonly close: () => Promise<void>;
};

/** The composition root: opens a home. Only here and in the threads clocks, randomness and the process are real. */
export const openBoard = async (options: BoardOptions): Promise<OpenBoard> => {
  const { home, programs } = options;
  const readOnly = options.readOnly === true;
  const away = options.away ?? null;
  const closers = createClosers();
  try {
    if (away === null) refuseLost(home);
    releaseReserve(home);
    if (!readOnly) {
      const lock = await lockHome(home, { ...options, isAway: away !== null });
      closers.push(() => lock.release());
      // Whoever waits for the end of a server looks for this file: it goes when everything else is closed.
      closers.push(() => rmSync(home.serverFile, { force: true }));
    }
    let hasWaiting = (): boolean => false;
    const mark = keepStopMark({ ...options, isFollowing: options.isFollowing === true && !readOnly }, closers, () => !hasWaiting());
    const startedAt = Date.now();
    const token = readOnly ? knownToken(home) : operatorToken(home);
    const task: ThreadTask = { home, roots: options.roots, settings: options.settings, sweepEvery: options.sweepEvery ?? null };
    const now: BoardState = {
      live: readOnly
        ? NOBODY_WATCHES
        : away !== null
          ? { kind: 'stuck', why: away.fault.message, retryIn: 0 }
          : options.isFollowing === true
            ? { kind: 'importing' }
            : { kind: 'watching', watched: 0 },
      progress: null,
      pending: [],
      troubles: [],
      search: null,
      tasks: new Map(),
    };
    const onFault = (cause: unknown): void => options.onFault?.(cause);
    const woken: Woken = { indexer: refusingIndexer(refuse), hub: null, keeper: null, symptoms: null, neighbours: null };
    const { onEvent, dropped } = createBoardEvents({
      now,
      woken,
      onProgress: (progress) => options.onProgress?.(progress),
      onState: (state) => options.onState?.(state),
      onFault,
    });
    const { store, writer, opened } = await openBoardStore({ ...options, task, now, woken, onEvent, refuse, closers });
    const isShared = store.capabilities.isSharedByServers;
    const epoch = away === null ? await epochOf(store.log) : firstEpoch(store.log);
    // LOG-32: the operator must know, whoever put the older copy there.
    if (!readOnly && epoch.recordedAt >= startedAt) options.onFault?.(`an older state of the board was found: ${epoch.text}`);
    const launches: Launches = createLaunches({
      folder: launchFolderOf(home),
      host: hostname(),
      now: () => Date.now(),
      newId: () => randomUUID(),
      writer,
      log: store.log,
      lastAt: async (sessionId) => (await store.library.session(sessionId))?.lastAt ?? null,
      poke: writer.poke,
      isExcluded: isExcludedBy(options.settings),
      onWantsBack: async (sessionId) => {
        const back = await runs.toLocal(sessionId);
        if (!back.ok) throw new Error('why' in back.error ? back.error.why : back.error.kind);
      },
      onFault,
      sweepEvery: Math.min(options.sweepEvery ?? LAUNCH_SWEEP, LAUNCH_SWEEP),
    });
    closers.push(launches.close);
    const owner = readOnly ? noOwner(hostname()) : ownerIn(home, hostname(), () => randomUUID());
    const runs: Runs = createRuns({
      store,
      append: writer.append,
      catchUp: writer.catchUp,
      launches,
      loadSdk: options.loadSdk ?? (() => loadSdk({ env: options.env ?? process.env, home: home.folder, program: fileURLToPath(import.meta.url) })),
      env: options.env ?? process.env,
      isExcluded: isExcludedFolder(options.settings),
      owner,
      // A board that is not shared has one server: this one.
      isGone: (other) => (isShared ? isOwnerGone(other, owner) : other?.server !== owner.server),
      isShared,
      now: () => Date.now(),
      newId: () => randomUUID(),
      after,
      onFault,
      ...(options.runGrace === undefined ? {} : { grace: options.runGrace }),
    });
    closers.push(runs.close);
    const heads = createKeptHeads(home.folder, store.log);
    const sessions = createSessionLoader(store, options.dialects, heads.drop);
    const failings = createFailings(Date.now, (state) => void now.tasks.set(state.name, state));
    const redis = openBoardRedis(options, closers, (state) => void now.tasks.set(state.name, state), onFault);
    const redisPrefix = options.settings.redis?.prefix;
    const cache = openEmergencyCache({ home, settings: options.settings.emergency, redis, redisPrefix, onFault });
    closers.push(cache.close);
    const outage = readOnly
      ? null
      : openBoardOutage({ ...options, away, now, redis, cache, store, writer, homeId: owner.home, engine: () => engine, closers, onFault });
    const engine: Engine = await createEngine({
      store,
      sessions,
      outage: outage?.port ?? null,
      append: writer.append,
      now: () => Date.now(),
      unproven: away?.known ?? null,
      snapshot: tellingSnapshot(snapshotIn(home, readOnly), (why) => failings.tell('snapshot', why)),
      language: createLanguage({ mask: (text) => maskSecrets(text).text, weigher: createWeigher(createEmbedding()) }),
      createIndex: () => createTriggerIndex({ embedding: createEmbedding() }),
      onFault,
    });
    closers.push(engine.close);
    hasWaiting = () => engine.waiting().length > 0;
    const serverId = owner.home || homeIdIn(home);
    const recovery = await createBoardRecovery({ ...options, cache, store, engine, append: writer.append, serverId, mark, outage });
    const states = createMapperStates();
    if (!readOnly) {
      woken.keeper = createTurnKeeper({
        store,
        states,
        append: writer.append,
        now: () => Date.now(),
        keeperOf: (sessionId) => {
          if (runs.keeps(sessionId)) return 'run';
          return launches.of(sessionId) === null ? null : 'launch';
        },
        onFault,
      });
      closers.push(woken.keeper.close);
    }
    const seats = createBoardSeats({
      ...options,
      server: { id: serverId, host: owner.host, isShared, isGone: (id) => woken.neighbours?.isGone(id) ?? false },
      engine,
      writer,
      runs,
      url: () => (port === 0 ? null : `http://127.0.0.1:${port}`),
      perform: () => perform,
      onFault,
    });
    closers.push(seats.close);
    const checks = createBoardChecks({ ...options, engine, store });
    closers.push(checks.close);
    const endOfLog = async (): Promise<number> => (await store.log.head()).count;
    const [counting, verifying] = [createShared(endOfLog), createShared(endOfLog)];
    const counter = programs === null ? counterOn(store) : startCounter(home, programs.counter);
    closers.push(counter.close);
    const count = createCount(counter, counting);
    // Heads have a thread of their own: one of a very long session takes seconds, and figures do not wait for it.
    const reading = programs === null ? counterOn(store) : startCounter(home, programs.counter);
    closers.push(reading.close);
    const opening = createShared(endOfLog);
    const head = headsOf(heads, (sessionId, signal) =>
      opening.ask(sessionId, (stop) => reading.answer({ kind: 'head', sessionId }, stop), { signal }),
    );
    const warming = new AbortController();
    closers.push(async () => warming.abort());
    const verify = verifierOf({ home, programs, store, kept: () => mediaBesideLog({ store }, engine.board()) });
    let port = 0;
    const links = createPageLinks({ now: sinceStart, newKey: newToken, token, address: () => `http://127.0.0.1:${port}` });
    const needs: OperationsNeeds = {
      now: () => Date.now(),
      outage,
      store: outage?.store ?? store,
      sessions,
      envelopes: createEnvelopeSource(states, options.dialects),
      launches,
      runs,
      engine,
      links,
      openDemo: options.openDemo ?? null,
      pending: () => now.pending,
      runtimes: seats.view,
      checks,
      count,
      head,
      storage: createStorage({ size: () => count({ kind: 'size' }) }, () => Date.now()),
      verify: ({ deep }, signal) => verifying.ask(deep ? 'verify deep' : 'verify', (stop) => verify({ deep, signal: stop }), { signal }),
      importPaths: writer.importPaths,
      media: writer,
      forget: async (hash) => {
        const done = await writer.forget(hash, 'human');
        await dropped(); // told before the writer answered: forgotten is what is out of the index, too
        await engine.refold();
        return done;
      },
      rebuild: async (sessionId) => {
        const result = await writer.rebuild(sessionId);
        counting.forget();
        if (sessionId === null) {
          await woken.indexer.clear();
          await woken.indexer.wake();
        }
        return result;
      },
      repair: (sessionId) => writer.repair(sessionId, options.roots).finally(counting.forget),
      backup: (path) => writer.backup(path).then(() => ({ path, bytes: statSync(path).size })),
      stopping: createStopping(
        () => woken.hub,
        () => options.onStop?.(),
      ),
      state: () => ({
        live: liveStateOf(now),
        progress: now.progress,
        troubles: [...now.troubles, ...launches.troubles()],
        version: options.version,
        pid: process.pid,
        startedAt,
        home: home.folder,
        database: withoutPassword(home.database),
        roots: options.roots,
      }),
      followers: () => followerStates(),
      servers: () => servers.view(),
      recovery,
      emergency: cache,
    };
    const door: Door = {
      token,
      port: () => port,
      memberWith: (tokenHash) => memberOf(engine.foreseen(), tokenHash),
      ...seats.door,
      peers: createPeers(),
      isOpenToRead: options.settings.isOpenToRead ?? false,
    };
    const meters = createMeters();
    // Where nothing is served, as for one command in a terminal, nobody would notice that they are gone.
    const perform = attending(createPerform(needs, meters.answered), (actor) => (port === 0 ? undefined : woken.hub?.seen(actor)));
    const followers = createFollowers({ onFault, wallClock: () => Date.now() });
    closers.push(followers.close);
    let clockState: (() => FollowerState) | null = null;
    const followerStates = (): readonly FollowerState[] => [
      ...[now.search, woken.hub?.state(), woken.keeper?.state(), clockState?.()].filter((state) => state != null),
      ...now.tasks.values(),
      ...followers.states(),
    ];
    const isServing = options.isFollowing === true && !readOnly;
    const servers = await openBoardServers({ ...options, store, engine, redis, seats, woken, owner, serverId, followers, closers, onFault });
    woken.neighbours = servers;
    const media = createBoardMedia({ writer, store, engine }, isServing ? followers : null);
    const app = createApp({
      needs: { ...needs, clients: () => woken.hub?.counts() ?? NO_CLIENTS, sweptMedia: media.swept },
      door,
      onFault,
      meters,
      perform,
      page: options.pageFolder == null ? null : loadPage(options.pageFolder),
      download: (wish) => downloadSession(needs, wish),
      media: media.door,
    });
    const hub = createHub({
      store,
      states,
      perform,
      door,
      now: sinceStart,
      newId: () => randomUUID(),
      limits: { ...HUB_LIMITS, ...options.hubLimits },
      version: options.version,
      epoch,
      emergency: () => outage?.announced() ?? null,
      recovery: recovery.news,
      onFault,
      ...servers.presence,
    });
    woken.hub = hub;
    closers.push(revokeTokens(engine, hub.revoke));
    outage?.tell(hub, recovery.look);
    recovery.listen({ changed: hub.tellRecovery, settled: tellSettled(hub, engine.board) });
    if (!readOnly) {
      woken.symptoms = followers.add(await watchSymptoms({ log: store.log, engine, now: () => Date.now() }));
      const clock = await openDutyClock(home, store.log);
      const duties = createKeeper({ engine, now: () => Date.now(), settings: options.settings.keeping, clock });
      clockState = duties.clock;
      closers.push(duties.close);
      const due = { engine, now: () => Date.now() };
      for (const follower of [dutiesOf(duties), permissionDuties({ ...due, runs }), crashDuties({ ...due, log: store.log })])
        followers.add(heldBy({ isBlocking: () => recovery.isBlocking() || !engine.isProven() })(follower));
      if (options.isFollowing === true) closers.push(checks.follow(followers));
      followers.add(snapshots(engine)).wake();
      const lag = async () => ({ count: (await store.log.head()).count, indexed: await store.search.position() });
      const tell = (why: string | null): void => failings.tell('index-lag', why);
      followers.add(indexLag({ lag, isImporting: () => now.live.kind === 'importing', now: () => performance.now(), tell }));
      for (const follower of isShared ? [othersDecisions(engine), othersRuns(runs)] : []) followers.add(follower);
    }
    mark.opened();
    return {
      app,
      token,
      writer,
      indexer: woken.indexer,
      store,
      opened,
      away: away === null ? null : { why: away.fault.message, knownAt: away.known.at },
      launches,
      runs,
      engine,
      seats,
      hub,
      recovery,
      keeper: woken.keeper,
      pageLink: links.make,
      setPort: (chosen) => {
        port = chosen;
      },
      warm: () => warmHeads(store.library, head, warming.signal),
      closeAlso: closers.push,
      close: closers.close,
    };
  } catch (cause) {
    await closers.close().catch(() => {}); // what went wrong first is what is told
    throw cause;
  }
};

const refuse = (): Promise<never> => Promise.reject(new Refused('operator-only', 'this board was opened for reading only'));

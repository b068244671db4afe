import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { agentWithToken, toldAt, type Actor } from '@yarnboard/domain';
import type { Store } from '@yarnboard/store';
import { Refused } from '../../../src/operations/request/refusal.ts';
import { tokenHashOf } from '../../../src/home/token.ts';
import { namesOf } from '../../../src/operations/board/names.ts';
import { revokeTokens } from '../../../src/doors/ws/presence.ts';
import { createHub, HUB_LIMITS, type Hub, type HubLimits } from '../../../src/doors/ws/hub.ts';
import { createMapperStates } from '../../../src/sessions/envelopes/mapper-states.ts';
import { openEngine, openSqliteBoard, type EngineBench } from '../../engine/bench.ts';
import { afterFile } from '../../../../../tests/afterwards.ts';
import { connect, type Frame, type TestSocket } from './sockets.ts';

export const OPERATOR_TOKEN = 'operator-token';

export type EngineStage = {
  readonly bench: EngineBench;
  readonly hub: Hub;
  readonly connect: (hello?: Frame | null) => TestSocket;
  /** Connects and waits until it is let in. */
  readonly join: (hello?: Frame) => Promise<TestSocket>;
  /** Who came and went. */
  readonly presences: readonly string[];
  readonly faults: readonly unknown[];
  /** Time passes, for the hub and the board. */
  readonly pass: (ms: number) => void;
  readonly close: () => Promise<void>;
};

export type StageOptions = {
  readonly given?: { readonly store: Store; readonly clock: { now: number } };
  /** How many entries the board is behind what the engine knows. */
  readonly lag?: () => number;
  readonly present?: readonly Actor[];
};

/** The engine and the hub on one store, with nothing in between: what is decided is told on real sockets. The clock stands until somebody moves it. */
export const serveEngine = async (limits: Partial<HubLimits> = {}, { given, lag, present = [] }: StageOptions = {}): Promise<EngineStage> => {
  const { store, clock } = given ?? (await openSqliteBoard());
  const faults: unknown[] = [];
  const presences: string[] = [];
  const listening: { hub: Hub | null } = { hub: null };
  const bench = await openEngine({
    store,
    clock,
    append: async (items, decidedAt) => {
      const appended = await store.log.append({ items, files: [], ...(decidedAt === undefined ? {} : { decidedAt }) });
      // As the writer does: before the engine itself knows.
      listening.hub?.wake(appended.at(-1)?.position);
      return appended;
    },
  });
  const { engine } = bench;
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo; // it listens on a port
  const memberWith = (tokenHash: string): Actor | null => {
    const agent = agentWithToken(engine.board(), tokenHash);
    return agent === null ? null : { id: agent.id, type: agent.kind };
  };
  const hub = createHub({
    store,
    states: createMapperStates(),
    perform: (name, { actor }) => Promise.reject(new Refused('not-found', `${actor?.id ?? 'nobody'} asked for ${name}`)),
    door: { token: OPERATOR_TOKEN, port: () => port, memberWith },
    now: () => clock.now,
    newId: () => randomUUID(),
    limits: { ...HUB_LIMITS, ...limits },
    names: () => namesOf(engine.board()),
    folded: () => engine.position() - (lag?.() ?? 0),
    fold: engine.follow,
    isBarred: () => engine.readOnly() !== null,
    toldAt: (agent) => toldAt(engine.board(), agent),
    present,
    onPresence: ({ id }, isThere) => presences.push(`${id} ${isThere ? 'came' : 'went'}`),
    onFault: (cause) => faults.push(cause),
  });
  listening.hub = hub;
  revokeTokens(engine, hub.revoke);
  hub.attach(server);
  const close = async (): Promise<void> => {
    await hub.close();
    await new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
    await engine.close();
  };
  afterFile(close);
  return {
    bench,
    hub,
    connect: (hello = {}) => connect(port, hello),
    join: async (hello = {}) => {
      const socket = connect(port, hello);
      await socket.frame('connection_established');
      return socket;
    },
    presences,
    faults,
    pass: (ms) => {
      clock.now += ms;
      hub.tick();
    },
    close,
  };
};

/** Registers an agent whose token is its name. */
export const addAgent = async ({ bench }: EngineStage, name: string, kind: 'agent' | 'human' = 'agent'): Promise<void> => {
  await bench.run({ type: 'agent.register', agent: name, kind, specialties: [], preferredCollaborators: [], tokenHash: tokenHashOf(name) });
};

export const typesOf = (frames: readonly Frame[]): readonly unknown[] => frames.map(({ type }) => type);

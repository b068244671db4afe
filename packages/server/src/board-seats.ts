import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { equipmentOf, isActing, SYSTEM } from '@yarnboard/domain';
import { AGENTS_SETTINGS, isBoardCommand, REGISTRY, type OperationName, type RuntimeSettings } from '@yarnboard/protocol';
import type { Asker } from './operations/request/asker.ts';
import type { Engine } from './engine/engine.ts';
import type { Home } from './home/home.ts';
import { isExcludedFolder, type Settings } from './home/settings.ts';
import { createSeatTools } from './doors/mcp/seat-tools.ts';
import { packageFolder, packageProblem } from './launches/foreign-package.ts';
import { sdkProblem, type LoadSdk } from './launches/sdk.ts';
import { ACP_SDK } from './runtimes/bridge/acp-sdk.ts';
import { problemFrom, type Perform } from './operations/perform.ts';
import { refusedFor } from './operations/request/refusal.ts';
import type { RuntimesView } from './runtimes/runtimes-view.ts';
import { createInstanceTokens } from './runtimes/instance-tokens.ts';
import type { SeatPlace } from './runtimes/port.ts';
import { createSeatPermissions } from './runtimes/seat-permissions.ts';
import { protectionOf } from './runtimes/protected-places.ts';
import { tryRuntime } from './runtimes/try-runtime.ts';
import { problemOf, runtimeOf, type ProgramsOptions } from './board-runtimes.ts';
import type { SeatServer } from './runtimes/seat-holds.ts';
import { createSeats, type Seats } from './runtimes/seats.ts';
import { seatMarkBehind, type SocketEnds } from './runtimes/seat-processes.ts';
import type { Programs } from './threads/threads.ts';
import type { Writer } from './threads/writer.ts';

type Parts = {
  readonly home: Home;
  /** RT-66: this server, which may share its board with others. */
  readonly server: SeatServer & { readonly isShared: boolean };
  readonly settings: Settings;
  readonly programs: Programs | null;
  readonly engine: Engine;
  readonly writer: Pick<Writer, 'append' | 'catchUp'>;
  readonly runs: ProgramsOptions['claude']['runs'];
  readonly loadSdk?: LoadSdk;
  readonly env?: ProgramsOptions['env'];
  readonly version: string;
  /** Null if no server is running. */
  readonly url: () => string | null;
  /** Late-bound: seats' requests run as operations, which in turn know about seats. */
  readonly perform: () => Perform;
  readonly onFault: (cause: unknown) => void;
};

export type BoardSeats = {
  readonly view: RuntimesView;
  /** How the doors recognize seats. */
  readonly door: {
    /** The seat whose token has this hash, as a caller. */
    readonly seatWith: (tokenHash: string) => Asker | null;
    /** RT-59: the agent whose seat's process is at the other end of a connection. Using the operator's token there is reported. */
    readonly seatBehind: (ends: SocketEnds) => string | null;
  };
  /** Whether an agent is present because its runtime is. */
  readonly keeps: (agent: string) => boolean;
  readonly look: () => void;
  readonly start: () => Promise<void>;
  readonly settled: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Waits by the clock of this machine. */
export const after: ProgramsOptions['after'] = (ms, work) => {
  const timer = setTimeout(work, Math.min(ms, LONGEST));
  return () => clearTimeout(timer);
};

/** The seats of an open board: the configured runtimes, and their seats. */
export const createBoardSeats = (parts: Parts): BoardSeats => {
  const { home, settings, engine, onFault } = parts;
  const shared = settings.agents ?? AGENTS_SETTINGS;
  const runtimes = (settings.runtimes ?? []).map((one) => ({ ...one, limits: { ...one.limits, boardUsdPerDay: shared.usdPerDay } }));
  const tokens = createInstanceTokens();
  const folder = join(home.folder, 'seats');
  const behind = new WeakMap<SocketEnds, string | null>();
  const places = { env: process.env, home: home.folder, program: fileURLToPath(import.meta.url) };
  const options: ProgramsOptions = {
    env: parts.env ?? process.env,
    folder,
    isExcluded: isExcludedFolder(settings),
    openaiCommand: () => ownProgram(parts.programs?.agent, 'runtimes/openai/agent.ts'),
    bridge: {
      command: () => ownProgram(parts.programs?.bridge, 'seat-bridge.ts'),
      sdk: () => packageFolder(ACP_SDK, places),
      problem: () => packageProblem(ACP_SDK, places),
      version: parts.version,
    },
    markOf: ({ agent, sidebarId }) => `${parts.server.id}/${agent}/${sidebarId}`,
    after,
    claude: {
      runs: parts.runs,
      home: home.folder,
      catchUp: parts.writer.catchUp,
      sdkProblem: () => (parts.loadSdk === undefined ? sdkProblem(places) : null),
      newId: () => randomUUID(),
      now: () => Date.now(),
      toolsFor: (call) => createSeatTools(parts.version, call),
    },
  };

  const askerOf = ({ agent, sidebarId }: SeatPlace): Asker | null => {
    const board = engine.board();
    if (!isActing(board, agent, sidebarId)) return null;
    const sidebarRef = board.sidebars.get(sidebarId)?.ref ?? '';
    return { isOperator: false, actor: { id: agent, type: 'agent' }, seat: { sidebarId, sidebarRef, reach: equipmentOf(board, agent).reach } };
  };

  const seats: Seats = createSeats({
    engine,
    settings: runtimes,
    runtimeOf: (one) => runtimeOf(one, options),
    tokens,
    permissions: createSeatPermissions({
      engine,
      newId: () => randomUUID(),
      isProtected: protectionOf({
        home: home.folder,
        seats: folder,
        userHome: homedir(),
        configured: (parts.env ?? process.env)['CLAUDE_CONFIG_DIR'],
      }),
    }),
    homeMark: parts.server.id,
    server: parts.server.isShared ? parts.server : null,
    mostProcesses: shared.processes,
    mostTurns: shared.turnsAtOnce,
    append: parts.writer.append,
    perform: async (place, name, input, model) => {
      const asker = askerOf(place);
      if (asker === null || !isOperation(name)) throw refusedFor('unknown-operation', { asked: name.slice(0, 100), known: [] });
      const more = isBoardCommand(name) && model !== null ? { agent_model_version: model } : {};
      return parts.perform()(name, asker, () => ({ given: { ...more, ...input }, client: { name: 'seat', version: parts.version } }));
    },
    problemOf: (cause) => {
      const { code, detail } = problemFrom(cause, 'mcp');
      if (code === 'internal') onFault(cause);
      return { code, detail };
    },
    url: parts.url,
    version: parts.version,
    folder,
    now: () => Date.now(),
    newId: () => randomUUID(),
    after,
    onFault,
  });

  return {
    view: {
      ...seats,
      settings: runtimes,
      names: () => runtimes.map(({ name }: RuntimeSettings) => name),
      problemOf: (one) => problemOf(one, options),
      attempt: (one, agent, model) => {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        return tryRuntime({ runtime: runtimeOf(one, options), agent, model, newId: () => randomUUID(), after });
      },
    },
    door: {
      seatWith: (tokenHash) => {
        const place = tokens.seatWith(tokenHash);
        return place === null ? null : askerOf(place);
      },
      seatBehind: (ends) => {
        // Without acting seats, there is nothing to look for.
        if (!runtimes.some(({ name }) => seats.count(name) > 0)) return null;
        const before = behind.get(ends);
        const mark = before === undefined ? seatMarkBehind(ends, (one) => one.startsWith(`${parts.server.id}/`)) : before;
        behind.set(ends, mark);
        if (mark === null) return null;
        const [agent = '', sidebar = ''] = mark.slice(parts.server.id.length + 1).split('/');
        // Once per connection, however often it tries.
        if (before === undefined) {
          engine
            .execute({ command: { type: 'token.misuse', sidebar, agent }, actor: SYSTEM, messageId: randomUUID(), client: 'yarnboard' })
            .catch(onFault);
        }
        return agent;
      },
    },
    keeps: seats.keeps,
    look: seats.look,
    start: async () => {
      if (runtimes.length > 0) mkdirSync(folder, { recursive: true, mode: 0o700 });
      await seats.start();
    },
    settled: seats.settled,
    close: seats.close,
  };
};

const isOperation = (name: string): name is OperationName => Object.hasOwn(REGISTRY, name);

/** A program of our own: built, or from the sources. */
const ownProgram = (built: string | undefined, source: string): readonly string[] =>
  built === undefined
    ? // By its path: it isn't installed where a seat works.
      [process.execPath, '--conditions=yarnboard-source', '--import', loaderFile(), fileURLToPath(new URL(source, import.meta.url))]
    : [process.execPath, built];

const loaderFile = (): string => pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;

/** The longest timer that Node supports. */
const LONGEST = 2_000_000_000;

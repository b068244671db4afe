import { existsSync } from 'node:fs';
import { inheritedBy, type Segment } from '@yarnboard/domain';
import type { Memory } from '../../engine/memory.ts';
import type { ContextWish, SeatContext } from '../port.ts';
import { chainOnLog, isForkable, rebuild, sessionPath } from './session-file.ts';

export type ContextParts = {
  /** Claude Code's `projects` folder. */
  readonly projects: string;
  /** Where a seat works if it may not work in its session's directory. */
  readonly cwd: string;
  /** Whether this runtime's seats may work in a directory. */
  readonly isAllowed: (cwd: string) => boolean;
  readonly newId: () => string;
  /** Imports what is new in the files. */
  readonly catchUp: () => Promise<void>;
};

/**
 * RT-29: what a Claude seat starts from, in this order: its own session; a fork of the session that its sidebar branched off from, at that message;
 * the same conversation rebuilt from the log under a new id; a briefing alone. The original session is only read.
 */
export const contextFor = async (parts: ContextParts, { memory, board, sidebar, last }: ContextWish): Promise<SeatContext> => {
  const [origin] = inheritedBy(board, sidebar);
  const chain = origin?.kind === 'session' ? await chainOf(memory, origin) : null;
  const places = [...(chain?.cwds ?? []).filter(parts.isAllowed), parts.cwd];
  const own = last === null || last.sessionId === '' ? null : placeOf(parts, places, last.sessionId);
  if (own !== null && last !== null) {
    return {
      kind: last.contextKind,
      isResumed: true,
      cwd: own.cwd,
      native: { sessionId: last.sessionId, leafUuid: null, isFork: false },
      told: null,
    };
  }
  if (chain === null || origin === undefined) return { kind: 'briefing', isResumed: false, cwd: parts.cwd, native: null, told: null };
  const found = placeOf(parts, places, chain.sessionId);
  if (found !== null && (await isForkable(found.path, chain))) {
    const native = { sessionId: chain.sessionId, leafUuid: chain.leafUuid, isFork: true };
    return { kind: 'fork', isResumed: false, cwd: found.cwd, native, told: origin };
  }
  const [cwd = parts.cwd] = places;
  const sessionId = parts.newId();
  const path = sessionPath(parts.projects, cwd, sessionId);
  if (path === null) return { kind: 'briefing', isResumed: false, cwd, native: null, told: null };
  await rebuild(path, chain, sessionId);
  // On the log too, its own messages must follow the rebuilt ones.
  await parts.catchUp();
  return { kind: 'rebuilt', isResumed: false, cwd, native: { sessionId, leafUuid: chain.leafUuid, isFork: false }, told: origin };
};

const chainOf = async (memory: Memory, origin: Extract<Segment, { kind: 'session' }>): ReturnType<typeof chainOnLog> => {
  const row = await memory.library.session(origin.sessionId);
  // Sessions aren't masked, so they go only to the provider that wrote them.
  if (row !== null && row.tool !== 'claude-code') return null;
  if (origin.leafUuid !== null) return chainOnLog(memory.log, origin, (uuid) => uuid === origin.leafUuid);
  const positions = new Set((await memory.branches(origin)).positions);
  return chainOnLog(memory.log, origin, (_, position) => positions.has(position));
};

const placeOf = (
  { projects }: ContextParts,
  places: readonly string[],
  sessionId: string,
): { readonly cwd: string; readonly path: string } | null => {
  for (const cwd of places) {
    const path = sessionPath(projects, cwd, sessionId);
    if (path !== null && existsSync(path)) return { cwd, path };
  }
  return null;
};

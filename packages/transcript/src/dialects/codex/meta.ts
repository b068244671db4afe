import { countOf, objectOf, stringOf, type JsonObject } from '../../json.ts';
import { parseInstant } from '../../time.ts';
import { startedBy } from './files.ts';
import { ownerOf, pass, type Copying, type Said, type State, type Step } from './state.ts';

/** CODEX-2: the first line says whose file it is. A second such line names the thread whose lines follow as copies. */
export const takeMeta = (state: State, payload: JsonObject, at: Said): Step => {
  const id = stringOf(payload['id']);
  if (state.thread !== null) {
    const copying = id === null ? state : copyingFrom(state, id);
    const name = id === null ? null : inheritedName(state, id);
    return name === null ? pass(copying, at, 'codex/session_meta') : pass(copying, at, 'custom-title', { customTitle: name });
  }
  const begunAt = parseInstant(stringOf(payload['timestamp']) ?? at.time ?? '');
  const isAgent = startedBy(payload) !== null;
  const pointsAt = objectOf(payload['history_base']) !== null;
  const until = countOf(payload['subagent_history_start_ordinal']);
  // A file that continues another one of its thread counts its messages from the start again.
  const owner = pointsAt ? `${id ?? ownerOf(state)}/${stringOf(payload['timestamp']) ?? ''}` : (id ?? ownerOf(state));
  const then: State = {
    ...state,
    thread: id ?? state.owner,
    owner,
    begunAt,
    facts: factsOf(payload),
    tip: pointsAt ? (state.base?.tip ?? null) : null,
    copying: isAgent && until !== null ? { kind: 'agent', until } : null,
  };
  const by = { writtenBy: 'Codex' };
  const from = isAgent ? null : stringOf(payload['forked_from_id']);
  if (from !== null) return pass(then, at, 'fork-context-ref', { parentSessionId: from, ...by });
  // What was taken back stays in the other file; the conversation continues at the end of what was kept.
  return pointsAt && then.tip !== null
    ? pass(then, at, 'last-prompt', { leafUuid: then.tip, takesBack: true, ...by })
    : pass(then, at, 'codex/session_meta', by);
};

const copyingFrom = (state: State, id: string): State => {
  if (state.copying !== null || id === state.thread) return state;
  const copying: Copying = state.file.agentId === null ? { kind: 'fork', next: 1, hasTurns: false } : { kind: 'agent', until: null };
  return { ...state, copying, owner: copying.kind === 'fork' ? id : state.owner };
};

// In older versions a fork took over the name its thread had at the time, without recording it.
const inheritedName = ({ base, begunAt }: State, from: string): string | null => {
  const names = (base?.index ?? []).filter((line) => line['id'] === from && parseInstant(stringOf(line['updated_at']) ?? '') <= begunAt);
  return stringOf(names.at(-1)?.['thread_name']);
};

const factsOf = (payload: JsonObject): JsonObject => ({
  cwd: stringOf(payload['cwd']) ?? undefined,
  version: stringOf(payload['cli_version']) ?? undefined,
  gitBranch: stringOf(objectOf(payload['git'])?.['branch']) ?? undefined,
});

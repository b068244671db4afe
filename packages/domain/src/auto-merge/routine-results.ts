import type { Language } from '../board/language.ts';
import type { Board } from '../board/state.ts';
import type { RoutineTask } from '../messages/auto-merge.ts';
import { assertNever } from '../never.ts';
import { parseRef } from '../refs.ts';
import type { Finding } from '../scratchpad/state.ts';
import type { Sidebar } from '../sidebar/state.ts';

/** AUTO-8: whether a finding has the form its task type requires. */
export const isRoutine = (board: Board, { scratchpad }: Sidebar, taskType: RoutineTask, finding: Finding, language: Language): boolean => {
  const { id, content, sourceRefs } = finding;
  switch (taskType) {
    case 'status_check':
      return language.resultShape(content).isSimple;
    case 'documentation_lookup':
      return sourceRefs.length > 0 && !scratchpad.conflicts.some(({ findings }) => findings.includes(id));
    case 'definition_retrieval':
      return sourceRefs.some((ref) => isPlaceInFile(board, ref));
    case 'search_discovery':
      return language.resultShape(content).isReferences;
    case 'format_validation':
      return language.resultShape(content).isVerdict;
    default:
      return assertNever(taskType);
  }
};

/** FILE-hash:lines, or a citation of lines in a file. */
const isPlaceInFile = (board: Board, ref: string): boolean => {
  const source = board.citations.get(board.ids.get(ref) ?? '')?.source;
  if (source !== undefined) return source.kind === 'file' && source.from !== null;
  const read = parseRef(ref);
  return read.ok && read.value.kind === 'file' && read.value.lines !== null;
};

export { err, ok, type Result } from './result.ts';
export { assertNever } from './never.ts';
export {
  findRefs,
  formatRef,
  NUMBERED_TYPES,
  parseRef,
  type BadRef,
  type FoundRef,
  type NumberedType,
  type Origin as RefOrigin,
  type Ref,
} from './refs.ts';
export { cutText } from './policies/cutting.ts';
export { hasSecrets, maskJson, maskSecrets, type Masked } from './policies/masking.ts';
export { canonicalOf, CONTENT_TYPES, DECIDED_TYPES, draftOfDeed, ENTRY_TYPES, isDecided, isDeed, isTranscript, SENDER_TYPES } from './entry.ts';
export type { ChainedEntry, ContentType, Deed, Draft, Entry, EntryType, SenderType } from './entry.ts';
export { genesisOf, innerHashOf, linkOf } from './chain.ts';
export type { Head, Sha256 } from './chain.ts';
export { isOperator, OPERATOR, SYSTEM, type Actor } from './actors.ts';

export type { Command, CommandOf, CommandType, NewSidebar } from './board/commands.ts';
export type { Decision, Facts, RefFact, Surfacing } from './board/deciding.ts';
export { decide } from './board/decide.ts';
export { evolve } from './board/evolve.ts';
export {
  BOARD_CONTEXT,
  contextIdOf,
  contextIdOfSidebar,
  FINDING_STATUSES,
  MEDIA_TYPES,
  PRESENCES,
  sidebarIdOfContext,
  type Checks,
  type CitationSource,
  type Context,
  type EpisodeTrigger,
  type EventType,
  type FindingStatus,
  type Happening,
  type MediaType,
  type MergePackage,
  type Origin,
  type Payloads,
  type Presence,
  type Recorded,
} from './board/events.ts';
export { NO_LANGUAGE, type Contradicted, type Language } from './board/language.ts';
export { linked, linkKey, type LinkKind } from './board/links.ts';
export { findingNamed, provisionalAmong } from './board/references.ts';
export { REJECTIONS, type Rejection, type RejectionCode } from './board/rejection.ts';
export { emptyBoard, goldOf, sidebarOf, tryOn, type Board, type Notice } from './board/state.ts';
export { rowsOf, type Table } from './board/tables.ts';

export {
  ARCHIVE_REASONS,
  canMove,
  isEnded,
  MOVES,
  movesFrom,
  PRIORITIES,
  STATUSES,
  type ArchiveReason,
  type Priority,
  type Status,
} from './sidebar/lifecycle.ts';
export { inheritedBy, localTo, type Segment } from './sidebar/memory.ts';
export { branchedAt, comparedWith } from './sidebar/relations.ts';
export { activeFocus, RELEVANCES, relevanceScores, toReview } from './sidebar/relevance.ts';
export type { Merged, Sidebar } from './sidebar/state.ts';
export { nameOfContext, refOfContext } from './sidebar/evolve.ts';
export {
  findingOf,
  openConflicts,
  pendingFindings,
  refOfFinding,
  scratchpadRefOf,
  standingFindings,
  type Finding,
  type Scratchpad,
} from './scratchpad/state.ts';
export type { Episode } from './scratchpad/episodes.ts';
export { isStanding, type Citation, type Gold, type Media } from './citations/state.ts';
export { agentIdOf, newcomer, type Agent } from './agents/state.ts';
export { agentWithToken } from './agents/evolve.ts';

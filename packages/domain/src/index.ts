export { err, ok, type Result } from './result.ts';
export { assertNever } from './never.ts';
export {
  findRefs,
  formatRef,
  NUMBERED_TYPES,
  parseRef,
  type BadRef,
  type FoundRef,
  type ItemRef,
  type NumberedType,
  type Origin as RefOrigin,
  type Ref,
} from './refs.ts';
export { cutText } from './policies/cutting.ts';
export { nearestOf } from './policies/likeness.ts';
export { mentionedIn } from './sidebar/talk.ts';
export { isSecretOf, namesSecret } from './policies/secret-places.ts';
export { hasSecrets, maskingJson, maskJson, MASKING_RULES, maskSecrets, masksIn, maskUnder, type Masked } from './policies/masking.ts';
export {
  canonicalOf,
  CONTENT_TYPES,
  draftOfDeed,
  ENTRY_TYPES,
  isCode,
  isDeed,
  isTranscript,
  mayDecide,
  SENDER_TYPES,
  SESSION_ENTRY_TYPES,
} from './entry.ts';
export type { ChainedEntry, Circumstances, ContentType, Deed, Draft, Entry, EntryType, SenderType } from './entry.ts';
export { genesisOf, innerHashOf, linkOf } from './chain.ts';
export type { Head, Sha256 } from './chain.ts';
export type { AgentId, SidebarId } from './ids.ts';
export { isOperator, MODEL_ID, OPERATOR, SYSTEM, type Actor } from './actors.ts';

export { takesPart } from './board/deciding.ts';
export type { Decision, Facts, RefFact, Surfacing } from './board/deciding.ts';
export { decide } from './board/decide.ts';
export type { Claims } from './messages/claims.ts';
export { evolve } from './board/evolve.ts';
export { COMMANDS, definitionOf, EVENT_TYPES, EVENTS, isDecided } from './messages/catalogue.ts';
export type {
  Command,
  CommandOf,
  CommandType,
  EventType,
  FamilyCommand,
  FamilyEvent,
  FamilyName,
  Happening,
  NewSidebar,
  Payloads,
  Recorded,
} from './messages/catalogue.ts';
export { NOBODY_ELSE, type Audience, type EventDefinition, type Filing, type Remains } from './messages/definition.ts';
export { isNewer, readEvent, readWith, type Read, type StoredEvent, type Unreadable } from './messages/reading.ts';
export { UNTOLD_HASH } from './messages/agents.ts';
export {
  ACCEPTS,
  ARCHIVE_REASONS,
  BOARD_CONTEXT,
  contextIdOf,
  contextIdOfSidebar,
  FINDING_STATUSES,
  GOLD_ANSWERS,
  MEDIA_TYPES,
  PRESENCES,
  PRIORITIES,
  sidebarIdOfContext,
  STATUSES,
  type Accepts,
  type ArchiveReason,
  type Checks,
  type CitationSource,
  type Context,
  EPISODE_TRIGGERS,
  type EpisodeTrigger,
  type FindingStatus,
  type GoldAnswer,
  type MediaType,
  type MergePackage,
  type Origin,
  type Presence,
  type Priority,
  type Status,
} from './messages/values.ts';
export { NO_LANGUAGE, type Contradicted, type Language, type Said, type SkillFit } from './board/language.ts';
export { fileKey, linked, linkKey, type LinkKind } from './board/links.ts';
export { findingNamed, isSomebody, provisionalAmong } from './board/references.ts';
export { FAULTS, hasFacts, type Complaint, type FactsOf, type FactsShape, type FactShape, type ReasonShape } from './board/facts.ts';
export { REASONS, REJECTIONS, type RejectionCode } from './board/reasons.ts';
export { rejectionOf, type Rejection, type RejectionReason } from './board/rejection.ts';
export { emptyBoard, goldOf, sidebarOf, tryOn, type Board, type Notice } from './board/state.ts';
export { rowsOf, type Table } from './board/tables.ts';

export { canMove, isEnded, MOVES, movesFrom } from './sidebar/lifecycle.ts';
export { ARCHIVE_FIELDS, archiveTextsOf, type ArchiveField, type ArchiveText } from './sidebar/archive-texts.ts';
export { hasWords, wordsOf } from './sidebar/filter.ts';
export { inheritedBy, localTo, type Segment } from './sidebar/memory.ts';
export { branchedAt, comparedWith } from './sidebar/relations.ts';
export { activeFocus, askedToReview, RELEVANCES, relevanceScores, toReview } from './sidebar/relevance.ts';
export type { Merged, PlainStatus, Proposed, Sidebar } from './sidebar/state.ts';
export { RIGHTS, rightTo, ROLES, type Action, type Right, type Role } from './sidebar/rights.ts';
export { proposalOf } from './sidebar/proposals.ts';
export { toldAt } from './board/notices.ts';
export { wishOf, type Proposal } from './messages/proposals.ts';
export { LEVELS, NOTICE_KINDS, type Level, type NoticeKind } from './messages/telling.ts';
export { nameOfContext, refOfContext } from './sidebar/evolve.ts';
export {
  conflictEnd,
  findingOf,
  openConflicts,
  pendingFindings,
  refOfFinding,
  scratchpadRefOf,
  countFindings,
  standingFindings,
  type Finding,
  type Scratchpad,
} from './scratchpad/state.ts';
export { EPISODE_STANDINGS, standingOfEpisode, type Episode, type EpisodeStanding } from './scratchpad/episodes.ts';
export { CRASHED_AFTER, leftBehind } from './agents/crash.ts';
export type { Confidence } from './scratchpad/confidence.ts';
export { itemIn, itemNamed, refOfEpisode, refOfItem, type Item } from './scratchpad/items.ts';
export { CLAIM_TYPES, VERIFICATIONS, type ClaimType, type Verification } from './messages/marks.ts';
export { obstaclesNow } from './auto-merge/merging.ts';
export { autoMergeConfigOf, cleanRate, normalType, type MergeProblem, type MergeRecord, type TypeRecord } from './auto-merge/state.ts';
export { PROBLEM_KINDS, ROUTINE_TASKS, type AutoMergeConfig, type RoutineTask } from './messages/auto-merge.ts';
export { approvalsInARow, autoMergeObstacles, isRoutineTask, type AutoMergeFacts } from './auto-merge/obstacles.ts';
export { OBSTACLES, isSwitch, type Obstacle, type ObstacleKind } from './auto-merge/obstacle-kinds.ts';
export { CLAIM_CLASSES, classOf, type ClaimClass } from './claims/classes.ts';
export { needsReview, refOfClaim, type Claim, type Judgement, type Settlement } from './claims/state.ts';
export { conclude, INCONCLUSIVE, type Conclusion, type Validation } from './claims/conclusion.ts';
export { isValidationType, mayCheck, MOST_CHECKS_AN_HOUR } from './claims/validate.ts';
export { ratesOf, stateTtl, validationConfig, type ValidationRates } from './claims/validation-history.ts';
export type { ValidationConfig, ValidationRun } from './claims/validation-rows.ts';
export {
  ENVIRONMENTS,
  OUTCOMES,
  SAYINGS,
  VALIDATION_TYPES,
  type Saying,
  type SeenFile,
  type ValidationAttempt,
  type ValidationEnvironment,
  type ValidationOutcome,
  type ValidationReport,
  type ValidationType,
} from './messages/validation.ts';
export { claimsByExchange, effectiveConfidence, markOfClaim, markOfExchange, marksOf, STATE_TTL, UNVERIFIED, type Mark } from './claims/marks.ts';
export { elsewhereOf, restingOnContradicted, type Elsewhere } from './claims/resting.ts';
export type { ExchangeFact, FoundClaim } from './claims/said.ts';
export { isComingUp, isGoldResting, isStanding, type Citation, type Gold, type Media } from './citations/state.ts';
export type { SessionLabels } from './board/session-labels.ts';
export {
  agentIdOf,
  DEFAULT_LIMITS,
  limitsOf,
  newcomer,
  type Agent,
  type Limits,
  type Load,
  type Request,
  type RequestState,
  type Roster,
  type Seat,
} from './agents/state.ts';
export { planOf, recruitmentsIn, type RecruitmentResult } from './agents/results.ts';
export { candidatesFor, suggestionsFor, type Candidate } from './agents/matching.ts';
export { readRoster, rosterOf } from './agents/roster.ts';
export { isOpenRequest, placeOf, queueOf, requestFor, requestsOfSidebar } from './agents/requests.ts';
export { DECLINES, type DeclineCode } from './messages/recruiting.ts';
export { loadOf, seatOf, seatsCountIn, seatsOfAgent, seatsOfSidebar, takesSeats } from './agents/seats.ts';
export { actingSeats, equipmentOf, isActing, isResting, seatKey, seatRunOf, STOPPED, todayOf, turnsInARow, endOfDay } from './agents/seat-runs.ts';
export type { Equipment, SeatRun } from './agents/seat-run.ts';
export {
  BUDGETS,
  REACHES,
  RESPONSES,
  SEAT_STATES,
  SEAT_WISHES,
  TURN_STATUSES,
  type Budget,
  type Reach,
  type RespondsTo,
} from './messages/runtimes.ts';
export { openPermissions } from './agents/permissions.ts';
export { isCovered, patternFor, subjectOf, type Subject } from './agents/permission-rules.ts';
export type { Permission, PermissionOutcome, PermissionRule } from './agents/permission-state.ts';
export {
  PERMISSION_DECISIONS,
  PERMISSION_MEANS,
  PERMISSION_SCOPES,
  RULE_BREADTHS,
  type PermissionScope,
  type RuleBreadth,
} from './messages/permissions.ts';
export { agentWithToken } from './agents/evolve.ts';
export { needsTalkOf } from './sidebar/summary.ts';
export {
  HOW_KNOWN,
  KINDS_OF_STRINGS,
  NODE_KINDS,
  NODE_MARKS,
  STRING_KINDS,
  type HowKnown,
  type NodeKind,
  type NodeMark,
  type StringKind,
} from './trace/kinds.ts';
export {
  addCounts,
  createTieIndex,
  degreesIn,
  keyOfTie,
  NO_DEGREES,
  otherEnd,
  type Counts,
  type Degrees,
  type Tie,
  type TieIndex,
} from './trace/ties.ts';
export { placesIn } from './trace/event-ties.ts';
export { contentNode, nodeOf, type Places } from './trace/nodes.ts';
export { tiesIn } from './trace/board-ties.ts';
export { leads, startWalk, type Direction, type Strings, type Walked } from './trace/walk.ts';
export { startWays, type Way } from './trace/ways.ts';
export { blockedAmong, WHILE_AWAY } from './recovery/queueing.ts';
export { isQueueing, NORMAL, PROBES_UP, stepOutage, TRIED_FOR_MS, type Outage, type OutageInput } from './recovery/outage.ts';
export { camelOf, snakeOf } from './names.ts';
export {
  EMERGENCY_FORMAT,
  EMERGENCY_REASONS,
  isOpen as isOpenWrite,
  openWrites,
  RECOVERY_STEPS,
  SERVICES,
  summaryOf,
  type EmergencyAddition,
  type EmergencyDocument,
  type EmergencyReason,
  type PendingOutcome,
  type PendingWrite,
  type RecoveryStep,
  type Service,
  type SidebarSnapshot,
} from './recovery/document.ts';
export { lineOfAddition, readAddition, readDocument, resolutionText, textOfDocument, type UnreadableDocument } from './recovery/document-text.ts';
export { uniteCopies, withAdditions } from './recovery/union.ts';
export { snapshotsOf, type SnapshotFacts } from './recovery/snapshots.ts';
export {
  RECOVERY_ACTIONS,
  startupOf,
  STARTUP_STATES,
  type LastStop,
  type Startup,
  type StartupRecoveryAlert,
  type StartupState,
} from './recovery/startup.ts';
export { conflictNote, currentNotes, planReplay, type Present, type ReplayPlan, type ReplayStep } from './recovery/replay-plan.ts';

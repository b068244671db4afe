export { createReader, QUARANTINE_REASONS } from './parse.ts';
export type { LineCounts, Place, Quarantined, QuarantineReason, Reader, ReaderOptions, Sink } from './parse.ts';
export { crowdIn, MOST_VALUES } from './crowd.ts';
export { inPieces, PIECE } from './pieces.ts';
export { jsonLine, jsonText } from './json-text.ts';
export { isDeeperThan } from './depth.ts';
export { isObject, type Json, type JsonObject } from './json.ts';
export { errorsIn, isConversation, isMessage, readEntry, ROLES, withoutCutWord } from './entry.ts';
export type { Billing, Compaction, Entry, Role, Usage } from './entry.ts';
export type { AgentCall, ToolResult, ToolUse } from './tools.ts';
export { gitDeedsIn, mayTellGit, type GitDeed } from './git.ts';
export { isWholeList, mayChangeTasks, TASK_STATES, tasksAfter, type Task, type TaskCall } from './tasks.ts';
export { CONTEXT_KINDS, contextOf, contextWindowOf, type ContextFill, type ContextPoint } from './context.ts';
export { CHANGE_BASES, CHANGE_KINDS, changesIn, linesChanged, linesOfChange, mayChange, type FileChange, type Hunk, type Show } from './changes.ts';
export type { Graph, Node, Thread } from './graph.ts';
export { addFile, addMeta, append, appendEntry, createSession, withdraw } from './session.ts';
export { takenBackIn } from './reconstruct/taken-back.ts';
export type { AgentMeta, Change, Session, SourceFile } from './session.ts';
export { branchesOf, createShape, extendShape, inOneTree, waysFrom } from './branches.ts';
export type { Branch, Shape, Spot } from './branches.ts';
export { saidAt } from './reconstruct/source.ts';
export { isRequest } from './slash-command.ts';
export { withoutContext } from './injected.ts';
export { activePath, createGrowingPath, extendActivePath, offPath, pathThrough, pathTo, stretchesOffPath } from './path.ts';
export type { GrowingPath, OffPathReason, Path, Stretch } from './path.ts';
export { cutSession } from './cut.ts';
export { createGrowingSession, type GrowingSession } from './growing.ts';
export { trailOf } from './trail.ts';
export type { Trail } from './trail.ts';
export { isRunningAt, SIDECHAIN_STATES, sidechainsOf } from './sidechains.ts';
export type { Sidechain, SidechainOptions, SidechainState } from './sidechains.ts';
export { LINK_EVIDENCE } from './links.ts';
export type { LinkedBy } from './links.ts';
export { classifyPath, isStreamLog, readMeta, sniff } from './dialects/claude-code/files.ts';
export { claudeCode } from './dialects/claude-code/claude-code.ts';
export { resumeCommand } from './dialects/claude-code/resume.ts';
export { codex } from './dialects/codex/codex.ts';
export { gemini } from './dialects/gemini/gemini.ts';
export { opencode } from './dialects/opencode/opencode.ts';
export { pi } from './dialects/pi/pi.ts';
export { qwen } from './dialects/qwen/qwen.ts';
export { copilot } from './dialects/copilot/copilot.ts';
export { classifyFile, dialectNamed, linesOf, originalOf, pricesOf, recordsIn, withOriginal, withoutOriginal } from './dialect.ts';
export type {
  Access,
  Base,
  Dialect,
  Dialects,
  FileRole,
  Kept,
  KeptEnds,
  KeptLines,
  KeptSessions,
  LinePlace,
  Lines,
  Look,
  Machine,
  Sniffed,
  SniffedAgent,
  Translation,
} from './dialect.ts';
export { DEFAULT_PRICES, DIALECTS, resumeCommandOf } from './dialects/dialects.ts';
export { digestSession, outlineSession, projectOf, titleOf } from './digest.ts';
export type { SessionDigest, SessionOutline } from './digest.ts';
export { combine } from './report.ts';
export type { FileFault, Reading, Report, SessionReport, SkippedFile } from './report.ts';
export { analyse, KNOWN_AGENTS } from './analysis.ts';
export type { Analysis } from './analysis.ts';
export { chargeFor, costOf, priceOf, readPrices, responseCost } from './prices.ts';
export type { BadPrices, Price, PriceTable, Rates } from './prices.ts';
export type { Spending } from './costs.ts';
export { addUsage, NO_USAGE, responseCountedAt, totalTokens } from './usage.ts';
export type { Response } from './usage.ts';
export type { Continues } from './sources.ts';
export type { Tally } from './tally.ts';
export type { Result } from './result.ts';
export { shellWord, startedIn } from './shell.ts';
export { assertNever } from './never.ts';
export { formatInstant } from './time.ts';
export { actorOf, callerOf, reconstruct, SIDECHAIN_PLACES } from './reconstruct/steps.ts';
export { renderTalk, type Said, type Talk } from './reconstruct/talk.ts';
export type { Actor, Merged, MergedBehind, ReconstructOptions, Reconstruction, SidechainPlace, Step } from './reconstruct/steps.ts';
export { flowOf, parentsFirst, stepAt } from './reconstruct/flow.ts';
export type { Flow, FlowOptions, FlowStep, Resumed } from './reconstruct/flow.ts';
export type { Source } from './reconstruct/source.ts';
export { partsOf } from './reconstruct/parts.ts';
export type { Part } from './reconstruct/parts.ts';
export { apiErrorText } from './reconstruct/api-error.ts';
export { inTags } from './reconstruct/tags.ts';
export { TENSES, toolLine } from './reconstruct/tool-line.ts';
export type { LineOptions, Tense } from './reconstruct/tool-line.ts';
export { iconOf, operationLine, usedLine } from './reconstruct/operation.ts';
export { renderText } from './reconstruct/text.ts';
export { renderMarkdown } from './reconstruct/markdown.ts';
export { renderHtml } from './reconstruct/html.ts';
export type { HtmlOptions } from './reconstruct/html.ts';
export { printable, printableLine } from './reconstruct/printable.ts';
export { ENVELOPE_ROLES, SENDERS, SERVICE_KINDS, TURN_STATUSES } from './envelopes/envelope.ts';
export type { Envelope, EnvelopeEvent, EnvelopeEventName, EnvelopeRole, ServiceKind, TurnStatus } from './envelopes/envelope.ts';
export { idOf, isId } from './envelopes/ids.ts';
export type { MapperInput, MapperOptions } from './envelopes/input.ts';
export { hasLooseEnds, heldBytesOf, initialMapper, openTurnOf, step } from './envelopes/mapper.ts';
export type { Mapped, MapperState } from './envelopes/mapper.ts';
export { normalise, normaliseEnvelope } from './envelopes/normalise.ts';
export type { NormalisedContent, NormalisedMessage, Refusal, WireMessage } from './envelopes/normalise.ts';
export { initialTracer, releaseOrphans, trace, TRACED_BY } from './envelopes/tracer.ts';
export type { CallPlace, LinkedMessage, Traced, TracedBy, TracerState } from './envelopes/tracer.ts';
export { conversationOf, rebuild } from './envelopes/conversation.ts';
export type { Conversation, ConversationItem, ConversationSidechain, ConversationTurn, ToolItem } from './envelopes/conversation.ts';

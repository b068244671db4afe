export { encodeInspect } from './inspect/encode.ts';
export { inspectDocument } from './inspect/schema.ts';
export type { InspectDocument } from './inspect/schema.ts';
export { encodeShowHead, encodeShowStep, type ShowContext } from './show/encode.ts';
export { showDocument } from './show/schema.ts';
export type { ShowDocument } from './show/schema.ts';
export { MOST_FRAME_BYTES, MOST_INLINE_BYTES, MOST_MEDIA_BYTES, PROMPT_IMAGES } from './media-limits.ts';
export { DAILY_ROUTES } from './registry/daily-routes.ts';
export { REGISTRY } from './registry/registry.ts';
export type { Caller, Operation, Terminal } from './operation.ts';
export type { InputOf, OperationName, OutputOf } from './registry/registry.ts';
export { problemOf, PROBLEMS } from './registry/problems.ts';
export type { Problem, ProblemCode } from './registry/problems.ts';
export { complaintsOf, complaintText } from './wire/complaints.ts';
export { ALL_REASONS, codeOf, outward, reworded, toldIn, words, type Reason, type ReasonFacts, type Told } from './wording/words.ts';
export { SESSION_TOOLS } from './session-tools.ts';
export { DOORS, type Door } from './wording/vocabulary.ts';
export { CONDITIONS, nextTrust, obstacleIn, obstacleWords } from './wording/obstacles.ts';
export { STRING_WORDS, wordOfString, type StringWords } from './wording/strings.ts';
export { dotOf, mermaidOf } from './wording/strings-drawn.ts';
export { flagOf, TERMINAL_ALIASES, TERMINAL_NONE } from './wording/terminal.ts';
export { actionsOf, isTool, mayCall, toolCall, TOOLS, type ToolAction, type ToolGroup, type ToolName } from './wording/tools.ts';
export { openapiDocument } from './registry/openapi.ts';
export { OFF_PATH_NAMES } from './wire/off-path.ts';
export { messageToWire } from './wire/message.ts';
export { insideAnswer, outsideInput, type InsideInput, type InsideOutput } from './registry/inside.ts';
export { camelOf, snakeOf } from '@yarnboard/domain';
export { foreign, toWire } from './wire/names.ts';
export type { Foreign, Inside } from './wire/names.ts';
export { decodeEnvelope, encodeEnvelope, unwrapEnvelope, wrapEnvelope } from './wire/envelope.ts';
export type { EnvelopeRefusal, WireEnvelope, WrappedEnvelope } from './wire/envelope.ts';
export {
  ALL_SIDEBARS,
  CLOSE_CODES,
  decodeClientFrame,
  decodeServerFrame,
  encodeEntry,
  encodeServerFrame,
  EVERYTHING,
  SOCKET_PROTOCOL,
} from './socket.ts';
export type { ClientFrame, ClientType, CloseName, EntryNews, FrameRefusal, ServerFrame, Subscription, Urgency } from './socket.ts';
export { encodeRecord, recordedIn } from './wire/record.ts';
export { BOARD_OPERATIONS, isBoardCommand, UNASKED, type BoardCommand } from './families/operations.ts';
export { commandOf } from './families/codecs.ts';
export { circumstances } from './families/parameters.ts';
export { queued } from './wire/sidebars.ts';
export type { EmergencyNews, RecoveryNews, SettledOutcome } from './wire/queue-frames.ts';
export { EVENT_NAMES, NAMES_OF_EVENTS, type BoardEvent, type EventName } from './families/event-names.ts';
export { encodeEvent } from './families/tellers.ts';
export { sentenceOf } from './families/sentences.ts';
export type { CommandOperation, EventNames, Given, Reload } from './families/definition.ts';
export { textOf } from './families/field-texts.ts';
export { contradiction } from './families/scratchpad.ts';
export { encodeAutoMergeConfig } from './families/auto-merge.ts';
export { encodePackage, encodeSource, fileRefOf } from './families/told-values.ts';
export { createClient } from './client.ts';
export type {
  Client,
  ClientOptions,
  ClientSocket,
  ClientState,
  EntryFrame,
  Outcome,
  QueuedNews,
  SettledNews,
  ServerNotice,
  SettledCommand,
  Trouble,
} from './client.ts';
export { chatReply, chatRequest, chatResult, type ChatCall, type ChatMessage } from './seats/chat-completions.ts';
export { replyBody, resultBody } from './seats/records.ts';
export { readTurnEnd, readTurnNext, toldTurn, TURN_END, TURN_NEXT, TURN_TOOLS, type TurnTool } from './seats/turn-tools.ts';
export { decodeSeatFrame, encodeSeatFrame, encodeSeatOrder } from './seats/frames.ts';
export type { FrameFault, SeatEvent, SeatFrame, SeatOrder, SeatUsage } from './seats/frames.ts';
export {
  AGENTS_SETTINGS,
  isClaudeKind,
  readAgents,
  readRuntimes,
  RUNTIME_KINDS,
  SEAT_LIMITS,
  type AgentsSettings,
  type RuntimeKind,
  type RuntimeSettings,
  type SeatLimits,
} from './seats/runtime-settings.ts';
export {
  NO_VALIDATION_SETTINGS,
  readValidation,
  type DeclaredProgram,
  type DeclaredService,
  type ValidationSettings,
} from './validation-settings.ts';
export { readEmbedding, type EmbeddingSettings } from './embedding-settings.ts';
export { DEFAULT_EMERGENCY_SETTINGS, readEmergency, type EmergencySettings } from './emergency-settings.ts';

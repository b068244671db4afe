export { encodeInspect } from './inspect/encode.ts';
export { inspectDocument } from './inspect/schema.ts';
export type { InspectDocument } from './inspect/schema.ts';
export { encodeShowHead, encodeShowStep, type ShowContext } from './show/encode.ts';
export { showDocument } from './show/schema.ts';
export type { ShowDocument } from './show/schema.ts';
export { REGISTRY } from './registry/registry.ts';
export type { Caller, Operation, Terminal } from './registry/operation.ts';
export type { InputOf, OperationName, OutputOf } from './registry/registry.ts';
export { problemOf, PROBLEMS } from './registry/problems.ts';
export type { Problem, ProblemCode } from './registry/problems.ts';
export { openapiDocument } from './registry/openapi.ts';
export { OFF_PATH_NAMES } from './wire/off-path.ts';
export { messageToWire } from './wire/message.ts';
export { insideAnswer, outsideInput, type InsideInput, type InsideOutput } from './wire/inside.ts';
export { camelOf, foreign, snakeOf, toWire } from './wire/names.ts';
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
} from './wire/socket.ts';
export type { ClientFrame, ClientType, CloseName, EntryNews, FrameRefusal, ServerFrame, Subscription, Urgency } from './wire/socket.ts';
export { encodeRecord, recordedIn } from './wire/record.ts';
export { EVENT_NAMES, type BoardEvent, type EventName } from './wire/event-names.ts';
export { encodeEvent, encodePackage, encodeSource, fileRefOf, type EventNames } from './wire/board-events.ts';
export { createClient } from './client.ts';
export type { Client, ClientOptions, ClientSocket, ClientState, EntryFrame, Outcome, ServerNotice, Trouble } from './client.ts';

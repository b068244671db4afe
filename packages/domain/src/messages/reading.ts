import { err, ok, type Result } from '../result.ts';
import { EVENTS, type EventType, type Payloads } from './catalogue.ts';
import type { EventDefinition } from './definition.ts';

/** An event as stored, or as received over the wire: not validated yet. */
export type StoredEvent = { readonly type: string; readonly version: number; readonly payload: unknown };

/** CAT-3: why an event can't be read. The first two kinds were written by a newer version of Yarnboard; a malformed one by none of ours. */
export type Unreadable =
  | { readonly kind: 'unknown-type'; readonly type: string; readonly version: number }
  | { readonly kind: 'newer-version'; readonly type: string; readonly version: number; readonly known: number }
  | { readonly kind: 'malformed'; readonly type: string; readonly version: number; readonly where: string; readonly why: string };

/** Whether a reader must stop here: the event says something that this version can't know. */
export const isNewer = ({ kind }: Unreadable): boolean => kind !== 'malformed';

export type Read = { readonly [T in EventType]: { readonly type: T; readonly payload: Payloads[T] } }[EventType];

type Catalogue = Readonly<Record<string, Pick<EventDefinition, 'version' | 'payload' | 'upcasts'>>>;

/** CAT-2: the only entrance for stored events: parse them, upcast them step by step to today's version, parse the result. */
export const readEvent = (stored: StoredEvent): Result<Read, Unreadable> => readWith(EVENTS, stored) as Result<Read, Unreadable>; // validated by its schemas

/** The same for any catalogue: to test future versions. */
export const readWith = (
  catalogue: Catalogue,
  { type, version, payload }: StoredEvent,
): Result<{ readonly type: string; readonly payload: unknown }, Unreadable> => {
  const definition = Object.hasOwn(catalogue, type) ? catalogue[type] : undefined;
  if (definition === undefined) return err({ kind: 'unknown-type', type, version });
  if (version > definition.version) return err({ kind: 'newer-version', type, version, known: definition.version });
  const malformed = (at: number, { issues: [issue] }: Faults): Result<never, Unreadable> =>
    err({ kind: 'malformed', type, version: at, where: issue?.path.map(String).join('.') ?? '', why: issue?.message ?? 'unreadable' });
  let held = payload;
  for (let at = version; at < definition.version; at += 1) {
    const step = definition.upcasts[at];
    if (step === undefined) return err({ kind: 'malformed', type, version: at, where: '', why: `there is no version ${at} of it` });
    const before = step.payload.safeParse(held);
    if (!before.success) return malformed(at, before.error);
    held = step.next(before.data as never); // the output of its own schema
  }
  const read = definition.payload.safeParse(held);
  return read.success ? ok({ type, payload: read.data }) : malformed(definition.version, read.error);
};

type Faults = { readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[] };

import type { Entry } from '@yarnboard/domain';
import type { LogPort } from '@yarnboard/store';
import { heldIn } from './stored-events.ts';

/** CLAIM-13: the hashes of the payloads with claims from these entries, and with their judgements. Found by references, never by words. */
export const claimsIn = async (log: LogPort, entries: readonly Entry[]): Promise<ReadonlySet<string>> => {
  const refs = new Set(entries.flatMap((entry) => entry.refs.filter((ref) => ref.startsWith('MSG-'))));
  const noted = await naming(log, NOTED, (told) => listIn(told['messages']).some((ref) => refs.has(ref)));
  if (noted.length === 0) return new Set();
  const ids = new Set(noted.map(({ uuid }) => uuid));
  const judged = await Promise.all(JUDGED.map((type) => naming(log, type, (told) => ids.has(String(told['claim'])))));
  return new Set([...noted, ...judged.flat()].flatMap(({ payloadHash }) => payloadHash ?? []));
};

/** EPI-13: the hashes of the payloads that keep the text of these entries: of the messages themselves, and of their exchanges. */
export const episodesIn = async (log: LogPort, entries: readonly Entry[]): Promise<ReadonlySet<string>> => {
  const refs = new Set(entries.flatMap((entry) => entry.refs));
  if (refs.size === 0) return new Set();
  const kept = await naming(
    log,
    'episodic.archived',
    (told) => typeof told['about'] === 'string' && [told['about'], ...listIn(told['sources'])].some((ref) => refs.has(ref)),
  );
  return new Set(kept.flatMap(({ payloadHash }) => payloadHash ?? []));
};

const naming = async (log: LogPort, type: string, isNamed: (told: Readonly<Record<string, unknown>>) => boolean): Promise<readonly Entry[]> => {
  const positions = await log.positionsOfType(type);
  const found: Entry[] = [];
  for (let from = 0; from < positions.length; from += STEP) {
    const entries = await log.entriesAt(positions.slice(from, from + STEP));
    const payloads = await log.payloadsOf(entries.map(({ position }) => position));
    for (const entry of entries) {
      const bytes = payloads.get(entry.position);
      const told = bytes === undefined ? null : heldIn(bytes);
      if (told !== null && isNamed(told)) found.push(entry);
    }
  }
  return found;
};

const listIn = (value: unknown): readonly string[] => (Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []);

const NOTED = 'claim.noted';
const JUDGED = ['claim.verified', 'claim.settled', 'claim.validated', 'validation.overruled'] as const;
const STEP = 1000;

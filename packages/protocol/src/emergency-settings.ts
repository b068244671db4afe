import * as z from 'zod';

/** REC-15: where the emergency cache is, and how large it may be. */
export type EmergencySettings = {
  /** Folders on this machine, instead of the ones in the home and the state folder. */
  readonly places: readonly string[] | null;
  /** A database file instead of the one in the home. */
  readonly sqlite: string | null;
  /** A folder on another machine. */
  readonly nas: string | null;
  readonly reserveBytes: number;
  readonly mostBytes: number;
  /** In milliseconds. */
  readonly writeTimeout: number;
  readonly checkEvery: number;
};

const folder = z.string().min(1).max(4000);
const schema = z.strictObject({
  places: z.array(folder).min(1).max(5).optional(),
  sqlite: folder.optional(),
  nas: folder.optional(),
  reserve_bytes: z
    .int()
    .min(0)
    .max(1024 ** 3)
    .default(8 * 1024 * 1024),
  most_bytes: z
    .int()
    .min(64 * 1024)
    .max(1024 ** 3)
    .default(64 * 1024 * 1024),
  write_timeout_seconds: z.number().min(0.1).max(60).default(5),
  check_every_seconds: z.number().min(0.1).max(3600).default(2),
});

/** Reads `emergency` in the settings, or says what is wrong with it. */
export const readEmergency = (
  given: unknown,
): { readonly ok: true; readonly value: EmergencySettings } | { readonly ok: false; readonly error: string } => {
  const read = schema.safeParse(given ?? {});
  if (!read.success) {
    const [issue] = read.error.issues;
    return { ok: false, error: `"emergency"${issue === undefined ? '' : ` (${issue.path.join('.')}): ${issue.message}`}` };
  }
  return { ok: true, value: inside(read.data) };
};

const inside = ({
  places,
  sqlite,
  nas,
  reserve_bytes: reserveBytes,
  most_bytes: mostBytes,
  ...more
}: z.output<typeof schema>): EmergencySettings => ({
  places: places ?? null,
  sqlite: sqlite ?? null,
  nas: nas ?? null,
  reserveBytes,
  mostBytes,
  writeTimeout: more.write_timeout_seconds * 1000,
  checkEvery: more.check_every_seconds * 1000,
});

export const DEFAULT_EMERGENCY_SETTINGS: EmergencySettings = inside(schema.parse({}));

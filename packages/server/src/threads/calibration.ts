import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Texts, and questions whose answers among them are known (packages/language/embedding/calibration.json). */
export type Calibration = {
  /** A text without a session answers no question. */
  readonly texts: readonly { readonly text: string; readonly session: string | null }[];
  /** How many such texts each of them stands for: there were too many to include all. */
  readonly weight: number;
  readonly questions: readonly { readonly text: string; readonly sessions: readonly string[] }[];
};

export const readCalibration = (): Calibration | null => {
  const path = PLACES.map((place) => fileURLToPath(new URL(place, import.meta.url))).find((one) => existsSync(one));
  return path === undefined ? null : (JSON.parse(readFileSync(path, 'utf8')) as Calibration); // comes with the program
};

/** Next to the bundle, next to the folder of its parts, and in the sources. */
const PLACES = ['./calibration.json', '../calibration.json', '../../../language/embedding/calibration.json'] as const;

import { rmSync } from 'node:fs';
import { curveOf, type Judged, type ModelCard } from '@yarnboard/store';
import { readTextIfThere, writePrivateFile } from '../home/home.ts';
import type { Calibration } from './calibration.ts';

/** The properties of an endpoint's model, in a file of the home: the process that fills the index writes it, and those that query it read it. */
export type Cards = {
  readonly read: () => ModelCard | null;
  readonly write: (calibration: Calibration, texts: readonly Float32Array[], questions: readonly Float32Array[], dims: number) => ModelCard;
  readonly remove: () => void;
};

export const cardIn = (path: string, model: string): Cards => ({
  read: () => {
    const text = readTextIfThere(path);
    const known = text === null ? null : parsed(text);
    return known === null || known.model !== model ? null : { dims: known.dims, curve: known.curve };
  },
  write: (calibration, texts, questions, dims) => {
    const card = { dims, curve: curveOf(judged(calibration, texts, questions)) };
    writePrivateFile(path, `${JSON.stringify({ model, ...card }, null, 2)}\n`);
    return card;
  },
  remove: () => rmSync(path, { force: true }),
});

/** An unreadable card counts as missing: it is made again. */
const parsed = (text: string): (ModelCard & { readonly model: string }) | null => {
  try {
    const card = JSON.parse(text) as ModelCard & { readonly model: string }; // written below, checked right here
    const isCurve = Array.isArray(card.curve) && card.curve.length > 1 && card.curve.flat().every((one) => Number.isFinite(one));
    return typeof card.model === 'string' && Number.isInteger(card.dims) && isCurve ? card : null;
  } catch {
    return null;
  }
};

/** Every question paired with every text. */
const judged = (
  { texts, questions, weight }: Calibration,
  ofTexts: readonly Float32Array[],
  ofQuestions: readonly Float32Array[],
): readonly Judged[] =>
  questions.flatMap(({ sessions }, q) =>
    texts.map(({ session }, t) => ({
      near: cosineOf(ofQuestions[q] ?? NOTHING, ofTexts[t] ?? NOTHING),
      isRight: session !== null && sessions.includes(session),
      weight: session === null ? weight : 1,
    })),
  );

const cosineOf = (a: Float32Array, b: Float32Array): number => {
  let product = 0;
  let squareA = 0;
  let squareB = 0;
  for (let at = 0; at < a.length; at += 1) {
    const [x, y] = [a[at] ?? 0, b[at] ?? 0];
    product += x * y;
    squareA += x * x;
    squareB += y * y;
  }
  return squareA === 0 || squareB === 0 ? 0 : Math.round((product / Math.sqrt(squareA * squareB)) * 1e4) / 1e4;
};

const NOTHING = new Float32Array(0);
